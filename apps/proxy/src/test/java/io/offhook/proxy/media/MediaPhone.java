package io.offhook.proxy.media;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.proxy.Proxy;
import io.offhook.sip.SessionDescription;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A phone that a test plays by hand: one socket for SIP, which speaks to a proxy, and one for RTP. */
final class MediaPhone implements AutoCloseable {
    private static final int PATIENCE_MS = 20_000;

    private @Nullable Proxy proxy;
    private final String tag;
    private final DatagramSocket sip = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    private final DatagramSocket rtp = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    /** What came while the test waited for something else. */
    final List<String> others = new ArrayList<>();

    private String remote = "";
    private String routes = "";
    private String target = "";
    private int branches;

    MediaPhone(String tag) throws IOException {
        this.tag = tag;
        sip.setSoTimeout(PATIENCE_MS);
    }

    /** Sends by a proxy from now on. */
    MediaPhone by(Proxy server) {
        proxy = server;
        return this;
    }

    String uri() {
        return "sip:" + tag + "@127.0.0.1:" + sip.getLocalPort();
    }

    int sipPort() {
        return sip.getLocalPort();
    }

    int rtpPort() {
        return rtp.getLocalPort();
    }

    String sdp() {
        return "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio " + rtpPort()
                + " RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\na=sendrecv\r\n";
    }

    void send(String message) throws IOException {
        byte[] octets = message.getBytes(ISO_8859_1);
        sip.send(new DatagramPacket(
                octets, octets.length, Objects.requireNonNull(proxy).addresses().getFirst()));
    }

    private String via(String address) {
        return "Via: SIP/2.0/UDP " + address + ";branch=z9hG4bK" + tag + sipPort() + "-" + branches++ + "\r\n";
    }

    private static String end(String body) {
        return (body.isEmpty() ? "" : "Content-Type: application/sdp\r\n") + "Content-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    /** An INVITE that begins a call. */
    String invite(String uri, String callId, String body) {
        return inviteFrom("127.0.0.1:" + sipPort(), uri, callId, body);
    }

    /** As above, of a phone that believes to have another address. */
    String inviteFrom(String address, String uri, String callId, String body) {
        return "INVITE " + uri + " SIP/2.0\r\n" + via(address) + "Max-Forwards: 70\r\nFrom: <" + uri() + ">;tag=" + tag
                + "\r\nTo: <" + uri + ">\r\nCall-ID: " + callId + "\r\nCSeq: 1 INVITE\r\nContact: <" + uri() + ">\r\n"
                + end(body);
    }

    /** A request of this side in the dialog that {@link #joins} knows. */
    String request(String method, int cseq, String callId, String body) {
        return method + " " + target + " SIP/2.0\r\n" + via("127.0.0.1:" + sipPort()) + routes
                + "Max-Forwards: 70\r\nFrom: <" + uri() + ">;tag=" + tag + "\r\nTo: <sip:other@example.com>;tag="
                + remote + "\r\nCall-ID: " + callId + "\r\nCSeq: " + cseq + " " + method + "\r\nContact: <" + uri()
                + ">\r\n" + end(body);
    }

    /** The CANCEL of an INVITE. */
    static String cancel(String invite) {
        return invite.substring(0, invite.indexOf("Content-")).replace("INVITE", "CANCEL") + end("");
    }

    /** A response of this side. */
    String response(String request, int status, String body) {
        StringBuilder out = new StringBuilder("SIP/2.0 " + status + " Reason\r\n");
        request.lines()
                .filter(line -> line.matches("(Via|Record-Route|From|Call-ID|CSeq): .*"))
                .forEach(line -> out.append(line).append("\r\n"));
        String to = header(request, "To");
        out.append("To: ").append(to).append(to.contains(";tag=") ? "" : ";tag=" + tag);
        return out + "\r\nContact: <" + uri() + ">\r\n" + end(body);
    }

    /** Learns the dialog from what its other side sent: an INVITE, or the response to one. */
    void joins(String message) {
        boolean isRequest = !message.startsWith("SIP/2.0");
        String other = header(message, isRequest ? "From" : "To");
        remote = other.substring(other.indexOf(";tag=") + 5);
        List<String> recorded = message.lines()
                .filter(line -> line.startsWith("Record-Route: "))
                .map(line -> line.replace("Record-Route", "Route") + "\r\n")
                .toList();
        routes = String.join("", isRequest ? recorded : recorded.reversed());
        target = header(message, "Contact").replaceAll("[<>]", "");
    }

    static String header(String message, String name) {
        return message.lines()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " in " + message));
    }

    static String body(String message) {
        String body = message.substring(message.indexOf("\r\n\r\n") + 4);
        assertThat(header(message, "Content-Length")).isEqualTo(Integer.toString(body.length()));
        return body;
    }

    /** The port of the audio in a message, at 127.0.0.1. */
    static int audio(String message) {
        byte[] sdp = body(message).getBytes(ISO_8859_1);
        return Objects.requireNonNull(
                        SessionDescription.parse(sdp, 0, sdp.length).firstMedia("audio"))
                .port();
    }

    /** The next message of any kind. */
    String receive() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[8192], 8192);
        sip.receive(packet);
        return new String(packet.getData(), 0, packet.getLength(), ISO_8859_1);
    }

    /** The next message whose first line begins with this; those before it are kept. */
    String receive(String start) throws IOException {
        while (true) {
            String message = receive();
            if (message.startsWith(start)) {
                return message;
            }
            others.add(message.substring(0, message.indexOf("\r\n")));
        }
    }

    /** RTP to a port at the relay arrives at another phone, from the port that that one was given. */
    void assertHeard(int toPort, MediaPhone other, int fromPort) throws IOException {
        byte[] packet = new byte[172];
        packet[0] = (byte) 0x80;
        packet[11] = (byte) branches++;
        DatagramPacket received = new DatagramPacket(new byte[500], 500);
        other.rtp.setSoTimeout(200);
        for (int i = 0; i < 100; i++) {
            packet[3] = (byte) i;
            rtp.send(new DatagramPacket(packet, packet.length, InetAddress.getLoopbackAddress(), toPort));
            try {
                other.rtp.receive(received);
                if (received.getData()[11] == packet[11]) {
                    assertThat(received.getPort()).isEqualTo(fromPort);
                    return;
                }
            } catch (SocketTimeoutException _) {
                // the next one
            }
        }
        throw new AssertionError("of 100 packets to port " + toPort + " none arrived");
    }

    @Override
    public void close() {
        sip.close();
        rtp.close();
    }
}
