package io.offhook.transport;

import io.offhook.packet.IpAddress;
import java.io.Closeable;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * TCP and TLS connections on one or several threads, each with a selector of its own. Accepted and outgoing connections
 * are spread over the threads in turn, and stay with theirs.
 *
 * <p>A connection without traffic holds no buffer: arrays are borrowed only while bytes wait to be consumed or sent. All
 * limits are set at the start; what they refuse is counted by cause. Thread-safe.
 */
public final class ConnectionLoops implements AutoCloseable {
    private final ConnectionLimits limits;
    private final ConnectionTimeouts timeouts;
    private final LongSupplier clock;
    private final ConnectionBudget budget;
    private final List<ConnectionLoop> loops = new ArrayList<>();
    private final ExecutorService handshakes;
    private final AtomicLong ids = new AtomicLong();
    private final AtomicInteger turn = new AtomicInteger();

    private ConnectionLoops(
            String name, int count, ConnectionLimits limits, ConnectionTimeouts timeouts, LongSupplier clock)
            throws IOException {
        this.limits = limits;
        this.timeouts = timeouts;
        this.clock = clock;
        budget = new ConnectionBudget(limits);
        handshakes = Executors.newFixedThreadPool(
                count, Thread.ofPlatform().name(name + "-tls-", 0).daemon().factory());
        for (int i = 0; i < count; i++) {
            loops.add(new ConnectionLoop(this, name + "-" + i));
        }
    }

    /**
     * Starts the threads, with the clock of the system.
     *
     * @param name what the names of the threads begin with
     * @param count the number of loops, 1 to 1,024; one carries thousands of connections
     * @throws IOException if the system has no selector left
     */
    public static ConnectionLoops start(String name, int count, ConnectionLimits limits, ConnectionTimeouts timeouts)
            throws IOException {
        return start(name, count, limits, timeouts, System::nanoTime);
    }

    /**
     * As the other, with another clock, so that a test need not wait.
     *
     * @param nanoClock nanoseconds from any moment on, never backwards; after a jump {@link #wakeUp}
     * @throws IOException if the system has no selector left
     */
    public static ConnectionLoops start(
            String name, int count, ConnectionLimits limits, ConnectionTimeouts timeouts, LongSupplier nanoClock)
            throws IOException {
        if (count < 1 || count > 1024) {
            throw new IllegalArgumentException(count + " connection loops; the limits are 1 and 1024");
        }
        ConnectionLoops started = new ConnectionLoops(name, count, limits, timeouts, nanoClock);
        started.loops.forEach(ConnectionLoop::start);
        return started;
    }

    /**
     * Listens for connections.
     *
     * @param handlers makes the handler of each connection, on the thread of its loop
     * @throws IOException if the address cannot be bound; the message has the address
     */
    public Listener listen(ListenSettings settings, Supplier<? extends ConnectionHandler> handlers) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(family(settings.address()));
        try {
            channel.configureBlocking(false);
            channel.setOption(
                    StandardSocketOptions.SO_REUSEADDR, true); // connections in TIME-WAIT do not stand in the way
            settings.tcp().applyReceiveBuffer(channel);
            channel.bind(settings.address(), settings.backlog());
            Listener listener = new Listener(settings, handlers, channel);
            nextLoop().listen(listener, channel);
            return listener;
        } catch (IOException e) {
            closeQuietly(channel);
            throw new IOException("cannot listen on " + settings.address() + ": " + e.getMessage(), e);
        } catch (RejectedExecutionException e) {
            closeQuietly(channel);
            throw e;
        }
    }

    /**
     * Begins a connection. What goes wrong, limits included, is reported to {@link ConnectionHandler#closed}.
     *
     * @throws IOException if the system has no socket left
     * @throws RejectedExecutionException if the loops were closed
     */
    public Connection connect(ConnectSettings settings, ConnectionHandler handler) throws IOException {
        ConnectionLoop loop = nextLoop();
        SocketChannel channel = SocketChannel.open(family(settings.remote()));
        try {
            channel.configureBlocking(false);
            boolean isPlace = budget.takeConnection();
            if (!isPlace) {
                // it is counted, and given back when it is closed below
                budget.takeConnectionBeyondLimit();
            }
            budget.count(ConnectionCounter.CONNECTS);
            Connection connection = new Connection(nextId(), loop, channel, handler, settings.remote());
            loop.execute(() -> loop.connect(connection, settings, isPlace));
            return connection;
        } catch (IOException | RejectedExecutionException e) {
            closeQuietly(channel);
            throw e;
        }
    }

    private static ProtocolFamily family(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address
                ? StandardProtocolFamily.INET6
                : StandardProtocolFamily.INET;
    }

    private ConnectionLoop nextLoop() {
        return loops.get(Math.floorMod(turn.getAndIncrement(), loops.size()));
    }

    /** Takes a connection from a listener, or refuses it by closing. */
    void accepted(Listener listener, SocketChannel channel) {
        try {
            InetSocketAddress remote = (InetSocketAddress) channel.getRemoteAddress();
            ListenSettings settings = listener.settings();
            IpAddress source = IpAddress.of(remote.getAddress());
            if (!settings.isDualStack() && source.isIpv4() == settings.address().getAddress() instanceof Inet6Address) {
                budget.count(ConnectionCounter.REFUSED_FAMILY);
            } else if (budget.takeConnection(source)) {
                budget.count(ConnectionCounter.ACCEPTED);
                ConnectionLoop loop = nextLoop();
                loop.execute(() -> loop.adopt(channel, remote, listener));
                return;
            }
        } catch (IOException | RejectedExecutionException e) {
            budget.count(ConnectionCounter.ACCEPT_FAILED);
        }
        closeQuietly(channel);
    }

    void ended(Connection connection) {
        if (connection.isOutgoing()) {
            budget.giveBackConnection();
        } else {
            budget.giveBackConnection(connection.remote().address());
        }
    }

    long nextId() {
        return ids.incrementAndGet();
    }

    ConnectionLimits limits() {
        return limits;
    }

    ConnectionTimeouts timeouts() {
        return timeouts;
    }

    LongSupplier clock() {
        return clock;
    }

    ConnectionBudget budget() {
        return budget;
    }

    Executor handshakes() {
        return handshakes;
    }

    /** What was counted since the start. */
    public long count(ConnectionCounter counter) {
        return budget.counted(counter);
    }

    /** Connections that ended for this cause since the start. */
    public long closed(CloseCause cause) {
        return budget.closed(cause);
    }

    /** Connections that are open, those being established included. */
    public int openConnections() {
        return budget.openConnections();
    }

    /** Bytes that wait to be sent, on all connections. */
    public long queuedBytes() {
        return budget.queuedBytes();
    }

    /** Bytes received that handlers have not consumed, on all connections. */
    public long unreadBytes() {
        return budget.unreadBytes();
    }

    /** Bytes of buffers that are borrowed by connections: 0 if nothing waits anywhere. */
    public long borrowedBytes() {
        return loops.stream().mapToLong(loop -> loop.pool().borrowedBytes()).sum();
    }

    /** Has the loops look at the clock. */
    public void wakeUp() {
        loops.forEach(ConnectionLoop::wakeUp);
    }

    /**
     * Shuts down in order: accepts nothing more, sends what is queued on each connection, finishes sending, and waits until
     * the peers have finished too or {@link ConnectionTimeouts#finishNs} are over. Then {@link #close}.
     *
     * @param mostNs nanoseconds after which it closes what is left
     * @return whether all was sent in time
     * @throws InterruptedException if the thread is interrupted; nothing is closed then
     */
    public boolean drain(long mostNs) throws InterruptedException {
        CompletableFuture<?>[] drained =
                loops.stream().map(ConnectionLoop::drain).toArray(CompletableFuture<?>[]::new);
        boolean isDrained = true;
        try {
            CompletableFuture.allOf(drained).get(mostNs, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            isDrained = false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("internal error (a bug in Offhook): a loop failed to drain", e);
        }
        close();
        return isDrained;
    }

    /** Closes listeners and connections at once, and ends the threads. What was queued is lost: see {@link #drain}. */
    @Override
    public void close() {
        loops.forEach(ConnectionLoop::stop);
        boolean isInterrupted = false;
        for (ConnectionLoop loop : loops) {
            try {
                loop.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        handshakes.shutdownNow();
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            // it is gone either way
        }
    }
}
