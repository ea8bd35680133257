package io.offhook.testkit.peers;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of 127.0.0.1 for programs that must be given a number. They lie below those that Linux picks for clients (from 32768,
 * {@code net.ipv4.ip_local_port_range}), so that no connection can take one before the program has bound it; each is free over UDP and
 * TCP, and is given once in a process. The first one is drawn by lot for the sake of other processes that do the same.
 */
public final class LoopbackPorts {
    private static final int FIRST = 12_000;
    private static final int END = 32_000;

    private static int next = ThreadLocalRandom.current().nextInt(FIRST, END);

    private LoopbackPorts() {}

    /** A free one. */
    public static int free() throws IOException {
        return free(1);
    }

    /**
     * The first of some that follow one another, and begin with an even one, as RTP likes it.
     *
     * @param count from 1 to 1,000
     * @throws BindException if there are none
     */
    public static synchronized int free(int count) throws IOException {
        for (int tried = 0; tried < END - FIRST; tried += count) {
            int first = next + 1 & ~1;
            if (first + count > END) {
                first = FIRST;
            }
            next = first + count;
            if (areFree(first, count)) {
                return first;
            }
        }
        throw new BindException("No " + count + " free ports in a row from " + FIRST + " to " + END);
    }

    private static boolean areFree(int first, int count) throws IOException {
        for (int port = first; port < first + count; port++) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            try (DatagramSocket _ = new DatagramSocket(address);
                    ServerSocket listener = new ServerSocket()) {
                listener.setReuseAddress(false); // one that still waits for late segments is not free
                listener.bind(address);
            } catch (BindException _) {
                return false;
            }
        }
        return true;
    }
}
