package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.rtp.quality.Quality;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Packets that the capture lacks, and what the receiver's RTCP says of them. */
class UncapturedPacketsTest {
    private static final Flow FORTH = Flow.of("10.1.0.1:4000", "10.1.0.2:5000", 0xa);
    private static final Flow BACK = Flow.of("10.1.0.2:5000", "10.1.0.1:4000", 0xb);

    /** A minute, in rounds of 5 s. */
    private static final int ROUNDS = 12;

    private static final int PACKETS_A_ROUND = 250;

    private final Scene scene = new Scene();
    private final Dialog dialog = new Dialog(scene);

    private List<String> problems() {
        return Found.in(scene.call("one@test"));
    }

    private StreamReport stream() {
        return scene.call("one@test").streams().stream()
                .filter(stream -> stream.from() == Side.CALLEE)
                .findFirst()
                .orElseThrow();
    }

    /**
     * A call of which the capture lacks every 20th packet of the callee.
     *
     * @param lostEach packets that the receiver says were lost in 5 s
     * @param ahead of the numbers that were captured
     */
    private void call(int reports, int lostEach, int jitter, int ahead) {
        dialog.answered(Sdp.audio("10.1.0.1", 4000), Sdp.audio("10.1.0.2", 5000));
        Flow back = BACK.losing(20);
        for (int i = 1; i <= ROUNDS; i++) {
            scene.talk(5000, FORTH, back);
            if (i > ROUNDS - reports) {
                receiverReport(lostEach * i, ahead + PACKETS_A_ROUND * i - 1, jitter);
            }
        }
        dialog.bye(Side.CALLER);
    }

    private void receiverReport(int lost, int highest, int jitter) {
        String report =
                String.format("81c90007%08x%08x00%06x%08x%08x0000000000000000", 0xa, 0xb, lost, highest, jitter);
        scene.rtcp(Addresses.v4("10.1.0.1:4001"), Addresses.v4("10.1.0.2:5001"), report);
    }

    @Test
    void areNoLossIfTheReceiverReportsThatItLostNone() {
        call(ROUNDS, 0, 8, 0);
        assertThat(problems()).containsExactly("captureLoss note callee 4.6");
        assertThat(stream().statistics().lost()).isEqualTo(149);
        // of the last interval, nothing is proven
        assertThat(scene.call("one@test").problems().getFirst().count()).isEqualTo(137);
        assertThat(((Quality) stream().rating()).trusted()).isFalse();
        assertThat(stream().problems(ProblemLimits.DEFAULT))
                .extracting(Problem::kind)
                .containsExactly(Problem.Kind.CAPTURE_LOSS);
    }

    @Test
    void areLostIfTheReceiverLacksThemToo() {
        call(ROUNDS, 13, 8, 0);
        assertThat(problems()).containsExactly("loss service callee 5.0");
        assertThat(((Quality) stream().rating()).trusted()).isTrue();
    }

    @Test
    void areLostAsFarAsTheReceiverLacksThem() {
        call(ROUNDS, 5, 8, 0);
        assertThat(problems()).containsExactlyInAnyOrder("loss note callee 2.4", "captureLoss note callee 2.6");
        assertThat(scene.call("one@test").problems().stream()
                        .mapToLong(Problem::count)
                        .sum())
                .isEqualTo(149);
    }

    /** A stack that fills in nothing but the number, a single report, reports on other numbers, reports that begin late. */
    @ParameterizedTest
    @CsvSource({"12, 0, 0, 5.0", "1, 8, 0, 5.0", "12, 8, 10000, 5.0", "12, 8, -10000, 5.0", "5, 8, 0, 3.3"})
    void areLostUnlessTheReportsProveOtherwise(int reports, int jitter, int ahead, double percent) {
        call(reports, 0, jitter, ahead);
        assertThat(problems()).contains("loss service callee " + percent);
    }

    /** They make up for losses in the receiver's count. */
    @Test
    void areLostAsFarAsDuplicatesMayHideIt() {
        dialog.answered(Sdp.audio("10.1.0.1", 4000), Sdp.audio("10.1.0.2", 5000));
        Flow back = BACK.losing(20);
        for (int i = 1; i <= ROUNDS; i++) {
            scene.talk(5000, FORTH, back);
            scene.talk(14 * 20, BACK.ahead(PACKETS_A_ROUND * i - 20));
            receiverReport(0, PACKETS_A_ROUND * i - 1, 8);
        }
        dialog.bye(Side.CALLER);
        assertThat(stream().statistics().duplicates()).isGreaterThan(100);
        assertThat(problems()).contains("loss service callee 4.8");
    }
}
