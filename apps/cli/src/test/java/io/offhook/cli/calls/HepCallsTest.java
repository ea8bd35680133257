package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.offhook.cli.Json;
import io.offhook.cli.Main;
import io.offhook.cli.Offhook;
import io.offhook.testkit.peers.Certificates;
import io.offhook.testkit.peers.LoopbackPorts;
import io.offhook.testkit.peers.Program;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code offhook calls --hep} and {@code --hep-out}: against each other, and against sngrep and Kamailio. */
@Timeout(120)
@SuppressWarnings("InlineFormatString") // whole files
class HepCallsTest {
    private static final String SAMPLE = Path.of(System.getProperty("offhook.root", "../.."), "samples", "calls.pcap")
            .toString();
    /** The SIP messages of the sample, and its streams. */
    private static final int MESSAGES = 89;

    private static final int STREAMS = 14;

    private static final String AGENT = """
        log_stderror=yes
        fork=no
        children=1
        disable_tcp=yes
        listen=udp:127.0.0.1:%d
        loadmodule "pv.so"
        loadmodule "sl.so"
        loadmodule "tm.so"
        loadmodule "siputils.so"
        loadmodule "siptrace.so"
        modparam("siptrace", "duplicate_uri", "sip:127.0.0.1:%d")
        modparam("siptrace", "trace_to_database", 0)
        modparam("siptrace", "hep_mode_on", 1)
        modparam("siptrace", "hep_version", 3)
        modparam("siptrace", "trace_on", 1)
        request_route {
          sip_trace();
          drop;
        }
        """;

    private static final String INVITE = """
        INVITE sip:bob@127.0.0.1 SIP/2.0\r
        Via: SIP/2.0/UDP 127.0.0.1:%d;branch=z9hG4bKtraced\r
        From: <sip:alice@127.0.0.1>;tag=1\r
        To: <sip:bob@127.0.0.1>\r
        Call-ID: traced\r
        CSeq: 1 INVITE\r
        Content-Length: 0\r
        \r
        """;

    @TempDir
    private Path folder;

    /** The command as a collector, on a thread of its own, until it has so many packets. */
    private static final class Collecting implements AutoCloseable {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        private final Thread thread;

        Collecting(int packets, String... options) {
            List<String> arguments = new ArrayList<>(List.of("calls", "--format", "json", "--no-rehearsal"));
            arguments.addAll(List.of("--count", Integer.toString(packets), "--duration", "30"));
            arguments.addAll(Arrays.asList(options));
            thread = Thread.ofPlatform()
                    .daemon()
                    .start(() -> Main.run(arguments.toArray(String[]::new), new Offhook().terminal(out, err)));
        }

        void awaitListening() {
            while (!err.toString(StandardCharsets.UTF_8).contains("Capturing")) {
                assertThat(thread.isAlive())
                        .as(err.toString(StandardCharsets.UTF_8))
                        .isTrue();
                LockSupport.parkNanos(1_000_000);
            }
        }

        /** The outcome of each call, by its Call-ID, in the last line that has it. */
        Map<String, String> outcomes() throws InterruptedException {
            thread.join();
            Map<String, String> outcomes = new LinkedHashMap<>();
            for (String line : out.toString(StandardCharsets.UTF_8).lines().toList()) {
                Map<String, Object> object = Json.object(line);
                if (object.containsKey("callId")) {
                    outcomes.put(Json.text(object, "callId"), Json.text(object, "outcome"));
                }
            }
            return outcomes;
        }

        Map<String, Object> capture() {
            List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
            return Json.asObject(Json.object(lines.getLast()).get("capture"));
        }

        @Override
        public void close() {
            boolean isInterrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException _) {
                    isInterrupted = true; // the command ends by itself
                }
            }
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Map<String, String> outcomes(String file) {
        Map<String, String> outcomes = new LinkedHashMap<>();
        Map<String, Object> result =
                Json.object(Offhook.run("calls", file, "--format", "json").out());
        for (Map<String, Object> call : Json.objects(result.get("calls"))) {
            outcomes.put(Json.text(call, "callId"), Json.text(call, "outcome"));
        }
        return outcomes;
    }

    private static Process started(Path log, String... command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "tls"})
    void whatAnAgentSendsIsAnalysedAsIfCaptured(String transport) throws Exception {
        String where = transport + ":127.0.0.1:" + LoopbackPorts.free();
        List<String> receiving = new ArrayList<>(List.of("--hep", where, "--hep-key", "secret"));
        List<String> sending = new ArrayList<>(List.of("calls", SAMPLE, "--hep-out", where));
        sending.addAll(List.of("--hep-key", "@" + Files.writeString(folder.resolve("key"), "secret\n")));
        if (transport.equals("tls")) {
            Certificates.Pem pem = Certificates.selfSigned(folder, "collector", "EC", "ip:127.0.0.1");
            Path both = folder.resolve("both.pem");
            Files.writeString(both, Files.readString(pem.certificate()) + Files.readString(pem.key()));
            receiving.addAll(List.of("--hep-certificate", both.toString()));
            sending.addAll(List.of("--hep-trust", pem.certificate().toString()));
        }
        Path recorded = folder.resolve("recorded.pcapng");
        receiving.addAll(List.of("-w", recorded.toString()));
        try (Collecting collector = new Collecting(MESSAGES + STREAMS, receiving.toArray(String[]::new))) {
            collector.awaitListening();
            Offhook.Result agent = Offhook.run(sending.toArray(String[]::new));
            assertThat(agent.err())
                    .isEqualTo("offhook: " + (MESSAGES + STREAMS) + " HEP packets sent to 127.0.0.1, 0 not sent"
                            + System.lineSeparator());
            assertThat(collector.outcomes()).isEqualTo(outcomes(SAMPLE)).hasSize(12);
        }
        assertThat(outcomes(recorded.toString())).isEqualTo(outcomes(SAMPLE));
        assertThat(Offhook.run("calls", recorded.toString(), "--format", "json").out())
                .contains("\"mosLq\":4.");
        assertThat(Files.readString(recorded, StandardCharsets.ISO_8859_1)).doesNotContain("secret");
    }

    @Test
    void packetsWithAnotherKeyAreRefusedAndCounted() throws Exception {
        String where = "udp:127.0.0.1:" + LoopbackPorts.free();
        try (Collecting collector = new Collecting(MESSAGES + STREAMS, "--hep", where, "--hep-key", "right")) {
            collector.awaitListening();
            assertThat(Offhook.run("calls", SAMPLE, "--hep-out", where, "--hep-key", "wrong")
                            .code())
                    .isZero();
            assertThat(Offhook.run("calls", SAMPLE, "--hep-out", where, "--hep-key", "right")
                            .code())
                    .isZero();
            assertThat(collector.outcomes()).isEqualTo(outcomes(SAMPLE));
            assertThat(collector.err.toString(StandardCharsets.UTF_8))
                    .contains("103 HEP packets refused: no authentication key, or a wrong one");
            Map<String, Object> counts =
                    Json.objects(collector.capture().get("interfaces")).getFirst();
            assertThat(counts).containsEntry("filtered", 103L).containsEntry("kernelDrops", 0L);
        }
    }

    @Test
    void sngrepReceivesWhatIsSent() throws Exception {
        assumeFalse(Program.isMissing("sngrep", "-V"), "sngrep is not installed");
        int port = LoopbackPorts.free();
        Path received = folder.resolve("sngrep.pcap");
        Path log = folder.resolve("sngrep.log");
        Process sngrep = started(log, "sngrep", "-F", "-L", "udp:127.0.0.1:" + port, "-N", "-O", received.toString());
        try {
            awaitUdp(port);
            assertThat(Offhook.run("calls", SAMPLE, "--hep-out", "udp:127.0.0.1:" + port)
                            .code())
                    .isZero();
            while (!Files.readString(log).contains("Dialog count: 13")) { // and a registration
                assertThat(sngrep.isAlive()).as(Files.readString(log)).isTrue();
                LockSupport.parkNanos(10_000_000);
            }
        } finally {
            sngrep.destroy();
            sngrep.waitFor();
        }
        assertThat(outcomes(received.toString())).isEqualTo(outcomes(SAMPLE));
    }

    private static void awaitUdp(int port) throws IOException {
        String end = ":%04X ".formatted(port);
        while (Files.readAllLines(Path.of("/proc/net/udp")).stream().noneMatch(line -> line.contains(end))) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void whatSngrepSendsIsAnalysed() throws Exception {
        assumeFalse(Program.isMissing("sngrep", "-V"), "sngrep is not installed");
        String where = "udp:127.0.0.1:" + LoopbackPorts.free();
        try (Collecting collector = new Collecting(MESSAGES, "--hep", where)) {
            collector.awaitListening();
            Process sngrep = started(folder.resolve("log"), "sngrep", "-F", "-I", SAMPLE, "-H", where, "-N", "-q");
            try {
                assertThat(collector.outcomes()).isEqualTo(outcomes(SAMPLE));
            } finally {
                sngrep.destroy();
                sngrep.waitFor();
            }
        }
    }

    @Test
    void whatKamailioTracesIsAnalysed() throws Exception {
        assumeFalse(Program.isMissing("kamailio", "-v"), "kamailio is not installed");
        int port = LoopbackPorts.free();
        int collecting = LoopbackPorts.free();
        Path file = Files.writeString(folder.resolve("kamailio.cfg"), AGENT.formatted(port, collecting));
        Path log = folder.resolve("kamailio.log");
        try (Collecting collector = new Collecting(1, "--hep", "udp:127.0.0.1:" + collecting);
                DatagramSocket phone = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            collector.awaitListening();
            Process kamailio = started(
                    log,
                    "kamailio",
                    "-DD",
                    "-E",
                    "-m",
                    "16",
                    "-M",
                    "4",
                    "-Y",
                    folder.toString(),
                    "-f",
                    file.toString());
            try {
                awaitUdp(port);
                byte[] invite = INVITE.formatted(phone.getLocalPort()).getBytes(StandardCharsets.US_ASCII);
                phone.send(new DatagramPacket(
                        invite, invite.length, new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
                assertThat(collector.outcomes()).as(Files.readString(log)).containsKey("traced");
            } finally {
                kamailio.descendants().forEach(ProcessHandle::destroy);
                kamailio.destroy();
                kamailio.waitFor();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--hep http:1",
                "--hep udp:host:1",
                "--hep tls:9061",
                "--hep udp:0 --hep-certificate x",
                "--hep udp:0 --hep-key @/missing",
                "--hep udp:0 --filter udp",
                "--hep udp:0 --backend pcap",
                "--hep udp:0 " + "x.pcap",
                "--hep-out udp",
                "--hep-out udp:::1:9060",
                "--hep-id 5",
                "--hep-out tcp:127.0.0.1:1 --hep-id -1",
                "--hep-out tcp:127.0.0.1:1 --hep-trust x"
            })
    void saysWhatIsWrongWithTheOptions(String options) {
        List<String> arguments = new ArrayList<>(List.of("calls"));
        arguments.addAll(List.of(options.split(" ")));
        if (!options.startsWith("--hep ")) {
            arguments.add(SAMPLE);
        }
        Offhook.Result result = Offhook.run(arguments.toArray(String[]::new));
        assertThat(result.code()).as(result.err()).isEqualTo(2);
        assertThat(result.err()).startsWith("offhook: ");
    }
}
