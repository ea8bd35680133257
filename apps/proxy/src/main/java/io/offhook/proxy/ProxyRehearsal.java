package io.offhook.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.offhook.proxy.lane.ProxyLane;
import io.offhook.proxy.limit.OverloadConfig;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;

/**
 * Calls through a second proxy on loopback, before the real one opens its listeners: what every call needs is compiled by then,
 * so that the first thousand calls a second are not the slowest. Some are refused: the code for that would otherwise be compiled
 * at the first overload, when there is no processor to spare. Nobody else sees it, and what it leaves is garbage.
 */
public final class ProxyRehearsal {
    /** Calls at once. */
    private static final int WINDOW = 32;

    /** Calls after which the compilers have seen enough. */
    private static final int ENOUGH = 4000;

    /** Of so many calls, a quarter are refused, then the others are not. */
    private static final int ROUND = 1000;

    private static final int REFUSED = ROUND / 4;

    private static final int MOST_LENGTH = 4096;
    private static final int SILENCE_MS = 200;

    private final Proxy proxy;
    private final boolean mayRefuse;
    private final DatagramSocket socket;
    private final InetSocketAddress to;
    private final String own;
    private int begun;
    private int ended;

    private ProxyRehearsal(Proxy proxy, boolean mayRefuse, DatagramSocket socket) {
        this.proxy = proxy;
        this.mayRefuse = mayRefuse;
        this.socket = socket;
        to = proxy.addresses().getFirst();
        own = "127.0.0.1:" + socket.getLocalPort();
    }

    /**
     * Makes calls for a time, or until they are enough.
     *
     * @param config how the proxy will handle requests
     * @param forNs how long at most, in ns
     * @return the calls that ended, refused ones among them; 0 if there is no loopback to make them on
     */
    public static int run(ProxyConfig config, long forNs) {
        ProxyConfig like = ProxyConfig.reader()
                .read("""
                        listeners: [{name: rehearsal, transport: udp, address: 127.0.0.1, port: 0}]
                        lanes: %d
                        relay: {allow: [127.0.0.0/8]}
                        sip: {record-route: %s}
                        control: {enabled: false}
                        overload: {enabled: false}
                        shutdown-grace: 0s
                        """.formatted(config.lanes(), config.sip().recordsRoute()), "rehearsal");
        try (Proxy proxy = Proxy.open(like, _ -> {});
                DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            ProxyRehearsal rehearsal =
                    new ProxyRehearsal(proxy, config.overload().isEnabled(), socket);
            rehearsal.call(System.nanoTime() + forNs);
            proxy.closeNow();
            return rehearsal.ended;
        } catch (IOException e) {
            // then the first calls are slower
            return 0;
        }
    }

    private void call(long untilNs) throws IOException {
        socket.setSoTimeout(SILENCE_MS);
        DatagramPacket packet = new DatagramPacket(new byte[MOST_LENGTH], MOST_LENGTH);
        refuse(mayRefuse);
        for (int i = 0; i < WINDOW; i++) {
            invite();
        }
        while (ended < ENOUGH && System.nanoTime() < untilNs) {
            try {
                packet.setLength(MOST_LENGTH);
                socket.receive(packet);
            } catch (SocketTimeoutException e) {
                invite(); // whatever was lost, it goes on
                continue;
            }
            received(new String(packet.getData(), 0, packet.getLength(), UTF_8));
        }
    }

    private void received(String message) throws IOException {
        if (message.startsWith("INVITE ")) {
            send(answer(message, "180 Ringing"));
            send(answer(message, "200 OK"));
        } else if (message.startsWith("BYE ")) {
            send(answer(message, "200 OK"));
        } else if (message.startsWith("SIP/2.0 200") && message.contains(" INVITE\r\n")) {
            send(inDialog("ACK", 1, message));
            send(inDialog("BYE", 2, message));
        } else if (message.startsWith("SIP/2.0 200")) {
            next();
        } else if (message.startsWith("SIP/2.0 503")) {
            send(acknowledgement(message));
            next();
        }
    }

    private void next() throws IOException {
        ended++;
        if (mayRefuse && ended % REFUSED == 0) {
            refuse(ended % ROUND == 0);
        }
        invite();
    }

    /** Lets the lanes refuse each call, as if it had waited for too long, or none. */
    private void refuse(boolean each) {
        OverloadConfig overload = new OverloadConfig(each, 1, 1, 1);
        for (ProxyLane lane : proxy.lanes().lanes()) {
            lane.execute(_ -> lane.overload().reload(overload));
        }
    }

    private void invite() throws IOException {
        int number = begun++;
        send("INVITE sip:rehearsal@" + own + " SIP/2.0\r\nVia: SIP/2.0/UDP " + own + ";branch=z9hG4bKi" + number
                + "\r\nMax-Forwards: 70\r\nFrom: <sip:caller@" + own + ">;tag=c" + number + "\r\nTo: <sip:rehearsal@"
                + own + ">\r\nCall-ID: rehearsal-" + number + "\r\nCSeq: 1 INVITE\r\nContact: <sip:caller@" + own
                + ">\r\nUser-Agent: rehearsal\r\nContent-Length: 0\r\n\r\n");
    }

    private String answer(String request, String status) {
        StringBuilder out = new StringBuilder("SIP/2.0 ").append(status).append("\r\n");
        for (String line : request.split("\r\n", -1)) {
            if (line.startsWith("To: ")) {
                out.append(line)
                        .append(line.contains(";tag=") ? "" : ";tag=callee")
                        .append("\r\n");
            } else if (line.startsWith("Via: ")
                    || line.startsWith("Record-Route: ")
                    || line.startsWith("From: ")
                    || line.startsWith("Call-ID: ")
                    || line.startsWith("CSeq: ")) {
                out.append(line).append("\r\n");
            }
        }
        return out.append("Contact: <sip:rehearsal@")
                .append(own)
                .append(">\r\nContent-Length: 0\r\n\r\n")
                .toString();
    }

    /** Of a refusal: with the Via of its INVITE. */
    private String acknowledgement(String refusal) {
        StringBuilder out = new StringBuilder("ACK sip:rehearsal@" + own + " SIP/2.0\r\nMax-Forwards: 70\r\n");
        for (String line : refusal.split("\r\n", -1)) {
            if (line.startsWith("CSeq: ")) {
                out.append("CSeq: 1 ACK\r\n");
            } else if (line.startsWith("Via: ")
                    || line.startsWith("From: ")
                    || line.startsWith("To: ")
                    || line.startsWith("Call-ID: ")) {
                out.append(line).append("\r\n");
            }
        }
        return out.append("Content-Length: 0\r\n\r\n").toString();
    }

    private String inDialog(String method, int cseq, String ok) {
        StringBuilder out = new StringBuilder(method)
                .append(" sip:rehearsal@")
                .append(own)
                .append(" SIP/2.0\r\nVia: SIP/2.0/UDP ")
                .append(own)
                .append(";branch=z9hG4bK")
                .append(method)
                .append(begun)
                .append('-')
                .append(ended)
                .append(ok.hashCode())
                .append("\r\nMax-Forwards: 70\r\nCSeq: ")
                .append(cseq)
                .append(' ')
                .append(method)
                .append("\r\n");
        for (String line : ok.split("\r\n", -1)) {
            if (line.startsWith("Record-Route: ")) {
                out.append("Route")
                        .append(line, "Record-Route".length(), line.length())
                        .append("\r\n");
            } else if (line.startsWith("From: ") || line.startsWith("To: ") || line.startsWith("Call-ID: ")) {
                out.append(line).append("\r\n");
            }
        }
        return out.append("Content-Length: 0\r\n\r\n").toString();
    }

    private void send(String message) throws IOException {
        byte[] octets = message.getBytes(UTF_8);
        socket.send(new DatagramPacket(octets, octets.length, to));
    }
}
