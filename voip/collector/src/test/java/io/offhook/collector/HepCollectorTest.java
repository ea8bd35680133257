package io.offhook.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.hep.HepAgent;
import io.offhook.hep.HepPacket;
import io.offhook.hep.HepPayloadType;
import io.offhook.hep.HepTrust;
import io.offhook.hep.HepWriter;
import io.offhook.packet.Endpoint;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.IpAddress;
import io.offhook.packet.LayerType;
import io.offhook.packet.application.HepReader;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.testkit.peers.Certificates;
import io.offhook.transport.ConnectionLimits;
import io.offhook.transport.ConnectionTimeouts;
import io.offhook.transport.TlsContext;
import io.offhook.transport.TlsIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HepCollectorTest {
    private static final IpAddress LOCAL = new IpAddress(0, 0xffff_7f00_0001L);

    /** What a collector has delivered, read by the test's thread. */
    private static final class Delivered {
        final List<byte[]> packets = new ArrayList<>();
        final List<Endpoint> sources = new ArrayList<>();
        private final HepCollector collector;
        private final FrameBatch batch = new FrameBatch(64);
        private final PacketWalker walker = new PacketWalker();

        Delivered(HepCollector collector) {
            this.collector = collector;
        }

        void until(BooleanSupplier isDone) {
            while (!isDone.getAsBoolean()) {
                assertThat(take()).isTrue();
            }
        }

        void untilEnd() {
            collector.stop();
            while (take()) {
                // all that is left
            }
        }

        private boolean take() {
            boolean isMore = collector.next(batch);
            for (int i = 0; i < batch.count(); i++) {
                MemorySegment segment = batch.segmentOf(i);
                walker.walk(segment, batch.offset(i), batch.capturedLength(i), batch.wireLength(i), batch.linkType(i));
                assertThat(walker.layerType(walker.transport())).isEqualTo(LayerType.UDP);
                if (walker.layerType(walker.network()) == LayerType.IPV4) {
                    assertThat(InternetChecksum.ipv4Header(segment, batch.offset(i), 20))
                            .isEqualTo(InternetChecksum.Verdict.CORRECT);
                }
                packets.add(segment.asSlice(walker.payloadOffset(), walker.payloadLength())
                        .toArray(ValueLayout.JAVA_BYTE));
                sources.add(new Endpoint(walker.sourceHigh(), walker.sourceLow(), walker.sourcePort()));
            }
            return isMore;
        }
    }

    private static byte[] packet(String key, int number, int payloadLength) {
        byte[] payload = new byte[payloadLength];
        Arrays.fill(payload, (byte) number);
        HepPacket packet = new HepPacket()
                .source(0, LOCAL.low(), 5060)
                .destination(0, LOCAL.low(), 5061)
                .protocol(17)
                .timestampNs(1_700_000_000_000_000_000L)
                .payload(HepPayloadType.SIP, payload, 0, payload.length);
        HepWriter writer = new HepWriter(new HepAgent(number, key, ""));
        byte[] octets = new byte[writer.length(packet)];
        writer.write(packet, octets, 0);
        return octets;
    }

    private static HepCollectorOptions on(String... listeners) {
        return HepCollectorOptions.of(
                Arrays.stream(listeners).map(HepListener::parse).toList());
    }

    private static void send(DatagramSocket from, HepCollector to, byte[] octets) throws IOException {
        from.send(new DatagramPacket(octets, octets.length, to.addresses().getFirst()));
    }

    @Test
    void deliversDatagramsAsFramesFromTheAgentToTheCollector() throws IOException {
        try (HepCollector collector = HepCollector.open(on("udp:127.0.0.1:0"));
                DatagramSocket agent = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            Delivered delivered = new Delivered(collector);
            for (int i = 0; i < 100; i++) {
                send(agent, collector, packet("", i, 10 * i));
            }
            delivered.until(() -> delivered.packets.size() == 100);
            for (int i = 0; i < 100; i++) {
                assertThat(delivered.packets.get(i)).isEqualTo(packet("", i, 10 * i));
            }
            assertThat(delivered.sources).containsOnly(Endpoint.of(LOCAL, agent.getLocalPort()));
            delivered.untilEnd();
            assertThat(collector.counts().received()).isEqualTo(100);
            assertThat(collector.counts().delivered()).isEqualTo(100);
            assertThat(collector.counts().drops()).isZero();
        }
    }

    @Test
    void deliversDatagramsThatHadArrivedWhenItWasStopped() throws IOException {
        try (HepCollector collector = HepCollector.open(on("udp:127.0.0.1:0"));
                DatagramSocket agent = new DatagramSocket()) {
            for (int i = 0; i < 50; i++) {
                send(agent, collector, packet("", i, 100));
            }
            Delivered delivered = new Delivered(collector);
            delivered.untilEnd();
            assertThat(delivered.packets).hasSize(50);
        }
    }

    @Test
    void findsPacketsInAStreamHoweverItIsCut() throws IOException {
        Random random = new Random(7);
        try (HepCollector collector = HepCollector.open(on("tcp:127.0.0.1:0"));
                Socket agent = connected(collector, 0)) {
            Delivered delivered = new Delivered(collector);
            byte[] all = new byte[0];
            List<byte[]> sent = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                byte[] packet = packet("", i, random.nextInt(3000));
                sent.add(packet);
                all = Arrays.copyOf(all, all.length + packet.length);
                System.arraycopy(packet, 0, all, all.length - packet.length, packet.length);
            }
            for (int at = 0; at < all.length; ) {
                int length = Math.min(all.length - at, 1 + random.nextInt(500));
                agent.getOutputStream().write(all, at, length);
                at += length;
            }
            delivered.until(() -> delivered.packets.size() == sent.size());
            for (int i = 0; i < sent.size(); i++) {
                assertThat(delivered.packets.get(i)).isEqualTo(sent.get(i));
            }
        }
    }

    private static Socket connected(HepCollector collector, int listener) throws IOException {
        InetSocketAddress address = collector.addresses().get(listener);
        return new Socket(address.getAddress(), address.getPort());
    }

    @Test
    void receivesOverSeveralTransportsAndFamiliesAtOnce(@TempDir Path folder) throws Exception {
        Certificates.Pem pem = Certificates.selfSigned(folder, "collector", "EC", "ip:127.0.0.1");
        TlsContext tls = TlsContext.server(TlsIdentity.read(pem.certificate(), pem.key()));
        HepCollectorOptions options = HepCollectorOptions.of(
                        List.of(
                                HepListener.parse("udp:127.0.0.1:0"),
                                HepListener.parse("tls:127.0.0.1:0"),
                                HepListener.parse("tcp:[::1]:0")),
                        tls)
                .withKey("secret");
        try (HepCollector collector = HepCollector.open(options);
                DatagramSocket datagrams = new DatagramSocket();
                Socket plain = connected(collector, 2);
                Socket secured = secured(collector.addresses().get(1), pem)) {
            Delivered delivered = new Delivered(collector);
            send(datagrams, collector, packet("secret", 1, 10));
            plain.getOutputStream().write(packet("secret", 2, 20));
            secured.getOutputStream().write(packet("secret", 3, 30));
            delivered.until(() -> delivered.packets.size() == 3);
            assertThat(delivered.packets.stream().map(HepCollectorTest::agent)).containsExactlyInAnyOrder(1L, 2L, 3L);
            assertThat(delivered.packets)
                    .allSatisfy(packet -> assertThat(new String(packet, StandardCharsets.ISO_8859_1))
                            .contains("******")
                            .doesNotContain("secret"));
        }
    }

    private static Socket secured(InetSocketAddress address, Certificates.Pem pem) throws IOException {
        return HepTrust.of(pem.certificate()).getSocketFactory().createSocket(address.getAddress(), address.getPort());
    }

    private static long agent(byte[] packet) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(packet.length);
            segment.asByteBuffer().put(packet);
            HepReader reader = new HepReader();
            assertThat(reader.read(segment, 0, packet.length)).isTrue();
            return reader.agent();
        }
    }

    @Test
    void refusesPacketsWithoutTheKeyAndCountsWhy() throws IOException {
        try (HepCollector collector = HepCollector.open(on("udp:127.0.0.1:0").withKey("secret"));
                DatagramSocket agent = new DatagramSocket()) {
            Delivered delivered = new Delivered(collector);
            send(agent, collector, packet("", 1, 10));
            for (String wrong : List.of("secre", "secret2", "SECRET", "s", "x".repeat(200))) {
                send(agent, collector, packet(wrong, 2, 10));
            }
            send(agent, collector, "REGISTER sip:a SIP/2.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            send(agent, collector, new byte[0]);
            byte[] broken = packet("secret", 3, 10);
            broken[11] = 3; // a chunk shorter than its header
            send(agent, collector, broken);
            send(agent, collector, packet("secret", 4, 10));
            delivered.until(() -> !delivered.packets.isEmpty());
            assertThat(agent(delivered.packets.getFirst())).isEqualTo(4);
            HepCollectorCounts counts = collector.collected();
            assertThat(counts.wrongKey()).isEqualTo(6);
            assertThat(counts.notHep()).isEqualTo(2);
            assertThat(counts.malformed()).isEqualTo(1);
            delivered.untilEnd();
            assertThat(collector.counts().filtered()).isEqualTo(9);
            assertThat(collector.counts().received()).isEqualTo(10);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n\r\n",
                "HEP3\0\0",
                "HEP3\0\5xxxxxxx",
                "HEP2\0\20xxxxxxxxxxxx",
                "\26\3\1\2\0\1\0\1\374"
            })
    void closesAConnectionThatIsNotHep(String sent) throws IOException {
        try (HepCollector collector = HepCollector.open(on("tcp:127.0.0.1:0"));
                Socket agent = connected(collector, 0)) {
            agent.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
            assertThat(isEnded(agent)).isTrue();
            assertThat(collector.collected().connections().notHep()).isEqualTo(1);
        }
    }

    private static boolean isEnded(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException e) {
            return true; // reset
        }
    }

    @Test
    void closesAConnectionWhosePacketIsNotCompleteInTime() throws IOException {
        ConnectionTimeouts times = ConnectionTimeouts.DEFAULT;
        HepCollectorOptions options = on("tcp:127.0.0.1:0")
                .withConnections(
                        ConnectionLimits.DEFAULT,
                        new ConnectionTimeouts(
                                times.connectNs(),
                                times.handshakeNs(),
                                times.idleNs(),
                                200_000_000L,
                                1L << 40,
                                1L << 40));
        try (HepCollector collector = HepCollector.open(options);
                Socket agent = connected(collector, 0)) {
            agent.getOutputStream().write(packet("", 1, 1000), 0, 500);
            assertThat(isEnded(agent)).isTrue();
            assertThat(collector.collected().connections().slow()).isEqualTo(1);
        }
    }

    @Test
    void refusesConnectionsBeyondTheLimitOfASource() throws IOException {
        HepCollectorOptions options = on("tcp:127.0.0.1:0")
                .withConnections(ConnectionLimits.DEFAULT.withConnections(10, 2), ConnectionTimeouts.DEFAULT);
        try (HepCollector collector = HepCollector.open(options);
                Socket first = connected(collector, 0);
                Socket second = connected(collector, 0)) {
            Delivered delivered = new Delivered(collector);
            first.getOutputStream().write(packet("", 1, 10));
            second.getOutputStream().write(packet("", 2, 10));
            delivered.until(() -> delivered.packets.size() == 2); // both are open
            try (Socket third = connected(collector, 0)) {
                assertThat(isEnded(third)).isTrue();
            }
            assertThat(collector.collected().connections().refused()).isEqualTo(1);
        }
    }

    /** More than the queue holds: nothing is lost over TCP, since the agent waits. */
    @Test
    void waitsForTheReaderInsteadOfLosingWhatComesByTcp() throws Exception {
        int count = 4000;
        byte[] packet = packet("", 1, 1000);
        try (HepCollector collector = HepCollector.open(on("tcp:127.0.0.1:0").withBuffer(1 << 20));
                Socket agent = connected(collector, 0)) {
            Thread sending = Thread.ofPlatform().start(() -> {
                try {
                    OutputStream out = agent.getOutputStream();
                    for (int i = 0; i < count; i++) {
                        out.write(packet);
                    }
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            while (collector.collected().waits() == 0) {
                Thread.onSpinWait();
            }
            Delivered delivered = new Delivered(collector);
            delivered.until(() -> delivered.packets.size() == count);
            sending.join();
            assertThat(collector.collected().waits()).isPositive();
        }
    }

    @Test
    @SuppressWarnings("try") // closed by hand, which is what is tested
    void endsWhileATransportWaitsForRoom() throws Exception {
        byte[] packet = packet("", 1, 1000);
        try (HepCollector collector = HepCollector.open(on("tcp:127.0.0.1:0").withBuffer(1 << 20));
                Socket agent = connected(collector, 0)) {
            OutputStream out = agent.getOutputStream();
            Thread sending = Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        out.write(packet);
                    }
                } catch (IOException e) {
                    // closed
                }
            });
            while (collector.collected().waits() == 0) {
                Thread.onSpinWait();
            }
            collector.close();
            sending.join();
        }
    }

    /** Datagrams that the socket had no room for are the drops of the capture, by the kernel's own count. */
    @Test
    void countsDatagramsThatTheKernelDropped() throws IOException {
        int sent = 60_000;
        byte[] packet = packet("", 1, 1000);
        try (HepCollector collector = HepCollector.open(on("udp:127.0.0.1:0").withBuffer(1 << 20));
                DatagramSocket agent = new DatagramSocket()) {
            for (int i = 0; i < sent; i++) {
                send(agent, collector, packet);
            }
            Delivered delivered = new Delivered(collector);
            delivered.untilEnd();
            long drops = collector.counts().kernelDrops();
            assertThat(drops).isPositive();
            assertThat(delivered.packets.size() + drops).isEqualTo(sent);
            assertThat(collector.losses()).isNotEmpty();
        }
    }

    @Test
    void survivesRandomStreamsAndDatagrams() throws Exception {
        Random random = new Random(11);
        try (HepCollector collector = HepCollector.open(on("udp:127.0.0.1:0", "tcp:127.0.0.1:0"));
                DatagramSocket datagrams = new DatagramSocket()) {
            Delivered delivered = new Delivered(collector);
            for (int i = 0; i < 1000; i++) {
                byte[] changed = changed(packet("k", i, random.nextInt(400)), random);
                send(datagrams, collector, changed);
                if (i % 4 == 0) {
                    try (Socket agent = connected(collector, 1)) {
                        agent.getOutputStream().write(changed);
                        agent.getOutputStream().write(changed);
                        InputStream in = agent.getInputStream();
                        agent.shutdownOutput();
                        while (in.read() >= 0) {
                            // until it has closed, too
                        }
                    } catch (SocketException e) {
                        // reset, since what came was no HEP
                    }
                }
            }
            send(datagrams, collector, packet("", 4711, 1));
            delivered.until(() -> delivered.packets.stream().anyMatch(one -> Arrays.equals(one, packet("", 4711, 1))));
            HepCollectorCounts counts = collector.collected();
            assertThat(counts.connections().accepted()).isEqualTo(250);
            assertThat(counts.notHep()).isPositive();
            delivered.untilEnd();
            assertThat(collector.counts().received())
                    .isEqualTo(delivered.packets.size()
                            + counts.refused()
                            + collector.counts().drops());
        }
    }

    private static byte[] changed(byte[] packet, Random random) {
        byte[] changed = random.nextInt(4) == 0 ? Arrays.copyOf(packet, random.nextInt(packet.length)) : packet.clone();
        for (int i = random.nextInt(4); i > 0 && changed.length > 0; i--) {
            changed[random.nextInt(Math.min(changed.length, 60))] = (byte) random.nextInt(256);
        }
        return changed;
    }

    @Test
    void namesTheAddressThatIsTaken() throws IOException {
        try (DatagramSocket taken = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            assertThatThrownBy(() -> HepCollector.open(on("udp:" + address)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(address);
        }
    }

    @Test
    void readsListeners() {
        assertThat(HepListener.parse("udp:9060")).hasToString("udp:0.0.0.0:9060");
        assertThat(HepListener.parse("tcp:192.0.2.1:9060")).hasToString("tcp:192.0.2.1:9060");
        assertThat(HepListener.parse("tls:[::]:9061")).hasToString("tls:[::]:9061");
        for (String wrong : List.of(
                "",
                "9060",
                "http:9060",
                "udp:",
                "udp:x",
                "udp:70000",
                "udp:-1",
                "udp:host:9060",
                "tcp:::1:9060",
                "udp:[192.0.2.1]:1")) {
            assertThatThrownBy(() -> HepListener.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void keepsTheKeyOutOfText() {
        assertThat(on("udp:9060").withKey("secret").toString()).doesNotContain("secret");
    }
}
