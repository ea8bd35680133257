package io.offhook.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A UDP port of 127.0.0.1 behind which nobody answers, and which keeps what comes. */
final class SilentPeer implements AutoCloseable {
    private static final int PATIENCE_MS = 60_000;

    private final DatagramSocket socket;

    SilentPeer() throws IOException {
        socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    int port() {
        return socket.getLocalPort();
    }

    /** What has come so far, and was not taken yet. */
    List<Sipp.Message> received() throws IOException {
        List<Sipp.Message> received = new ArrayList<>();
        socket.setSoTimeout(1);
        while (true) {
            try {
                received.add(next());
            } catch (SocketTimeoutException e) {
                return received;
            }
        }
    }

    /** Waits for the next message. */
    Sipp.Message await() throws IOException {
        socket.setSoTimeout(PATIENCE_MS);
        return next();
    }

    private Sipp.Message next() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
        socket.receive(packet);
        return new Sipp.Message(
                false, new String(packet.getData(), 0, packet.getLength(), StandardCharsets.ISO_8859_1));
    }

    /** Sends a text with the line ends of SIP to a port of 127.0.0.1. */
    void send(int port, String... lines) throws IOException {
        byte[] octets = (String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
        socket.send(new DatagramPacket(octets, octets.length, InetAddress.getLoopbackAddress(), port));
    }

    /** Asserts that all that came is one message, repeated at least so often. */
    void assertRepeated(int least) throws IOException {
        List<Sipp.Message> all = received();
        assertThat(all).hasSizeGreaterThanOrEqualTo(least);
        assertThat(all.stream().distinct()).hasSize(1);
    }

    @Override
    public void close() {
        socket.close();
    }
}
