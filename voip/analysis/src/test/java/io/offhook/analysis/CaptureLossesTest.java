package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.StreamReport;
import io.offhook.pcap.CaptureLoss;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Segmentation;
import io.offhook.testkit.traffic.Segmentation.Fate;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.traffic.Transport;
import io.offhook.testkit.truth.Party;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ran while the capture itself lost packets is not trusted. */
class CaptureLossesTest {
    private static final long SECOND_NS = 1_000_000_000;

    /** Two calls, one after the other. */
    private static List<Frame> calls() {
        Traffic traffic = new Traffic(9).every(10_000);
        for (String id : List.of("first", "second")) {
            traffic.call(call -> call.callId(id).completed(Party.CALLER, 2000));
        }
        return traffic.capture().frames();
    }

    private static AnalysisResult analyse(List<Frame> frames, int lanes, List<CaptureLoss> losses) {
        MemorySource source = new MemorySource(frames, 100, losses);
        return Analysis.run(source, AnalysisOptions.defaults().withLanes(lanes));
    }

    private static List<Boolean> trusted(AnalysisResult result, int call) {
        List<Boolean> trusted = new ArrayList<>();
        for (StreamReport stream : result.calls().get(call).streams()) {
            trusted.add(Objects.requireNonNull(stream.quality()).trusted());
        }
        assertThat(trusted).hasSize(2);
        return trusted;
    }

    private static CaptureReport.@Nullable Counter counter(AnalysisResult result, String name) {
        return result.capture().counters().stream()
                .filter(counter -> counter.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void doubtOnlyTheCallsThatRanMeanwhile(int lanes) {
        List<Frame> frames = calls();
        StreamReport stream =
                analyse(frames, 1, List.of()).calls().get(1).streams().getFirst();
        long second = stream.statistics().firstNs() + SECOND_NS;
        CaptureLoss loss = new CaptureLoss("memory", 5, 300, 301, second, second + 1000);
        AnalysisResult result = analyse(frames, lanes, List.of(loss));
        assertThat(trusted(result, 0)).containsExactly(true, true);
        assertThat(trusted(result, 1)).containsExactly(false, false);
        assertThat(result.capture().losses()).containsExactly(loss);
        assertThat(counter(result, "packetsLostByCapture"))
                .isEqualTo(new CaptureReport.Counter("packetsLostByCapture", 5, 300, 301, second, second + 1000));
    }

    @Test
    void areSummedOverTheirPlaces() {
        List<Frame> frames = calls();
        AnalysisResult result = analyse(
                frames,
                1,
                List.of(
                        new CaptureLoss("memory", 5, 30, 31, SECOND_NS, 2 * SECOND_NS),
                        new CaptureLoss("memory", 2, 0, 0, 0, 0), // nothing came through: no place
                        new CaptureLoss("memory", 1, 10, 11, 3 * SECOND_NS, 4 * SECOND_NS)));
        assertThat(counter(result, "packetsLostByCapture"))
                .isEqualTo(new CaptureReport.Counter("packetsLostByCapture", 8, 10, 31, SECOND_NS, 4 * SECOND_NS));
        assertThat(trusted(result, 0)).containsExactly(true, true);
    }

    @Test
    void withoutAnyAllIsTrusted() {
        AnalysisResult result = analyse(calls(), 1, List.of());
        assertThat(trusted(result, 0)).containsExactly(true, true);
        assertThat(trusted(result, 1)).containsExactly(true, true);
        assertThat(counter(result, "packetsLostByCapture")).isNull();
        assertThat(counter(result, "tcpGapsAcknowledged")).isNull();
    }

    /** While a call has media, the 200 of another one over TCP has a hole; the ACK acknowledges it. */
    private static AnalysisResult withHole(int lanes, double loss) {
        Traffic traffic = new Traffic(9);
        traffic.call(call -> call.media(Party.CALLEE, shape -> shape.loss(loss)).completed(Party.CALLER, 9000));
        traffic.call(call -> call.over(Transport.TCP)
                .cut((random, number, length) ->
                        Segmentation.every(200, length).with(number == 3 ? Fate.HOLE : Fate.IN_ORDER))
                .completed(Party.CALLER, 1000));
        AnalysisResult result = analyse(traffic.capture().frames(), lanes, List.of());
        CaptureReport.Counter gaps = Objects.requireNonNull(counter(result, "tcpGapsAcknowledged"));
        assertThat(gaps.count()).isEqualTo(1);
        assertThat(gaps.firstFrame()).isLessThan(gaps.lastFrame());
        assertThat(gaps.firstNs()).isLessThan(gaps.lastNs());
        return result;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void showInTcpWhoseReceiverAcknowledgedWhatWasNotCaptured(int lanes) {
        AnalysisResult result = withHole(lanes, 0.05);
        // of its two streams, the one that lacks packets
        assertThat(trusted(result, 0)).containsExactlyInAnyOrder(true, false);
        StreamReport whole = result.calls().getFirst().streams().stream()
                .filter(stream -> Objects.requireNonNull(stream.quality()).trusted())
                .findFirst()
                .orElseThrow();
        assertThat(whole.statistics().lost()).isZero();
    }
}
