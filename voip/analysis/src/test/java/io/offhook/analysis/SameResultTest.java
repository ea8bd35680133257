package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.MediaOptions;
import io.offhook.calls.event.SipListener;
import io.offhook.pcap.PacketSource;
import io.offhook.testkit.traffic.Capture;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The result is a function of the packets: not of the number of lanes, nor of how the source cuts them into batches. */
class SameResultTest {
    private static final int WHOLE = 4096;
    private static List<Frame> frames = List.of();
    private static List<String> expected = List.of();

    @BeforeAll
    static void analyseOnce() {
        Traffic traffic = Traffic.random(77, 60);
        Set<String> more = Set.of("among-other-traffic", "media-without-signalling", "media-ports-used-again");
        Scenarios.all().forEach((name, scenario) -> {
            if (more.contains(name)) {
                scenario.accept(traffic);
            }
        });
        Capture capture = traffic.capture();
        frames = capture.frames();
        expected = figures(1, WHOLE);
    }

    private static List<String> figures(int lanes, int perBatch) {
        AnalysisOptions options = AnalysisOptions.defaults()
                .withLanes(lanes)
                .withRtpHeuristic(true)
                .withMedia(MediaOptions.DEFAULT.withWireshark(true));
        try (PacketSource source = new MemorySource(frames, perBatch)) {
            return Figures.of(Analysis.run(source, options));
        }
    }

    @Test
    void comparesWhatIsWorthComparing() {
        assertThat(frames).hasSizeGreaterThan(10_000);
        assertThat(expected).hasSizeGreaterThan(5_000).anyMatch(line -> line.contains(".statistics.maxJitterMs = "));
        assertThat(expected).anyMatch(line -> line.startsWith(".streams[0].statistics.packets = "));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7})
    void doesNotDependOnTheNumberOfLanes(int lanes) {
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThat(figures(lanes, 250)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 100", "3, 977", "3, 4095", "7, 333"})
    void doesNotDependOnHowTheSourceCutsItsBatches(int lanes, int perBatch) {
        assertThat(figures(lanes, perBatch)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void reportsTheListenerTheSameInTheOrderOfCapture(int lanes) {
        List<String> reported = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        SipListener listener = (message, packet, copy) -> {
            reported.add(packet.frameNumber() + " " + copy + " " + message.startLine());
            numbers.add(packet.frameNumber());
        };
        AnalysisResult result;
        try (PacketSource source = new MemorySource(frames, WHOLE)) {
            result = Analysis.run(
                    source, AnalysisOptions.defaults().withLanes(lanes).withListener(listener));
        }
        assertThat(numbers).isSorted();
        assertThat((long) reported.size())
                .isEqualTo(result.capture().sipRequests() + result.capture().sipResponses());
        List<String> alone = new ArrayList<>();
        try (PacketSource source = new MemorySource(frames, 500)) {
            Analysis.run(
                    source,
                    AnalysisOptions.defaults()
                            .withLanes(1)
                            .withListener((message, packet, copy) ->
                                    alone.add(packet.frameNumber() + " " + copy + " " + message.startLine())));
        }
        assertThat(reported).isEqualTo(alone);
    }
}
