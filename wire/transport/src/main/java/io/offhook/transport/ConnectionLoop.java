package io.offhook.transport;

import io.offhook.packet.IpAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One thread with one selector and the connections and listeners registered there. It accepts, connects and minds the
 * deadlines; what happens on an established connection is {@link ConnectionTraffic}.
 *
 * <p>A turn: wait for the selector; whatever is ready; tasks of other threads; connections that other threads, or handlers
 * during this turn, have asked something of; deadlines that have passed.
 */
final class ConnectionLoop implements Runnable {
    private static final int ACCEPTS_PER_TURN = 64;
    private static final long ACCEPT_PAUSE_NS = 100_000_000L;
    private static final int MOST_KEPT_BYTES = 4 << 20;

    private final ConnectionLoops loops;
    private final Selector selector;
    private final OctetPool pool = new OctetPool(MOST_KEPT_BYTES);
    private final DeadlineWheel wheel = new DeadlineWheel(0);
    private final ConnectionTraffic traffic;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Connection> scheduled = new AtomicReference<>();
    private final AtomicBoolean isWoken = new AtomicBoolean();
    private final Thread thread;
    /** Listeners whose last accept failed. */
    private final List<SelectionKey> pausedListeners = new ArrayList<>();

    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private final long startNs;
    private long acceptAgainNs;
    private int connections;
    private volatile boolean isStopped;
    private boolean isDraining;
    private long nowNs;

    ConnectionLoop(ConnectionLoops loops, String name) throws IOException {
        this.loops = loops;
        selector = Selector.open();
        traffic = new ConnectionTraffic(this);
        startNs = loops.clock().getAsLong();
        thread = Thread.ofPlatform().name(name).daemon().unstarted(this);
    }

    void start() {
        thread.start();
    }

    ConnectionBudget budget() {
        return loops.budget();
    }

    ConnectionLimits limits() {
        return loops.limits();
    }

    ConnectionTimeouts timeouts() {
        return loops.timeouts();
    }

    OctetPool pool() {
        return pool;
    }

    /** The time of this turn, from 0 at the start of the loop. */
    long nowNs() {
        return nowNs;
    }

    // ---- by any thread

    void execute(Runnable task) {
        if (isStopped) {
            throw new RejectedExecutionException("connection loop " + thread.getName() + " has ended");
        }
        tasks.add(task);
        if (isStopped && tasks.remove(task)) { // otherwise the last turn has run it, or will
            throw new RejectedExecutionException("connection loop " + thread.getName() + " has ended");
        }
        wakeUp();
    }

    /** Has {@link ConnectionTraffic#service} look at the connection, in this turn if this is the thread of the loop. */
    void schedule(Connection connection) {
        Connection first;
        do {
            first = scheduled.get();
            connection.nextScheduled = first;
        } while (!scheduled.compareAndSet(first, connection));
        wakeUp();
    }

    void wakeUp() {
        if (!thread.equals(Thread.currentThread()) && isWoken.compareAndSet(false, true)) {
            selector.wakeup();
        }
    }

    /** Completes when no connection is left. */
    CompletableFuture<Void> drain() {
        execute(() -> {
            isDraining = true;
            closeListeners();
            forConnections(traffic::drain);
            checkDrained();
        });
        return drained;
    }

    /** Ends the loop; what is open is closed. */
    void stop() {
        isStopped = true;
        isWoken.set(false);
        wakeUp();
    }

    void join() throws InterruptedException {
        if (!thread.equals(Thread.currentThread())) {
            thread.join();
        }
    }

    // ---- the thread

    @Override
    public void run() {
        Consumer<SelectionKey> ready = this::ready;
        Consumer<Connection> due = this::due;
        try {
            while (!isStopped) {
                selector.select(ready, waitMs());
                isWoken.set(false);
                nowNs = now();
                runTasks();
                serviceScheduled();
                wheel.advance(nowNs, due);
                serviceScheduled();
                resumeListeners();
            }
        } catch (IOException | ClosedSelectorException e) {
            throw new IllegalStateException(
                    "internal error (a bug in Offhook): the selector of " + thread.getName() + " failed", e);
        } finally {
            end();
        }
    }

    private long now() {
        return loops.clock().getAsLong() - startNs;
    }

    private long waitMs() {
        if (!tasks.isEmpty() || scheduled.get() != null) {
            return 1;
        }
        long untilNext = wheel.untilNextMs(now());
        return pausedListeners.isEmpty() ? untilNext : Math.min(untilNext == 0 ? Long.MAX_VALUE : untilNext, 50);
    }

    private void ready(SelectionKey key) {
        nowNs = now();
        try {
            if (key.attachment() instanceof Connection connection) {
                traffic.ready(connection, key.readyOps());
            } else if (key.attachment() instanceof Listener listener) {
                accept(listener, key);
            }
        } catch (CancelledKeyException e) {
            // closed by something earlier in this turn
        } catch (RuntimeException e) {
            budget().count(ConnectionCounter.HANDLER_FAILURES);
            if (key.attachment() instanceof Connection connection) {
                traffic.close(connection, CloseCause.HANDLER_FAILED, e.toString());
            }
        }
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run();
            } catch (RuntimeException e) {
                budget().count(ConnectionCounter.HANDLER_FAILURES);
            }
        }
    }

    private void serviceScheduled() {
        while (true) {
            Connection connection = inOrder(scheduled.getAndSet(null));
            if (connection == null) {
                return;
            }
            while (connection != null) {
                Connection next = connection.nextScheduled;
                connection.nextScheduled = null;
                connection.beginService();
                traffic.service(connection);
                connection = next;
            }
        }
    }

    /** The list has the last first. */
    private static @Nullable Connection inOrder(@Nullable Connection last) {
        Connection first = null;
        Connection one = last;
        while (one != null) {
            Connection before = one.nextScheduled;
            one.nextScheduled = first;
            first = one;
            one = before;
        }
        return first;
    }

    /** Has {@link #due} look at the connection when its next deadline passes. */
    void watch(Connection connection) {
        if (connection.stage != Connection.Stage.CLOSED) {
            wheel.place(connection, traffic.deadlineNs(connection));
        }
    }

    private void due(Connection connection) {
        if (traffic.deadlineNs(connection) <= nowNs) {
            traffic.close(connection, traffic.overdue(connection), null);
        } else {
            watch(connection);
        }
    }

    // ---- listeners

    void listen(Listener listener, ServerSocketChannel channel) {
        execute(() -> {
            try {
                channel.register(selector, SelectionKey.OP_ACCEPT, listener);
            } catch (IOException | ClosedSelectorException e) {
                listener.close();
            }
        });
    }

    private void accept(Listener listener, SelectionKey key) {
        for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
            SocketChannel channel;
            try {
                channel = listener.accept();
            } catch (IOException e) {
                if (key.isValid()) {
                    // most likely no file descriptor is left: the connection stays in the backlog
                    budget().count(ConnectionCounter.ACCEPT_FAILED);
                    key.interestOps(0);
                    pausedListeners.add(key);
                    acceptAgainNs = nowNs + ACCEPT_PAUSE_NS;
                }
                return;
            }
            if (channel == null) {
                return;
            }
            loops.accepted(listener, channel);
        }
    }

    private void resumeListeners() {
        if (!pausedListeners.isEmpty() && nowNs >= acceptAgainNs) {
            for (SelectionKey key : pausedListeners) {
                if (key.isValid()) {
                    key.interestOps(SelectionKey.OP_ACCEPT);
                }
            }
            pausedListeners.clear();
        }
    }

    private void closeListeners() {
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof Listener listener) {
                listener.close();
            }
        }
    }

    // ---- connections that begin and end

    /** Takes an accepted connection, for which a place has been taken. */
    void adopt(SocketChannel channel, InetSocketAddress remote, Listener listener) {
        Connection connection;
        try {
            Supplier<? extends ConnectionHandler> handlers = listener.handlers();
            channel.configureBlocking(false);
            listener.settings().tcp().applyTo(channel);
            connection = new Connection(loops.nextId(), this, channel, handlers.get(), remote);
        } catch (IOException | RuntimeException e) {
            budget().count(
                            e instanceof IOException
                                    ? ConnectionCounter.ACCEPT_FAILED
                                    : ConnectionCounter.HANDLER_FAILURES);
            budget().giveBackConnection(IpAddress.of(remote.getAddress()));
            ConnectionLoops.closeQuietly(channel);
            return;
        }
        connections++;
        try {
            TlsContext tls = listener.settings().tls();
            if (tls != null) {
                connection.tls = new TlsLayer(tls.serverEngine(), pool);
            }
            register(connection, SelectionKey.OP_READ);
        } catch (IOException e) {
            traffic.close(connection, CloseCause.RESET, e.getMessage());
            return;
        }
        traffic.established(connection);
        if (isDraining) {
            traffic.drain(connection);
        }
    }

    /** Begins an outgoing connection, unless no place is left for it. */
    void connect(Connection connection, ConnectSettings settings, boolean isPlace) {
        connections++;
        connection.stage = Connection.Stage.CONNECTING;
        connection.sinceNs = nowNs;
        try {
            if (!isPlace || isDraining) {
                refuse(connection, isPlace);
                return;
            }
            SocketChannel channel = connection.channel;
            settings.tcp().applyTo(channel);
            if (settings.local() != null) {
                channel.bind(settings.local());
            }
            TlsContext tls = settings.tls();
            if (tls != null) {
                connection.tls = new TlsLayer(tls.clientEngine(settings), pool);
            }
            boolean isConnected = channel.connect(settings.remote());
            register(connection, isConnected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT);
            if (isConnected) {
                traffic.established(connection);
            } else {
                watch(connection);
            }
        } catch (IOException | RuntimeException e) {
            traffic.close(connection, CloseCause.CONNECT_FAILED, e.getMessage());
        }
    }

    private void refuse(Connection connection, boolean isPlace) {
        if (isPlace) {
            budget().count(ConnectionCounter.REFUSED_SHUTDOWN);
        }
        String reason = isPlace ? "shutting down" : "limit of " + limits().connections() + " connections";
        traffic.close(connection, CloseCause.REFUSED, reason);
    }

    private void register(Connection connection, int operations) throws IOException {
        connection.key = connection.channel.register(selector, operations, connection);
    }

    /** Gives back what the loop holds for a connection that has ended. */
    void forget(Connection connection) {
        connections--;
        wheel.remove(connection);
        SelectionKey key = connection.key;
        if (key != null) {
            key.cancel();
        }
        ConnectionLoops.closeQuietly(connection.channel);
        loops.ended(connection);
        checkDrained();
    }

    private void checkDrained() {
        if (isDraining && connections == 0) {
            drained.complete(null);
        }
    }

    void runHandshake(Connection connection, TlsLayer tls) {
        Runnable task = tls.task();
        loops.handshakes().execute(() -> {
            task.run();
            try {
                execute(() -> traffic.taskEnded(connection));
            } catch (RejectedExecutionException e) {
                // the loop has closed the connection
            }
        });
    }

    private void forConnections(Consumer<Connection> action) {
        for (SelectionKey key : List.copyOf(selector.keys())) {
            if (key.attachment() instanceof Connection connection) {
                action.accept(connection);
            }
        }
    }

    private void end() {
        isStopped = true;
        isDraining = true;
        runTasks();
        serviceScheduled();
        if (selector.isOpen()) {
            closeListeners();
            forConnections(connection -> traffic.close(connection, CloseCause.SHUTDOWN, null));
        }
        drained.complete(null);
        ConnectionLoops.closeQuietly(selector);
    }
}
