package io.offhook.analysis.kept;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.CallReport;
import io.offhook.testkit.traffic.Scenarios;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What comes out for a call is what the whole capture has of it. */
class KeptPacketsTest {
    @TempDir
    private Path folder;

    /** One in four, from each kind: all of them take a minute, and differ in what a segment does not look at. */
    private static Stream<String> scenarios() {
        List<String> all = List.copyOf(Scenarios.all().keySet());
        return IntStream.range(0, all.size()).filter(i -> i % 4 == 0).mapToObj(all::get);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void givesEachCallItsPackets(String scenario) throws Exception {
        KeptSample sample =
                KeptSample.of(Scenarios.traffic(scenario, 11).capture().writeTo(folder.resolve("capture")));
        KeepSettings settings = new KeepSettings(folder.resolve("kept"), KeepSettings.LEAST_BYTES);
        KeptCounts counts = sample.keep(settings);
        assertThat(counts.lost() + counts.dropped()).isZero();
        try (KeptPackets kept = KeptPackets.open(settings)) {
            for (CallReport call : sample.calls()) {
                assertThat(sample.found(kept, call))
                        .as(scenario + ' ' + call.callId())
                        .isEqualTo(sample.expected(call));
            }
        }
    }
}
