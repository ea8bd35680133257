package io.offhook.proxy.media;

import io.offhook.proxy.log.Log;
import java.io.IOException;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The media relays of a configuration. Commands of any thread are sent by one, which also completes them: what is done then
 * must not block. Thread-safe.
 */
public final class MediaRelay implements AutoCloseable {
    private static final int MAX_DATAGRAM = 65_535;
    private static final long MILLISECOND_NS = 1_000_000L;
    /** Datagrams of one engine before the others have their turn. */
    private static final int BURST = 64;

    private record Submission(
            MediaRequest request, MediaConfig.Profile profile, CompletableFuture<MediaReply> result) {}

    private volatile MediaConfig config;
    private final MediaCounts counts = new MediaCounts();
    private final NgExchange exchange;
    private final Selector selector;
    private final List<DatagramChannel> channels = new ArrayList<>();
    private final Queue<Submission> submissions = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final ByteBuffer buffer = ByteBuffer.allocate(MAX_DATAGRAM);
    private final Thread thread;
    /** The engines that were reported as silent. */
    private final BitSet silent = new BitSet();

    private volatile @Nullable Log log;
    private volatile boolean isEnded;
    private volatile int enginesUp;
    private volatile int calls;

    /**
     * Opens sockets to the engines and starts the thread.
     *
     * @throws IOException if a socket cannot be opened
     */
    public MediaRelay(MediaConfig config) throws IOException {
        this.config = config;
        String start = Long.toString(new SecureRandom().nextLong() & Long.MAX_VALUE, 36) + "_";
        exchange = new NgExchange(config, start, this::send, counts);
        enginesUp = config.engines().size();
        selector = Selector.open();
        try {
            for (MediaConfig.Engine engine : config.engines()) {
                DatagramChannel channel = DatagramChannel.open();
                channels.add(channel);
                channel.configureBlocking(false);
                channel.connect(engine.control().toInetSocketAddress());
                channel.register(selector, SelectionKey.OP_READ, channels.size() - 1);
            }
        } catch (IOException e) {
            closeAll();
            throw e;
        }
        thread = Thread.ofPlatform().name("media-relay").daemon().start(this::run);
    }

    /** Sends a command by the usual profile. */
    public CompletionStage<MediaReply> send(MediaRequest request) {
        return send(request, config.profile());
    }

    /**
     * Sends a command. The stage never completes exceptionally.
     *
     * @param profile what is made of the session description
     */
    public CompletionStage<MediaReply> send(MediaRequest request, MediaConfig.Profile profile) {
        CompletableFuture<MediaReply> result = new CompletableFuture<>();
        if (waiting.incrementAndGet() > config.limits().openCommands() || isEnded) {
            waiting.decrementAndGet();
            counts.count(MediaCounter.REFUSED);
            result.complete(
                    MediaReply.of(MediaReply.Status.REFUSED, isEnded ? "closed" : "too many commands are open"));
            return result;
        }
        submissions.add(new Submission(request, profile, result));
        selector.wakeup();
        if (isEnded) {
            refuseWaiting(); // the thread may have looked for the last time before
        }
        return result;
    }

    /** Goes on with another configuration, as far as it may change while it runs: profiles, and what to do on failure. */
    public void configure(MediaConfig changed) {
        config = changed;
    }

    private void run() {
        try {
            while (!isEnded) {
                for (Submission next = submissions.poll(); next != null; next = submissions.poll()) {
                    waiting.decrementAndGet();
                    exchange.submit(next.request, next.profile, next.result::complete, System.nanoTime());
                }
                long untilNs = exchange.poll(System.nanoTime());
                enginesUp = countUp();
                calls = exchange.calls();
                // a selector takes milliseconds, of which 0 means for ever
                selector.select(untilNs < 0 ? 0 : 1 + untilNs / MILLISECOND_NS);
                for (SelectionKey key : selector.selectedKeys()) {
                    receive((Integer) key.attachment());
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException _) {
            isEnded = true; // the selector itself is broken, which closing does too
        } finally {
            isEnded = true;
            exchange.close();
            refuseWaiting();
            closeAll();
        }
    }

    private int countUp() {
        int count = 0;
        for (int i = 0; i < channels.size(); i++) {
            boolean isUp = exchange.isUp(i);
            count += isUp ? 1 : 0;
            if (isUp == silent.get(i)) {
                silent.flip(i);
                report(config.engines().get(i), isUp);
            }
        }
        return count;
    }

    private void report(MediaConfig.Engine engine, boolean isUp) {
        Log to = log;
        if (to == null || !to.isWarning()) {
            return;
        }
        to.warning(
                "media relay " + engine.control() + (isUp ? " answers again" : " does not answer; new calls avoid it"));
    }

    private void refuseWaiting() {
        for (Submission next = submissions.poll(); next != null; next = submissions.poll()) {
            next.result.complete(MediaReply.of(MediaReply.Status.REFUSED, "closed"));
        }
    }

    private void send(int engine, byte[] datagram) {
        try {
            channels.get(engine).write(ByteBuffer.wrap(datagram));
        } catch (IOException _) {
            // as if it were lost on the way: it is sent again, and what a port answers is read below
        }
    }

    private void receive(int engine) {
        for (int i = 0; i < BURST; i++) {
            buffer.clear();
            try {
                if (channels.get(engine).read(buffer) <= 0) {
                    return;
                }
            } catch (PortUnreachableException _) {
                exchange.unreachable(engine, System.nanoTime());
                return;
            } catch (IOException _) {
                return;
            }
            exchange.received(engine, buffer.array(), buffer.position(), System.nanoTime());
        }
    }

    private void closeAll() {
        for (DatagramChannel channel : channels) {
            try {
                channel.close();
            } catch (IOException _) {
                // it is given up in any case
            }
        }
        try {
            selector.close();
        } catch (IOException _) {
            // likewise
        }
    }

    /** Reports from now on which engines do not answer, and which do again. */
    public void reportTo(Log to) {
        log = to;
    }

    /** The configuration at work. */
    public MediaConfig config() {
        return config;
    }

    /** What to do if a command fails. */
    public MediaConfig.FailurePolicy onFailure() {
        return config.onFailure();
    }

    /** Engines that answer, as far as is known. */
    public int enginesUp() {
        return enginesUp;
    }

    /** Calls whose engine is remembered. */
    public int calls() {
        return calls;
    }

    /** What was sent and answered. */
    public MediaCounts counts() {
        return counts;
    }

    /** Ends; open commands are refused. */
    @Override
    public void close() {
        isEnded = true;
        selector.wakeup();
        try {
            thread.join(10_000);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
