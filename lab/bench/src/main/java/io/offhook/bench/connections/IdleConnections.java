package io.offhook.bench.connections;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What an idle connection costs the heap: {@code IdleConnections COUNT} accepts so many from a process that it starts,
 * {@code IdleConnections COUNT PORT}, each after one frame, and prints the bytes of heap for each. The count is limited by
 * the descriptors that a process may have.
 */
public final class IdleConnections {
    private IdleConnections() {}

    /** Measures, or is what it measures with. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int count = Integer.parseInt(args[0]);
        if (args.length > 1) {
            connect(count, Integer.parseInt(args[1]));
            return;
        }
        try (EchoLoops server = new EchoLoops(1)) {
            long before = usedBytes();
            Process clients = new ProcessBuilder(
                            System.getProperty("java.home") + "/bin/java",
                            "-cp",
                            System.getProperty("java.class.path"),
                            IdleConnections.class.getName(),
                            args[0],
                            String.valueOf(server.port()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            clients.getInputStream().read(); // they have all got their frame back
            System.out.printf(
                    Locale.ROOT,
                    "%d connections, %d bytes of heap each%n",
                    server.openConnections(),
                    (usedBytes() - before) / count);
            clients.getOutputStream().close();
            clients.waitFor();
        }
    }

    private static void connect(int count, int port) throws IOException {
        List<SocketChannel> channels = new ArrayList<>();
        ByteBuffer frame = ByteBuffer.wrap(EchoFrames.frame(500));
        for (int i = 0; i < count; i++) {
            // from several addresses, as one has too few ports for many
            SocketChannel channel = SocketChannel.open();
            channel.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.1." + (1 + i % 200)), 0));
            channel.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
            channel.write(frame.rewind());
            frame.rewind();
            while (frame.hasRemaining() && channel.read(frame) >= 0) {
                // all of it
            }
            channels.add(channel);
        }
        System.out.println(channels.size());
        while (System.in.read() >= 0) {
            // until it has been measured
        }
    }

    private static long usedBytes() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(100);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
