package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.testkit.traffic.Capture;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Traffic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Traffic with known truth, one feature a scenario and all of them mixed, held against what the analysis finds. */
class ScenarioTest {
    @TempDir
    Path folder;

    static Stream<String> scenarios() {
        return Scenarios.all().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void findsWhatIsKnownOfTheTraffic(String scenario) throws IOException {
        Capture capture = Scenarios.traffic(scenario, 11).capture();
        assertThat(Comparison.differences(capture.truth(), analyse(capture, 2))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void findsWhatIsKnownOfMixedTraffic(long seed) throws IOException {
        Capture capture = Traffic.random(seed, 60).capture();
        assertThat(Comparison.differences(capture.truth(), analyse(capture, 3))).isEmpty();
    }

    private AnalysisResult analyse(Capture capture, int lanes) throws IOException {
        Path file = capture.writeTo(folder.resolve("capture"));
        try (PacketSource source = CaptureFiles.open(List.of(file.toString()))) {
            return Analysis.run(source, AnalysisOptions.defaults().withLanes(lanes));
        }
    }
}
