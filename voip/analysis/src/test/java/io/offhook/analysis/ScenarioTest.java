package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.testkit.generate.GenerateOptions;
import io.offhook.testkit.generate.GeneratedTraffic;
import io.offhook.testkit.generate.MisuseException;
import io.offhook.testkit.traffic.Capture;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Traffic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    /** What {@code offhook generate} makes of options; each line is one shape of traffic. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--calls 40 --seconds 3",
                "--calls 40 --seconds 3 --loss 0.05 --dup 0.03 --reorder 0.03",
                "--calls 40 --seconds 2 --tcp 1 --loss 0",
                "--calls 60 --seconds 2 --tcp 0.5 --ipv6 0.5 --vlan 0.5 --background 3000 --dup 0.05 --reorder 0.05",
                "--calls 120 --seconds 1 --cps 300 --outcomes busy:1,cancelled:1,declined:1,noanswer:1,auth:1",
                "--calls 60 --seconds 1.2 --cps 4000 --outcomes answered:1 --loss 0.3 --seed 9"
            })
    void findsWhatIsKnownOfGeneratedTraffic(String options) throws IOException, MisuseException {
        Map<String, String> values = new HashMap<>();
        String[] words = options.split(" ", -1);
        for (int i = 0; i < words.length; i += 2) {
            values.put(words[i], words[i + 1]);
        }
        Capture capture = GeneratedTraffic.of(GenerateOptions.of(values)).capture();
        assertThat(capture.truth().calls()).hasSize(Integer.parseInt(words[1]));
        assertThat(Comparison.differences(capture.truth(), analyse(capture, 2))).isEmpty();
    }

    private AnalysisResult analyse(Capture capture, int lanes) throws IOException {
        Path file = capture.writeTo(folder.resolve("capture"));
        try (PacketSource source = CaptureFiles.open(List.of(file.toString()))) {
            return Analysis.run(source, AnalysisOptions.defaults().withLanes(lanes));
        }
    }
}
