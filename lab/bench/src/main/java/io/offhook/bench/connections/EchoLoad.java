package io.offhook.bench.connections;

import io.offhook.transport.CloseCause;
import io.offhook.transport.ConnectSettings;
import io.offhook.transport.Connection;
import io.offhook.transport.ConnectionHandler;
import io.offhook.transport.ConnectionLimits;
import io.offhook.transport.ConnectionLoops;
import io.offhook.transport.ConnectionTimeouts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Loads a server: {@code EchoLoad PORT CONNECTIONS WARM-UP-SECONDS SECONDS}. On each connection a frame of 500 bytes is
 * sent, and the next one when it is back. Prints frames a second, and the 50th, 99th and 99.9th percentile of the time of a
 * frame in microseconds.
 */
public final class EchoLoad {
    private static final int PAYLOAD_BYTES = 500;
    private static final int MOST_MICROSECONDS = 1_000_000;

    /** How many frames took so many microseconds; the last place has all that took longer. */
    private final AtomicIntegerArray times = new AtomicIntegerArray(MOST_MICROSECONDS + 1);

    private final AtomicInteger failed = new AtomicInteger();
    private volatile boolean isMeasuring;

    private EchoLoad() {}

    /** Loads a server. */
    public static void main(String[] args) throws IOException, InterruptedException {
        EchoLoad load = new EchoLoad();
        ConnectionLimits limits = ConnectionLimits.DEFAULT.withConnections(100_000, 100_000);
        int threads = Runtime.getRuntime().availableProcessors();
        try (ConnectionLoops loops = ConnectionLoops.start("load", threads, limits, ConnectionTimeouts.DEFAULT)) {
            InetSocketAddress server =
                    new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), Integer.parseInt(args[0]));
            for (int i = 0; i < Integer.parseInt(args[1]); i++) {
                loops.connect(ConnectSettings.tcp(server), load.new Client());
            }
            Thread.sleep(1000L * Integer.parseInt(args[2]));
            load.isMeasuring = true;
            Thread.sleep(1000L * Integer.parseInt(args[3]));
            load.isMeasuring = false;
            System.out.println(load.result(Integer.parseInt(args[3])));
        }
    }

    private String result(int seconds) {
        long[] upTo = new long[times.length()];
        Arrays.setAll(upTo, times::get);
        Arrays.parallelPrefix(upTo, Long::sum);
        long all = upTo[MOST_MICROSECONDS];
        return String.format(
                Locale.ROOT,
                "%d %d %d %d %d",
                all / seconds,
                percentile(upTo, all * 500 / 1000),
                percentile(upTo, all * 990 / 1000),
                percentile(upTo, all * 999 / 1000),
                failed.get());
    }

    private static int percentile(long[] upTo, long rank) {
        int at = Arrays.binarySearch(upTo, rank);
        return at < 0 ? -at - 1 : at;
    }

    private final class Client implements ConnectionHandler {
        private final byte[] frame = EchoFrames.frame(PAYLOAD_BYTES);
        private long sentNs;

        @Override
        public void opened(Connection connection) {
            send(connection);
        }

        private void send(Connection connection) {
            sentNs = System.nanoTime();
            connection.send(frame);
        }

        @Override
        public int received(Connection connection, byte[] octets, int offset, int length) {
            int complete = EchoFrames.complete(octets, offset, length);
            if (complete > 0) {
                if (isMeasuring) {
                    long microseconds = (System.nanoTime() - sentNs) / 1000;
                    times.incrementAndGet((int) Math.min(microseconds, MOST_MICROSECONDS));
                }
                send(connection);
            }
            return complete;
        }

        @Override
        public void closed(Connection connection, CloseCause cause, @Nullable String detail) {
            if (cause != CloseCause.SHUTDOWN) {
                failed.incrementAndGet();
            }
        }
    }
}
