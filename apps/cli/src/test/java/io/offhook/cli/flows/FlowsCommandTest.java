package io.offhook.cli.flows;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Captures;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.testkit.truth.Csv;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code offhook flows} on the sample and on scenarios of the generator. */
class FlowsCommandTest {
    private static final String SAMPLE = "../../samples/calls.pcap";

    @TempDir
    private Path folder;

    private static List<Map<String, Object>> flows(String... options) {
        return Json.objects(document(options).get("flows"));
    }

    private static Map<String, Object> document(String... options) {
        String[] command = new String[options.length + 4];
        System.arraycopy(options, 0, command, 3, options.length);
        command[0] = "flows";
        command[1] = "--format";
        command[2] = "json";
        command[command.length - 1] = SAMPLE;
        Offhook.Result result = Offhook.run(command);
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isZero();
        return Json.object(result.out());
    }

    private static double figure(Map<String, Object> object, String name) {
        return ((Number) Objects.requireNonNull(object.get(name))).doubleValue();
    }

    private static long number(Map<String, Object> object, String name) {
        return (long) figure(object, name);
    }

    private static long sum(List<Map<String, Object>> flows, String name) {
        return flows.stream().mapToLong(flow -> number(flow, name)).sum();
    }

    @Test
    void countsEachPacketOnce() {
        Map<String, Object> document = document();
        List<Map<String, Object>> flows = Json.objects(document.get("flows"));
        Map<String, Object> capture = Json.asObject(document.get("capture"));
        assertThat(number(capture, "packets")).isEqualTo(4501);
        long counted = sum(flows, "packets");
        Map<String, Object> counters = Json.asObject(capture.get("counters"));
        long withoutIp = counters.containsKey("flowPacketsNotIp")
                ? number(Json.asObject(counters.get("flowPacketsNotIp")), "count")
                : 0;
        assertThat(counted + withoutIp).isEqualTo(4501);
        for (Map<String, Object> flow : flows) {
            assertThat(number(Json.asObject(flow.get("forward")), "packets")
                            + number(Json.asObject(flow.get("reverse")), "packets"))
                    .isEqualTo(number(flow, "packets"));
            assertThat(Json.text(flow, "communityId")).startsWith("1:").hasSize(30);
        }
    }

    @Test
    void sortsAsRequested() {
        assertThat(flows().stream().map(flow -> -number(flow, "bytes"))).isSorted();
        assertThat(flows("--sort", "packets").stream().map(flow -> -number(flow, "packets")))
                .isSorted();
        assertThat(flows("--sort", "first").stream().map(flow -> number(flow, "firstFrame")))
                .isSorted();
        assertThat(flows("--sort", "duration").stream().map(flow -> -figure(flow, "durationMs")))
                .isSorted();
    }

    @Test
    void splitsFlowsByTimeouts() {
        List<Map<String, Object>> whole = flows();
        List<Map<String, Object>> parts = flows("--hard-timeout", "2");
        assertThat(parts).hasSizeGreaterThan(whole.size());
        assertThat(sum(parts, "packets")).isEqualTo(sum(whole, "packets"));
        assertThat(parts.stream().map(flow -> flow.get("endedBy"))).contains("hard timeout");
        List<Map<String, Object>> idle = flows("--idle-timeout", "1");
        assertThat(sum(idle, "bytes")).isEqualTo(sum(whole, "bytes"));
        assertThat(idle.stream().map(flow -> flow.get("endedBy"))).contains("idle timeout", "capture end");
    }

    @Test
    void countsOnlySelectedPackets() {
        List<Map<String, Object>> all = flows("--sort", "first");
        String source = Json.text(all.getFirst(), "source");
        List<Map<String, Object>> some = flows("--sort", "first", "--address", source);
        assertThat(some).isNotEmpty().hasSizeLessThan(all.size());
        assertThat(some)
                .allMatch(flow -> Json.text(flow, "source").equals(source)
                        || Json.text(flow, "destination").equals(source));
        String from = Json.text(all.getLast(), "firstAt");
        List<Map<String, Object>> late = flows("--sort", "first", "--since", from);
        assertThat(sum(late, "packets")).isPositive().isLessThan(sum(all, "packets"));
        assertThat(late).allMatch(flow -> Json.text(flow, "firstAt").compareTo(from) >= 0);
    }

    @Test
    void csvEqualsJson() {
        List<List<String>> rows =
                Csv.parse(Offhook.run("flows", "--format", "csv", SAMPLE).out());
        List<Map<String, Object>> flows = flows();
        assertThat(rows).hasSize(flows.size() + 1);
        assertThat(rows.getFirst()).isEqualTo(FlowFields.COLUMNS);
        for (int i = 0; i < flows.size(); i++) {
            List<String> row = rows.get(i + 1);
            assertThat(row.get(FlowFields.COLUMNS.indexOf("communityId")))
                    .isEqualTo(flows.get(i).get("communityId"));
            assertThat(row.get(FlowFields.COLUMNS.indexOf("forward.bytes")))
                    .isEqualTo(Long.toString(number(Json.asObject(flows.get(i).get("forward")), "bytes")));
        }
    }

    @Test
    void drawsATable() {
        Offhook.Result result = new Offhook().onTerminal(140).with("flows", "--utc", "--color", "never", SAMPLE);
        assertThat(result.out())
                .contains("Protocol", "Source", "Destination", "Packets", "UDP")
                .contains("4,501 packets in ");
        assertThat(result.out().lines()).allMatch(line -> line.length() <= 140);
        assertThat(result.code()).isZero();
    }

    @Test
    void reportsStateAndRoundTripsOfTcp() {
        String capture = Captures.scenario("tcp", folder);
        Map<String, Object> flow =
                Json.objects(Json.object(Offhook.run("flows", "--format", "json", capture)
                                        .out())
                                .get("flows"))
                        .stream()
                        .filter(one -> Json.text(one, "protocol").equals("TCP"))
                        .findFirst()
                        .orElseThrow();
        Map<String, Object> tcp = Json.asObject(flow.get("tcp"));
        assertThat(Json.text(tcp, "state")).isIn("closed", "established", "closing", "half closed");
        Map<String, Object> forward = Json.asObject(tcp.get("forward"));
        assertThat(Json.text(forward, "flags")).contains("S", "A");
        assertThat(number(Json.asObject(forward.get("roundTrip")), "samples")).isPositive();
        assertThat(tcp.get("handshakeMs")).isNotNull();
    }

    @Test
    void seedChangesCommunityIds() {
        List<Map<String, Object>> plain = flows();
        List<Map<String, Object>> seeded = flows("--community-id-seed", "1");
        assertThat(seeded).hasSameSizeAs(plain);
        assertThat(seeded.getFirst().get("communityId"))
                .isNotEqualTo(plain.getFirst().get("communityId"));
    }

    @ParameterizedTest
    @CsvSource({
        "--sort, size, '--sort size is not one of bytes, packets, duration, first'",
        "--idle-timeout, 0, '--idle-timeout 0 is outside 1 to 1000000000'",
        "--hard-timeout, -5, '--hard-timeout -5 is outside 1 to 1000000000'",
        "--community-id-seed, 65536, '--community-id-seed 65536 is outside 0 to 65535'",
        "--address, nobody, '--address nobody is not an IP address'",
    })
    void rejectsInvalidOptions(String option, String value, String message) {
        Offhook.Result result = Offhook.run("flows", option + "=" + value, SAMPLE);
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains(message);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void reportsAMissingFile() {
        Offhook.Result result = Offhook.run("flows", "nothing.pcap");
        assertThat(result.code()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(result.err()).contains("nothing.pcap");
        assertThat(result.out()).isEmpty();
    }
}
