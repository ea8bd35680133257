package io.offhook.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Loops with a listener on loopback, a clock that a test can put forward, and what handlers were notified of. */
final class TestServer implements AutoCloseable {
    static final long SECOND_NS = 1_000_000_000L;
    private static final int MOST_SECONDS = 20;

    /** A handler that consumes lines, and writes down what happens. */
    static class Lines implements ConnectionHandler {
        final BlockingQueue<String> events;
        private volatile @Nullable Connection connection;

        Lines(BlockingQueue<String> events) {
            this.events = events;
        }

        /** The last that was opened. */
        Connection connection() {
            return Objects.requireNonNull(connection);
        }

        @Override
        public void opened(Connection connection) {
            this.connection = connection;
            events.add("opened");
        }

        @Override
        public int received(Connection connection, byte[] octets, int offset, int length) {
            int consumed = 0;
            for (int i = 0; i < length; i++) {
                if (octets[offset + i] == '\n') {
                    line(connection, new String(octets, offset + consumed, i - consumed, StandardCharsets.US_ASCII));
                    consumed = i + 1;
                }
            }
            return consumed;
        }

        void line(Connection connection, String line) {
            events.add("line " + line);
        }

        @Override
        public void peerFinished(Connection connection) {
            events.add("peer finished");
            ConnectionHandler.super.peerFinished(connection);
        }

        @Override
        public void writable(Connection connection) {
            events.add("writable");
        }

        @Override
        public void closed(Connection connection, CloseCause cause, @Nullable String detail) {
            events.add("closed " + cause);
        }
    }

    /** Sends each line back. */
    static final class Echo extends Lines {
        Echo(BlockingQueue<String> events) {
            super(events);
        }

        @Override
        void line(Connection connection, String line) {
            connection.send((line + "\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    final ConnectionLoops loops;
    private final AtomicLong ahead = new AtomicLong();
    private @Nullable Listener listener;

    TestServer(ConnectionLimits limits, ConnectionTimeouts timeouts, int count) throws IOException {
        loops = ConnectionLoops.start("test", count, limits, timeouts, () -> System.nanoTime() + ahead.get());
    }

    TestServer() throws IOException {
        this(ConnectionLimits.DEFAULT, ConnectionTimeouts.DEFAULT, 1);
    }

    static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    }

    Listener listen(ListenSettings settings, Supplier<? extends ConnectionHandler> handlers) throws IOException {
        Listener opened = loops.listen(settings, handlers);
        listener = opened;
        return opened;
    }

    /** Listens on 127.0.0.1, with lines written down. */
    Lines listenForLines() throws IOException {
        Lines lines = new Lines(events);
        listen(ListenSettings.tcp(loopback()), () -> lines);
        return lines;
    }

    InetSocketAddress address() {
        return new InetSocketAddress(
                InetAddress.ofLiteral("127.0.0.1"), listening().port());
    }

    private Listener listening() {
        Listener opened = listener;
        if (opened == null) {
            throw new IllegalStateException("nothing listens");
        }
        return opened;
    }

    Socket client() throws IOException {
        Socket socket = new Socket();
        socket.connect(address());
        socket.setSoTimeout(MOST_SECONDS * 1000);
        return socket;
    }

    void advance(long ns) {
        ahead.addAndGet(ns);
        loops.wakeUp();
    }

    /** The next thing that a handler was notified of. */
    String event() throws InterruptedException {
        String event = events.poll(MOST_SECONDS, TimeUnit.SECONDS);
        return event == null ? "nothing happened" : event;
    }

    void expect(String... expected) throws InterruptedException {
        for (String one : expected) {
            assertThat(event()).isEqualTo(one);
        }
    }

    /** Waits until something holds. */
    static void until(Supplier<Boolean> condition) {
        long end = System.nanoTime() + MOST_SECONDS * SECOND_NS;
        while (!condition.get()) {
            assertThat(System.nanoTime()).as("it never came to hold").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        loops.close();
    }
}
