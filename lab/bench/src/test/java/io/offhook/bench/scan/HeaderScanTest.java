package io.offhook.bench.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.bench.scan.HeaderScan.Way;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LayerType;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.pcap.file.CaptureMemory;
import io.offhook.testkit.peers.JavaProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HeaderScanTest {
    private static final Path SAMPLE = Path.of("../../samples/calls.pcap");
    private static final Path SHARED = Path.of("../../../shared/captures");
    private static final Path CLI = Path.of("../../apps/cli/target/lib/offhook-cli.jar");

    private static List<Integer> headers(Way way, Path file) {
        HeaderScan scan = new HeaderScan(way);
        FrameBatch batch = new FrameBatch(1024);
        List<Integer> found = new ArrayList<>();
        try (PacketSource source = CaptureFiles.open(file.toString())) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    found.add(scan.scan(batch, i));
                }
            }
        }
        return found;
    }

    private static List<JsonNode> printed(Path file) throws Exception {
        Process print = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-jar",
                        CLI.toString(),
                        "print",
                        "--format",
                        "json",
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String lines = new String(print.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(print.waitFor()).isZero();
        JsonMapper json = JsonMapper.shared();
        return lines.lines().map(json::readTree).toList();
    }

    @Test
    void findsTheHeadersThatPrintShows() throws Exception {
        assumeTrue(Files.exists(CLI), "offhook print is not built: there is no " + CLI);
        List<JsonNode> printed = printed(SAMPLE);
        Set<String> names =
                Arrays.stream(LayerType.values()).map(LayerType::label).collect(Collectors.toSet());
        List<Integer> layers = headers(Way.LAYERS, SAMPLE);
        List<Integer> applications = headers(Way.APPLICATIONS, SAMPLE);
        assertThat(layers).hasSameSizeAs(printed).hasSize(4501);
        for (int i = 0; i < printed.size(); i++) {
            int known = 0;
            int named = 0;
            for (JsonNode layer : printed.get(i).get("layers")) {
                String name = layer.get("layer").stringValue();
                named += name.equals("payload") || name.equals("sdp")
                        ? 0
                        : 1; // SDP is what SIP carries, not the transport
                known += names.contains(name) && !name.equals("payload") ? 1 : 0;
            }
            assertThat(layers.get(i)).as("packet " + (i + 1)).isEqualTo(known);
            assertThat(applications.get(i)).as("packet " + (i + 1)).isEqualTo(named);
        }
    }

    /** As print shows them: an INVITE, and the first packet of RTP, each Ethernet, IPv4 and UDP. */
    @Test
    void countsPayloadAsNone() {
        assertThat(headers(Way.LAYERS, SAMPLE)).startsWith(3, 3, 3);
        assertThat(headers(Way.APPLICATIONS, SAMPLE)).startsWith(4, 4, 4);
    }

    @ParameterizedTest
    @EnumSource
    void goesThroughAllOfAMemoryAgainAndAgain(Way way) {
        HeaderScan scan = new HeaderScan(way);
        try (CaptureMemory memory = CaptureMemory.load(List.of(SAMPLE.toString()), 16 << 20)) {
            scan.scan(memory.replay());
            long once = scan.headers();
            assertThat(once)
                    .isEqualTo(headers(way, SAMPLE).stream()
                            .mapToLong(Integer::longValue)
                            .sum());
            scan.scan(memory.replay());
            assertThat(scan.headers()).isEqualTo(2 * once);
            assertThat(scan.packets()).isEqualTo(2 * memory.frames());
            assertThat(scan.peered()).isEqualTo(way == Way.LAYERS ? 0 : 2 * 3 * memory.frames());
        }
    }

    /** A kind of header without a view, or with two, would be peered less or more often than it is found. */
    @Test
    void peersEachHeaderOnce() throws IOException {
        assumeTrue(Files.isDirectory(SHARED), "there is no " + SHARED + " to draw from");
        Path drawn = Files.createTempFile("drawn", ".pcap");
        try {
            DrawnPackets.draw(SHARED, 30_000, 1).write(drawn);
            HeaderScan scan = new HeaderScan(Way.VIEWS);
            try (PacketSource source = CaptureFiles.open(drawn.toString())) {
                scan.scan(source);
            }
            assertThat(scan.packets()).isEqualTo(30_000);
            assertThat(scan.peered()).isEqualTo(scan.headers()).isGreaterThan(3 * scan.packets());
        } finally {
            Files.delete(drawn);
        }
    }

    @Test
    void printsALineOfCountsARound() {
        List<String> lines =
                JavaProcess.run(List.of("-Xmx512m"), HeaderScan.class, SAMPLE.toString(), "3", "2", "views");
        assertThat(lines).hasSize(3);
        long headers = 2
                * headers(Way.LAYERS, SAMPLE).stream()
                        .mapToLong(Integer::longValue)
                        .sum();
        assertThat(lines)
                .allMatch(
                        line -> line.matches("9002 " + headers + " 0 [1-9]\\d*"), "packets and headers of two passes");
    }
}
