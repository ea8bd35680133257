package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** SIP that the snap length cut is read up to its last whole line. */
class SnappedMessagesTest {
    private static final String CALL_ID = "a-call-id-that-may-be-cut-anywhere@192.0.2.1";
    private static final List<Frame> WHOLE = new Traffic(4)
            .call(call -> call.callId(CALL_ID).completed(Party.CALLER, 200))
            .capture()
            .frames();

    private static List<Frame> snapped(int length) {
        List<Frame> frames = new ArrayList<>();
        for (Frame frame : WHOLE) {
            byte[] bytes = frame.bytes();
            byte[] kept = Arrays.copyOf(bytes, Math.min(length, bytes.length));
            frames.add(new Frame(frame.timestampNs(), frame.linkType(), kept, bytes.length));
        }
        return frames;
    }

    private static long counter(AnalysisResult result, String name) {
        return result.capture().counters().stream()
                .filter(counter -> counter.name().equals(name))
                .mapToLong(CaptureReport.Counter::count)
                .sum();
    }

    private static AnalysisResult analysed(int length) {
        return Analysis.run(new MemorySource(snapped(length), 100), AnalysisOptions.defaults());
    }

    private static boolean isSip(Frame frame) {
        String text = new String(frame.bytes(), StandardCharsets.ISO_8859_1);
        return text.contains("SIP/2.0\r\n") || text.contains("SIP/2.0 ");
    }

    @Test
    void noCallHasHalfACallIdWithoutSayingSo() {
        int messages = (int) WHOLE.stream().filter(SnappedMessagesTest::isSip).count();
        int longest =
                WHOLE.stream().mapToInt(frame -> frame.bytes().length).max().orElseThrow();
        int outcomes = 0;
        for (int length = 42; length <= longest; length++) {
            AnalysisResult result = analysed(length);
            assertThat(result.calls())
                    .as("snap length %d", length)
                    .hasSizeLessThanOrEqualTo(1)
                    .allSatisfy(call -> assertThat(CALL_ID).startsWith(call.callId()))
                    .allSatisfy(call -> assertThat(
                                    call.isCallIdPartial() || call.callId().equals(CALL_ID))
                            .isTrue());
            long read = result.capture().sipRequests() + result.capture().sipResponses();
            assertThat(read)
                    .as("snap length %d", length)
                    .isLessThanOrEqualTo(messages - counter(result, "sipMessagesPartial"));
            boolean isPartial = result.calls().stream().anyMatch(CallReport::isCallIdPartial);
            long most = read > counter(result, "sipWithoutCallId") ? 1 : 0;
            assertThat(result.capture().callIds())
                    .as("snap length %d", length)
                    .isGreaterThanOrEqualTo(most)
                    .isLessThanOrEqualTo(isPartial ? 2 : most); // that of a whole ACK may not be known for the call's
            outcomes += (int) result.calls().stream()
                    .map(CallReport::outcome)
                    .filter(outcome -> outcome == Outcome.ANSWERED)
                    .count();
        }
        assertThat(outcomes).isGreaterThan(100);
    }

    @Test
    void lessThanStartLineAndViaIsCounted() {
        AnalysisResult result = analysed(42 + 60);
        assertThat(result.calls()).isEmpty();
        assertThat(result.capture().sipRequests()).isZero();
        assertThat(counter(result, "sipMessagesPartial")).isPositive();
    }
}
