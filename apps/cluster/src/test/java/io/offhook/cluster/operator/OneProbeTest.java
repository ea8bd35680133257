package io.offhook.cluster.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.calls.MediaOptions;
import io.offhook.cluster.calls.Events;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.operator.local.LocalRun;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.rtp.playout.JitterBuffer;
import io.offhook.testkit.generate.GenerateOptions;
import io.offhook.testkit.generate.GeneratedTraffic;
import io.offhook.testkit.generate.MisuseException;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Traffic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Of the events of one probe, the operators make the calls that {@code offhook cluster calls} makes of them, byte for byte, where no
 * legs are joined: in whatever order messages of different senders arrive, with one, two or five instances of each operator.
 */
class OneProbeTest {
    private static final Path SAMPLES = Path.of("../../samples");

    /** Its media is bound by the hosts of the signalling, as its SDP was not captured: the operators do not do that yet. */
    private static final String WITHOUT_SDP = "capture-starts-in-mid-call";

    private static final AnalysisOptions DETAILED =
            Graph.USUAL.withMedia(MediaOptions.DEFAULT.withIntervals(true).withBuffer(JitterBuffer.fixed(60)));

    private static final int[] INSTANCES = {1, 2, 5};

    @TempDir
    Path folder;

    private Supplier<PacketSource> file(Traffic traffic) throws IOException {
        Path file = traffic.capture().writeTo(folder.resolve("capture.pcap"));
        return () -> CaptureFiles.open(List.of(file.toString()));
    }

    private static void assertSame(Supplier<PacketSource> capture, AnalysisOptions options, int seeds) {
        byte[] octets = Events.probed(capture, options, "probe");
        String expected = Graph.json(Events.read(octets).reports(options).calls());
        List<Event> events = Events.list(octets);
        for (int seed = 0; seed < seeds; seed++) {
            int instances = INSTANCES[seed % INSTANCES.length];
            LocalRun run = Graph.run(options, instances, seed, Graph.partitions(events, 1 + seed % 4));
            String as = "seed " + seed + ", " + instances + " instances";
            assertThat(Graph.json(Graph.calls(run))).as(as).isEqualTo(expected);
            assertThat(run.octets()).as(as).isZero();
            assertThat(run.keys()).as(as).isZero();
            assertThat(run.count(OperatorCount.FAILED_REPORTS)).as(as).isZero();
            assertThat(run.count(OperatorCount.TOO_LATE_EVENTS)).as(as).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"calls.pcap", "lossy.pcap"})
    void makesTheCallsOfTheSamples(String sample) {
        Supplier<PacketSource> capture =
                () -> CaptureFiles.open(List.of(SAMPLES.resolve(sample).toString()));
        assertSame(capture, Graph.USUAL, 6);
        assertSame(capture, DETAILED, 6);
    }

    static Stream<String> scenarios() {
        return Stream.concat(Scenarios.all().keySet().stream(), Scenarios.legs().keySet().stream())
                .filter(scenario -> !scenario.equals(WITHOUT_SDP));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void makesTheCallsOfEachScenario(String scenario) throws IOException {
        assertSame(file(Scenarios.traffic(scenario, 21)), Graph.USUAL, 3);
        assertSame(file(Scenarios.traffic(scenario, 22)), DETAILED, 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "caller-behind-nat",
                "media-before-its-sdp",
                "media-before-the-answer",
                "media-ports-used-again",
                "reinvite-moves-media",
                "rtcp-on-announced-port",
                "ssrc-change"
            })
    void makesThemInManyOrders(String scenario) throws IOException {
        assertSame(file(Scenarios.traffic(scenario, 23)), Graph.USUAL, 60);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void makesTheCallsOfMixedTraffic(long seed) throws IOException {
        assertSame(file(Traffic.random(seed, 60)), seed % 2 == 0 ? Graph.USUAL : DETAILED, 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--calls 40 --seconds 12 --loss 0.05 --dup 0.03 --reorder 0.03",
                "--calls 60 --seconds 2 --tcp 0.5 --ipv6 0.5 --vlan 0.5 --background 3000 --dup 0.05 --reorder 0.05",
                "--calls 60 --seconds 1.2 --cps 4000 --outcomes answered:1 --loss 0.3 --seed 9"
            })
    void makesTheCallsOfGeneratedTraffic(String options) throws IOException, MisuseException {
        Map<String, String> values = new HashMap<>();
        String[] words = options.split(" ", -1);
        for (int i = 0; i < words.length; i += 2) {
            values.put(words[i], words[i + 1]);
        }
        assertSame(file(GeneratedTraffic.of(GenerateOptions.of(values))), DETAILED, 3);
    }

    @Test
    void doesNotBindMediaByTheHostsOfItsSignalling() throws IOException {
        byte[] octets = Events.probed(file(Scenarios.traffic(WITHOUT_SDP, 21)), Graph.USUAL, "probe");
        LocalRun run = Graph.run(Graph.USUAL, 1, 1, List.of(Events.list(octets)));
        assertThat(Events.read(octets).reports(Graph.USUAL).calls())
                .singleElement()
                .satisfies(call -> assertThat(call.streams()).isNotEmpty());
        assertThat(Graph.calls(run))
                .singleElement()
                .satisfies(call -> assertThat(call.streams()).isEmpty());
    }
}
