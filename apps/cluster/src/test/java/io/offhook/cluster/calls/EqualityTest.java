package io.offhook.cluster.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReports;
import io.offhook.calls.MediaOptions;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls made of the events of one probe are those of {@code offhook calls}, byte for byte. */
class EqualityTest {
    private static final Path SAMPLES = Path.of("../../samples");
    private static final AnalysisOptions USUAL =
            AnalysisOptions.defaults().withLanes(2).withKeptCalls(2000).withRtpHeuristic(true);
    private static final AnalysisOptions DETAILED =
            USUAL.withMedia(MediaOptions.DEFAULT.withIntervals(true).withBuffer(JitterBuffer.fixed(60)));

    @TempDir
    Path folder;

    private static String assertSame(Supplier<? extends PacketSource> capture, AnalysisOptions options) {
        AnalysisResult expected;
        try (PacketSource source = capture.get()) {
            expected = Analysis.run(source, options);
        }
        EventCalls calls = Events.read(Events.probed(capture, options, "probe"));
        CallReports found = calls.reports(options);
        String json = Events.json(expected.calls(), expected.streams());
        assertThat(Events.json(found.calls(), found.streams())).isEqualTo(json);
        assertThat(found.registrations()).hasSameSizeAs(expected.registrations());
        assertThat(calls.incomplete()).isZero();
        assertThat(calls.missing()).isZero();
        assertThat(calls.capture().frames()).isEqualTo(expected.capture().packets());
        return json;
    }

    private Supplier<PacketSource> file(Traffic traffic) throws IOException {
        Path file = traffic.capture().writeTo(folder.resolve("capture.pcap"));
        return () -> CaptureFiles.open(List.of(file.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"calls.pcap", "lossy.pcap"})
    void ofTheSamples(String sample) {
        Supplier<PacketSource> capture =
                () -> CaptureFiles.open(List.of(SAMPLES.resolve(sample).toString()));
        assertThat(assertSame(capture, USUAL)).contains("\"jitterMs\"", "\"problems\"");
        assertThat(assertSame(capture, DETAILED)).contains("\"intervals\"");
    }

    static Stream<String> scenarios() {
        return Stream.concat(Scenarios.all().keySet().stream(), Scenarios.legs().keySet().stream());
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void ofEachScenario(String scenario) throws IOException {
        assertSame(file(Scenarios.traffic(scenario, 21)), USUAL);
        assertSame(file(Scenarios.traffic(scenario, 22)), DETAILED);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void ofMixedTraffic(long seed) throws IOException {
        assertSame(file(Traffic.random(seed, 60)), seed % 2 == 0 ? USUAL : DETAILED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--calls 40 --seconds 12 --loss 0.05 --dup 0.03 --reorder 0.03",
                "--calls 60 --seconds 2 --tcp 0.5 --ipv6 0.5 --vlan 0.5 --background 3000 --dup 0.05 --reorder 0.05",
                "--calls 60 --seconds 1.2 --cps 4000 --outcomes answered:1 --loss 0.3 --seed 9"
            })
    void ofGeneratedTraffic(String options) throws IOException, MisuseException {
        Map<String, String> values = new HashMap<>();
        String[] words = options.split(" ", -1);
        for (int i = 0; i < words.length; i += 2) {
            values.put(words[i], words[i + 1]);
        }
        assertSame(file(GeneratedTraffic.of(GenerateOptions.of(values))), DETAILED);
    }
}
