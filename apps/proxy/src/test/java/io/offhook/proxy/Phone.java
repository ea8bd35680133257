package io.offhook.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.Arrays;

/** A socket of a phone. */
final class Phone implements AutoCloseable {
    private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());

    Phone() throws IOException {}

    int port() {
        return socket.getLocalPort();
    }

    void send(Proxy proxy, byte[] octets) throws IOException {
        socket.send(new DatagramPacket(octets, octets.length, proxy.addresses().getFirst()));
    }

    void send(Proxy proxy, String message) throws IOException {
        send(proxy, message.getBytes(UTF_8));
    }

    /** An INVITE to a URI. */
    String invite(String uri, String callId) {
        return "INVITE " + uri + " SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:" + port() + ";branch=z9hG4bK" + callId
                + "\r\nMax-Forwards: 70\r\nFrom: <sip:alice@example.com>;tag=a\r\nTo: <" + uri + ">\r\nCall-ID: "
                + callId + "\r\nCSeq: 1 INVITE\r\nContact: <sip:alice@127.0.0.1:" + port()
                + ">\r\nContent-Length: 0\r\n\r\n";
    }

    byte[] receive() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
        socket.receive(packet);
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }

    /** The next message whose first line begins with this. */
    String receive(String start) throws IOException {
        while (true) {
            String message = new String(receive(), UTF_8);
            if (message.startsWith(start)) {
                return message;
            }
        }
    }

    /** Answers a request. */
    void answer(Proxy proxy, String request, int status) throws IOException {
        StringBuilder out = new StringBuilder("SIP/2.0 " + status + " Reason\r\n");
        request.lines()
                .filter(line -> line.matches("(Via|Record-Route|From|Call-ID|CSeq): .*"))
                .forEach(line -> out.append(line).append("\r\n"));
        request.lines()
                .filter(line -> line.startsWith("To: "))
                .forEach(line -> out.append(line).append(";tag=").append(port()).append("\r\n"));
        send(proxy, out + "Content-Length: 0\r\n\r\n");
    }

    @Override
    public void close() {
        socket.close();
    }
}
