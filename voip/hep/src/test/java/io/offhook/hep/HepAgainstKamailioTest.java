package io.offhook.hep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import io.offhook.packet.application.HepReader;
import io.offhook.testkit.peers.LoopbackPorts;
import io.offhook.testkit.peers.Program;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Another implementation reads what is written here, and what it writes is read here. */
@Timeout(60)
class HepAgainstKamailioTest {
    private static final String START = """
            log_stderror=yes
            fork=no
            children=1
            disable_tcp=yes
            listen=udp:127.0.0.1:%d
            loadmodule "pv.so"
            loadmodule "xlog.so"
            loadmodule "sl.so"
            loadmodule "tm.so"
            loadmodule "siputils.so"
            loadmodule "db_text.so"
            """;

    private static final String COLLECTOR = START + """
            loadmodule "sipcapture.so"
            modparam("sipcapture", "db_url", "text://%s")
            modparam("sipcapture", "capture_on", 1)
            modparam("sipcapture", "hep_capture_on", 1)
            request_route {
              xlog("L_ERR", "HEP from $si port $sp: $rm $ci $pr\\n");
              drop;
            }
            """;

    private static final String AGENT = START + """
            loadmodule "siptrace.so"
            modparam("siptrace", "duplicate_uri", "sip:127.0.0.1:%d")
            modparam("siptrace", "trace_to_database", 0)
            modparam("siptrace", "hep_mode_on", 1)
            modparam("siptrace", "hep_version", 3)
            modparam("siptrace", "hep_capture_id", 2001)
            modparam("siptrace", "auth_key", "secret")
            modparam("siptrace", "trace_on", 1)
            request_route {
              sip_trace();
              drop;
            }
            """;

    private static final String OPTIONS = """
            OPTIONS sip:a@127.0.0.1 SIP/2.0\r
            Via: SIP/2.0/UDP 127.0.0.1:5099;branch=z9hG4bKx\r
            From: <sip:a@127.0.0.1>;tag=1\r
            To: <sip:a@127.0.0.1>\r
            Call-ID: %s\r
            CSeq: 1 OPTIONS\r
            Content-Length: 0\r
            \r
            """;

    @TempDir
    private Path folder;

    private interface Probe {
        boolean isDone() throws Exception;
    }

    /** Runs it until the probe, which is tried again and again, says that it is done. */
    private void run(String configuration, Probe probe) throws Exception {
        assumeFalse(Program.isMissing("kamailio", "-v"), "kamailio is not installed");
        Path file = Files.writeString(folder.resolve("kamailio.cfg"), configuration);
        Path log = folder.resolve("kamailio.log");
        Process kamailio = new ProcessBuilder(
                        "kamailio", "-DD", "-E", "-m", "16", "-M", "4", "-Y", folder.toString(), "-f", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            long end = System.nanoTime() + 20_000_000_000L;
            while (!probe.isDone()) {
                assertThat(kamailio.isAlive() && System.nanoTime() - end < 0)
                        .as(Files.readString(log))
                        .isTrue();
            }
        } finally {
            kamailio.descendants().forEach(ProcessHandle::destroy);
            kamailio.destroy();
            kamailio.waitFor();
        }
    }

    private static HepPacket packet(String source, String destination, String callId) {
        IpAddress from = Objects.requireNonNull(IpAddress.parse(source));
        IpAddress to = Objects.requireNonNull(IpAddress.parse(destination));
        byte[] octets = OPTIONS.formatted(callId).getBytes(StandardCharsets.US_ASCII);
        return new HepPacket()
                .source(from.high(), from.low(), 5060)
                .destination(to.high(), to.low(), 5080)
                .protocol(17)
                .timestampNs(1_700_000_000_123_456_789L)
                .payload(HepPayloadType.SIP, octets, 0, octets.length);
    }

    @Test
    void itsCollectorReadsWhatIsSent() throws Exception {
        int port = LoopbackPorts.free();
        HepTarget target = new HepTarget("127.0.0.1", port, HepTarget.HepTransport.UDP);
        try (HepSender sender = new HepSender(target, new HepAgent(2001, "secret", "edge"), 1 << 16, null)) {
            HepFeed feed = sender.feed();
            run(COLLECTOR.formatted(port, folder), () -> {
                feed.offer(packet("192.0.2.1", "198.51.100.2", "four"));
                feed.offer(packet("2001:db8::1", "2001:db8::2", "six").correlationId(new byte[] {'c'}, 0, 1));
                Thread.sleep(50); // until it has started, and has written
                String log = Files.readString(folder.resolve("kamailio.log"));
                return log.contains("HEP from 192.0.2.1 port 5060: OPTIONS four udp")
                        && log.contains("HEP from 2001:db8::1 port 5060: OPTIONS six udp");
            });
        }
    }

    @Test
    void whatItsAgentSendsIsRead() throws Exception {
        int port = LoopbackPorts.free();
        byte[] octets = OPTIONS.formatted("traced").getBytes(StandardCharsets.US_ASCII);
        try (DatagramSocket collector = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                DatagramSocket phone = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                Arena arena = Arena.ofConfined()) {
            collector.setSoTimeout(100);
            DatagramPacket received = new DatagramPacket(new byte[4096], 4096);
            run(AGENT.formatted(port, collector.getLocalPort()), () -> {
                phone.send(new DatagramPacket(
                        octets, octets.length, new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
                try {
                    collector.receive(received);
                    return true;
                } catch (SocketTimeoutException _) {
                    return false; // it has not started yet
                }
            });
            MemorySegment segment = arena.allocate(received.getLength());
            segment.asByteBuffer().put(received.getData(), 0, received.getLength());
            HepReader reader = new HepReader();

            assertThat(reader.read(segment, 0, received.getLength())).isTrue();
            assertThat(reader.version()).isEqualTo(3);
            assertThat(reader.source()).isEqualTo(Endpoint.of("127.0.0.1", phone.getLocalPort()));
            assertThat(reader.destination()).isEqualTo(Endpoint.of("127.0.0.1", port));
            assertThat(reader.protocol()).isEqualTo(17);
            assertThat(reader.payloadType()).isEqualTo(1);
            assertThat(reader.agent()).isEqualTo(2001);
            assertThat(reader.timestampNs()).isPositive();
            assertThat(reader.authenticationKey()).isIn("", "secret"); // its versions differ
            assertThat(reader.payloadLength()).isEqualTo(octets.length);
        }
    }
}
