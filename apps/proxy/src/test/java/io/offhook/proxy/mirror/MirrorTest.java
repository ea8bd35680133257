package io.offhook.proxy.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.hep.HepAgent;
import io.offhook.hep.HepSender;
import io.offhook.hep.HepTarget;
import io.offhook.packet.application.HepReader;
import io.offhook.proxy.Proxy;
import io.offhook.proxy.ProxyConfig;
import io.offhook.proxy.statistics.CauseFigure;
import io.offhook.proxy.tap.TappedLane;
import io.offhook.testkit.peers.LoopbackPorts;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a collector gets of a proxy, between sockets that a test plays by hand. */
@Timeout(60)
class MirrorTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @AfterEach
    void nothingFailed() {
        assertThat(failures).isEmpty();
    }

    private Proxy open(String hep) throws IOException {
        return Proxy.open(ProxyConfig.reader().read("""
                        listeners:
                          - {name: udp, address: 127.0.0.1, port: 0}
                          - {name: tcp, transport: tcp, address: 127.0.0.1, port: 0}
                        lanes: 2
                        relay: {allow: [127.0.0.0/8]}
                        shutdown-grace: 0s
                        hep: {host: 127.0.0.1, %s}
                        """.formatted(hep), "test.yaml"), failures::add);
    }

    private static DatagramSocket datagrams() throws IOException {
        return new DatagramSocket(new InetSocketAddress(LOOPBACK, 0));
    }

    private static byte[] options(String transport, int port, int toPort, String callId) {
        return ("OPTIONS sip:bob@127.0.0.1:" + toPort + " SIP/2.0\r\nVia: SIP/2.0/" + transport + " 127.0.0.1:" + port
                        + ";branch=z9hG4bK" + callId + "\r\nMax-Forwards: 70\r\nFrom: <sip:alice@example.com>;tag=a"
                        + "\r\nTo: <sip:bob@example.com>\r\nCall-ID: " + callId + "\r\nCSeq: 1 OPTIONS\r\n"
                        + "Content-Length: 0\r\n\r\n")
                .getBytes(UTF_8);
    }

    /** A packet of the collector: "FROM > TO PROTOCOL: first line". */
    private static String text(byte[] packet) {
        MemorySegment segment = MemorySegment.ofArray(packet);
        HepReader reader = new HepReader();
        assertThat(reader.read(segment, 0, packet.length)).isTrue();
        String payload = new String(packet, (int) reader.payloadOffset(), reader.payloadLength(), UTF_8);
        return reader.source() + " > " + reader.destination() + " " + reader.protocol() + ": "
                + payload.substring(0, payload.indexOf('\r'));
    }

    private static String receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
        socket.receive(packet);
        return text(Arrays.copyOf(packet.getData(), packet.getLength()));
    }

    private static Map<String, Long> figures(Proxy proxy) {
        return proxy.statistics().snapshot().causes().stream()
                .filter(figure -> figure.group().equals("mirror"))
                .collect(Collectors.toMap(CauseFigure::cause, CauseFigure::count));
    }

    private static void await(Proxy proxy, String cause) throws InterruptedException {
        while (figures(proxy).getOrDefault(cause, 0L) == 0) {
            TimeUnit.MILLISECONDS.sleep(5); // the sender has a thread of its own
        }
    }

    @Test
    void mirrorsTheHopsOfStreamsAndDatagramsAlike() throws IOException {
        try (DatagramSocket collector = datagrams();
                DatagramSocket bob = datagrams();
                Proxy proxy = open("port: " + collector.getLocalPort());
                Socket alice = new Socket(LOOPBACK, proxy.addresses().get(1).getPort())) {
            alice.getOutputStream().write(options("TCP", alice.getLocalPort(), bob.getLocalPort(), "stream"));
            String udp = "127.0.0.1:" + proxy.addresses().getFirst().getPort();
            String tcp = "127.0.0.1:" + proxy.addresses().get(1).getPort();
            String first = " OPTIONS sip:bob@127.0.0.1:" + bob.getLocalPort() + " SIP/2.0";
            assertThat(receive(collector)).isEqualTo("127.0.0.1:" + alice.getLocalPort() + " > " + tcp + " 6:" + first);
            assertThat(receive(collector)).isEqualTo(udp + " > 127.0.0.1:" + bob.getLocalPort() + " 17:" + first);
        }
    }

    @Test
    void mirrorsARequestWithAFaultAndItsAnswer() throws IOException {
        try (DatagramSocket collector = datagrams();
                DatagramSocket alice = datagrams();
                Proxy proxy = open("port: " + collector.getLocalPort())) {
            byte[] request = new String(options("UDP", alice.getLocalPort(), 9, "fault"), UTF_8)
                    .replace("CSeq: 1 OPTIONS", "CSeq: 1 INFO")
                    .getBytes(UTF_8);
            alice.send(new DatagramPacket(
                    request, request.length, proxy.addresses().getFirst()));
            assertThat(receive(collector)).contains(" 17: OPTIONS sip:bob@127.0.0.1:9 SIP/2.0");
            assertThat(receive(collector)).contains(" 17: SIP/2.0 400 ");
        }
    }

    @Test
    void sendsToACollectorWithTcp() throws IOException {
        try (ServerSocket collector = new ServerSocket(0, 1, LOOPBACK);
                DatagramSocket alice = datagrams();
                DatagramSocket bob = datagrams();
                Proxy proxy = open("transport: tcp, port: " + collector.getLocalPort());
                Socket accepted = collector.accept()) {
            byte[] request = options("UDP", alice.getLocalPort(), bob.getLocalPort(), "one");
            alice.send(new DatagramPacket(
                    request, request.length, proxy.addresses().getFirst()));
            DataInputStream in = new DataInputStream(accepted.getInputStream());
            for (String end : new String[] {
                " > 127.0.0.1:" + proxy.addresses().getFirst().getPort(), " > 127.0.0.1:" + bob.getLocalPort()
            }) {
                byte[] begin = in.readNBytes(6);
                int length = (begin[4] & 0xff) << 8 | begin[5] & 0xff;
                byte[] packet = Arrays.copyOf(begin, length);
                in.readFully(packet, 6, length - 6);
                assertThat(text(packet)).contains(end);
            }
        }
    }

    /** Nobody listens there: the ring fills, and messages pass all the same. */
    @Test
    void messagesPassAndDropsAreCountedWithoutACollector() throws Exception {
        int port = LoopbackPorts.free();
        try (DatagramSocket alice = datagrams();
                DatagramSocket bob = datagrams();
                Proxy proxy = open("transport: tcp, queue: 64KiB, port: " + port)) {
            int requests = 400; // of 300 bytes and more, received and sent: more than both rings hold
            DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
            for (int i = 0; i < requests; i++) {
                byte[] request = options("UDP", alice.getLocalPort(), bob.getLocalPort(), "drop" + i);
                alice.send(new DatagramPacket(
                        request, request.length, proxy.addresses().getFirst()));
                bob.receive(packet);
            }
            await(proxy, "connect_failed");
            assertThat(figures(proxy).get("queue_full")).isPositive();
            assertThat(figures(proxy).get("sent")).isZero();
        }
    }

    @Test
    void copyingAMessageAllocatesNothing() throws IOException {
        try (DatagramSocket collector = datagrams();
                HepSender sender = new HepSender(
                        new HepTarget("127.0.0.1", collector.getLocalPort(), HepTarget.HepTransport.UDP),
                        new HepAgent(1, "", ""),
                        1 << 16,
                        null)) {
            TappedLane lane = new TappedLane(new MessageMirror(sender.feed()), InstantSource.system());
            byte[] message = options("UDP", 5060, 5061, "one");
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            int messages = 20_000;
            long allocated = Long.MAX_VALUE;
            for (int run = 0; run < 3; run++) { // until it is compiled
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < messages; i++) {
                    lane.received(message, TappedLane.ALICE);
                    lane.sent(message, TappedLane.BOB);
                }
                allocated = threads.getCurrentThreadAllocatedBytes() - before;
            }
            assertThat(allocated).isLessThan(messages);
        }
    }

    @Test
    void withoutACollectorNothingIsCountedAndNoThreadRuns() throws IOException {
        try (Proxy proxy = Proxy.open(
                ProxyConfig.reader().read("listeners: [{name: udp, address: 127.0.0.1, port: 0}]", "test.yaml"),
                failures::add)) {
            assertThat(figures(proxy)).isEmpty();
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().equals("hep-sender"));
        }
    }
}
