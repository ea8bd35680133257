package io.offhook.bench.connections;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Sends each frame back: {@code EchoServer loops|channels|threads THREADS}. Prints its port; ends with its input. */
public final class EchoServer {
    /** A server that listens on loopback. */
    interface Running extends Closeable {
        int port();
    }

    private EchoServer() {}

    static Running start(String kind, int threads) throws IOException {
        return switch (kind) {
            case "loops" -> new EchoLoops(threads);
            case "channels" -> new EchoChannels(threads);
            case "threads" -> new EchoThreads();
            default -> throw new IllegalArgumentException("kind " + kind + " is not loops, channels or threads");
        };
    }

    static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    }

    /** Starts a server. */
    public static void main(String[] args) throws IOException {
        try (Running server = start(args[0], Integer.parseInt(args[1]))) {
            System.out.println(server.port());
            while (System.in.read() >= 0) {
                // until the end of the input
            }
        }
    }
}
