package io.offhook.hep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.testkit.peers.Program;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HepSenderTest {
    private static final HepAgent AGENT = new HepAgent(1, "", "");
    private static final int RING = 1 << 14;

    private static SSLContext tls;

    private static HepPacket packet(int number) {
        byte[] payload = ("OPTIONS sip:" + number + " SIP/2.0\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        return new HepPacket().payload(HepPayloadType.SIP, payload, 0, payload.length);
    }

    private static byte[] octets(int number) {
        HepWriter writer = new HepWriter(AGENT);
        byte[] octets = new byte[writer.length(packet(number))];
        writer.write(packet(number), octets, 0);
        return octets;
    }

    private static HepSender sender(int port, HepTarget.HepTransport transport) {
        return new HepSender(new HepTarget("127.0.0.1", port, transport), AGENT, RING, null);
    }

    /** Accepting ends, as the time-out of a test does not end it. */
    private static ServerSocket listening(ServerSocket collector) throws IOException {
        collector.setSoTimeout(50_000);
        return collector;
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            assertThat(Thread.currentThread().isInterrupted()).as("timed out").isFalse();
            LockSupport.parkNanos(1_000_000); // what is waited for is another thread's; the time-out ends it
        }
    }

    private static byte[] next(DataInputStream in) throws IOException {
        byte[] start = new byte[6];
        in.readFully(start);
        int length = (start[4] & 0xff) << 8 | start[5] & 0xff;
        byte[] whole = java.util.Arrays.copyOf(start, length);
        in.readFully(whole, 6, length - 6);
        return whole;
    }

    @Test
    void sendsDatagramsOfAllFeeds() throws Exception {
        try (DatagramSocket collector = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                HepSender sender = sender(collector.getLocalPort(), HepTarget.HepTransport.UDP)) {
            HepFeed one = sender.feed();
            HepFeed other = sender.feed();
            one.offer(packet(1));
            DatagramPacket received = new DatagramPacket(new byte[2000], 2000);
            collector.receive(received);
            assertThat(java.util.Arrays.copyOf(received.getData(), received.getLength()))
                    .isEqualTo(octets(1));
            other.offer(packet(2));
            received.setLength(2000);
            collector.receive(received);
            assertThat(java.util.Arrays.copyOf(received.getData(), received.getLength()))
                    .isEqualTo(octets(2));
            await(() -> sender.sent() == 2);
        }
    }

    @Test
    void sendsOverTcpInOrderAndEndsAfterWhatWaits() throws Exception {
        try (ServerSocket collector = listening(new ServerSocket(0, 5, InetAddress.getLoopbackAddress()))) {
            HepSender sender = sender(collector.getLocalPort(), HepTarget.HepTransport.TCP);
            HepFeed feed = sender.feed();
            try (Socket socket = collector.accept()) {
                for (int i = 0; i < 50; i++) {
                    assertThat(feed.offer(packet(i))).isTrue();
                }
                Thread closer = Thread.ofVirtual().start(() -> sender.close(20_000));
                DataInputStream in = new DataInputStream(socket.getInputStream());
                for (int i = 0; i < 50; i++) {
                    assertThat(next(in)).isEqualTo(octets(i));
                }
                assertThat(in.read()).as("closed once all is sent").isEqualTo(-1);
                closer.join();
            }
            assertThat(sender.sent()).isEqualTo(50);
        }
    }

    @Test
    void dropsAndCountsWhileThereIsNoCollectorAndSendsTheRestLater() throws Exception {
        // bound, but not listening: connections are refused, and nobody else gets the port
        Socket reserved = new Socket();
        reserved.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        int port = reserved.getLocalPort();
        try (HepSender sender = sender(port, HepTarget.HepTransport.TCP)) {
            HepFeed feed = sender.feed();
            int kept = 0;
            while (feed.offer(packet(kept))) {
                kept++;
            }
            assertThat(sender.dropped()).isEqualTo(1);
            await(() -> sender.refusals() > 0);
            reserved.close();
            try (ServerSocket collector = new ServerSocket(port, 5, InetAddress.getLoopbackAddress());
                    Socket socket = collector.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                for (int i = 0; i < kept; i++) {
                    assertThat(next(in)).isEqualTo(octets(i));
                }
            }
        }
    }

    @Test
    void connectsAgainAndSendsThePacketThatFailedOnTheNewConnection() throws Exception {
        try (ServerSocket collector = listening(new ServerSocket(0, 5, InetAddress.getLoopbackAddress()));
                HepSender sender = sender(collector.getLocalPort(), HepTarget.HepTransport.TCP)) {
            HepFeed feed = sender.feed();
            try (Socket first = collector.accept()) {
                await(() -> sender.connects() == 1); // it breaks afterwards, not on the way
                first.setSoLinger(true, 0); // RST
            }
            int[] number = {0};
            await(() -> {
                feed.offer(packet(number[0]++));
                return sender.failed() > 0;
            });
            try (Socket second = collector.accept()) {
                byte[] octets = next(new DataInputStream(second.getInputStream()));
                String text = new String(octets, StandardCharsets.US_ASCII);
                assertThat(text).startsWith("HEP3").endsWith(" SIP/2.0\r\n\r\n");
            }
            await(() -> sender.connects() >= 2);
        }
    }

    @Test
    void neitherBlocksItsCallersNorItsEndWhereTheCollectorDoesNotRead() throws Exception {
        try (ServerSocket collector = new ServerSocket()) {
            collector.setReceiveBufferSize(4096); // so that it is full soon
            collector.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            HepSender sender = new HepSender(
                    new HepTarget("127.0.0.1", collector.getLocalPort(), HepTarget.HepTransport.TCP),
                    AGENT,
                    1 << 22,
                    null);
            HepFeed feed = sender.feed();
            try (Socket silent = collector.accept()) {
                await(() -> {
                    while (feed.offer(packet(0))) {
                        // until the ring is full
                    }
                    return isStuck(sender) && !feed.offer(packet(0));
                });
                sender.close(1);
                assertThat(silent.isClosed()).isFalse();
            }
            assertThat(sender.dropped()).isPositive();
        }
    }

    /** Nothing was sent for a while, although the ring is full. */
    private static boolean isStuck(HepSender sender) {
        long before = sender.sent();
        LockSupport.parkNanos(50_000_000);
        return sender.sent() == before;
    }

    @Test
    void countsDatagramsThatNobodyTakes() throws Exception {
        // connected to somebody else, so that it takes nothing of us, and nobody else gets the port
        try (DatagramSocket reserved = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            reserved.connect(InetAddress.getLoopbackAddress(), 9);
            countsFailuresAt(reserved.getLocalPort());
        }
    }

    private static void countsFailuresAt(int port) {
        try (HepSender sender = sender(port, HepTarget.HepTransport.UDP)) {
            HepFeed feed = sender.feed();
            await(() -> {
                feed.offer(packet(1));
                return sender.failed() > 0;
            });
        }
    }

    @Test
    void waitsLongerAfterEachFailureUpToHalfAMinute() {
        HepBackOff backOff = new HepBackOff();
        long nowNs = 5;
        assertThat(backOff.isOver(nowNs)).isTrue();
        long[] waitsMs = {100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000};
        for (long waitMs : waitsMs) {
            backOff.failed(nowNs);
            nowNs += waitMs * 1_000_000 - 1;
            assertThat(backOff.isOver(nowNs)).isFalse();
            assertThat(backOff.isOver(++nowNs)).isTrue();
        }
        backOff.succeeded();
        backOff.failed(nowNs);
        assertThat(backOff.isOver(nowNs + 100_000_000)).isTrue();
    }

    /** A key with a certificate for 127.0.0.1, which both sides know. */
    @BeforeAll
    static void makeKeys(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("keys.p12");
        Program.run(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                file.toString(),
                "-storepass",
                "secret",
                "-alias",
                "collector",
                "-keyalg",
                "EC",
                "-dname",
                "CN=collector",
                "-ext",
                "san=ip:127.0.0.1");
        KeyStore keys = KeyStore.getInstance(file.toFile(), "secret".toCharArray());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("collector", keys.getCertificate("collector"));
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, "secret".toCharArray());
        TrustManagerFactory others = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        others.init(trusted);
        tls = SSLContext.getInstance("TLS");
        tls.init(own.getKeyManagers(), others.getTrustManagers(), null);
    }

    private static HepSender secured(String host, int port) {
        return new HepSender(new HepTarget(host, port, HepTarget.HepTransport.TLS), AGENT, RING, tls);
    }

    @Test
    void sendsOverTlsToWhomTheCertificateIsFor() throws Exception {
        try (ServerSocket collector = listening(
                        tls.getServerSocketFactory().createServerSocket(0, 5, InetAddress.getLoopbackAddress()));
                HepSender sender = secured("127.0.0.1", collector.getLocalPort())) {
            sender.feed().offer(packet(1));
            try (Socket socket = collector.accept()) {
                assertThat(next(new DataInputStream(socket.getInputStream()))).isEqualTo(octets(1));
            }
        }
    }

    @Test
    void sendsNothingOverTlsToWhomTheCertificateIsNotFor() throws Exception {
        try (ServerSocket collector = listening(
                        tls.getServerSocketFactory().createServerSocket(0, 5, InetAddress.getLoopbackAddress()));
                HepSender sender = secured("localhost", collector.getLocalPort())) {
            sender.feed().offer(packet(1));
            try (Socket socket = collector.accept()) {
                assertThatThrownBy(() -> next(new DataInputStream(socket.getInputStream())))
                        .isInstanceOf(IOException.class);
            }
            await(() -> sender.refusals() > 0);
            assertThat(sender.sent()).isZero();
        }
    }

    @Test
    void endsWhileACollectorKeepsItWaitingForTheHandshake() throws Exception {
        try (ServerSocket collector = listening(new ServerSocket(0, 5, InetAddress.getLoopbackAddress()))) {
            HepSender sender = secured("127.0.0.1", collector.getLocalPort());
            try (Socket silent = collector.accept()) {
                silent.getInputStream().read(); // the handshake has begun
                sender.close(1);
                assertThat(sender.refusals()).as("cut off before its time-out").isEqualTo(1);
            }
        }
    }
}
