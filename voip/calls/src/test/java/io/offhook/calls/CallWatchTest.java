package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of calls while they go on. */
class CallWatchTest {
    private static final String OFFER = Sdp.audio("10.1.0.1", 4000);
    private static final String ANSWER = Sdp.audio("10.1.0.2", 5000);
    private static final Flow FROM_CALLER = Flow.of("10.1.0.1:4000", "10.1.0.2:5000", 1);
    private static final Flow FROM_CALLEE = Flow.of("10.1.0.2:5000", "10.1.0.1:4000", 2);

    private final Scene scene = new Scene();
    private final Dialog dialog = new Dialog(scene);
    private final CallWatch watch = new CallWatch(scene.assembly());

    private CallReports look() {
        return watch.look(scene.nowNs(), true, false);
    }

    private List<Outcome> news() {
        look();
        return watch.changed().stream().map(CallReport::outcome).toList();
    }

    @Test
    void reportsEachStepOfACallOnce() {
        dialog.invite(OFFER);
        assertThat(news()).containsExactly(Outcome.RINGING);
        assertThat(news()).isEmpty();
        scene.in(100);
        dialog.ringing();
        assertThat(news()).containsExactly(Outcome.RINGING);
        scene.in(100);
        dialog.response(Side.CALLEE, 200, 1, "INVITE", ANSWER).ack();
        assertThat(news()).containsExactly(Outcome.ONGOING);
        scene.talk(2_000, FROM_CALLER, FROM_CALLEE);
        assertThat(news()).isEmpty();
        dialog.bye(Side.CALLEE);
        assertThat(news()).containsExactly(Outcome.ANSWERED);
        scene.in(1_000);
        assertThat(news()).isEmpty();
    }

    @Test
    void reportsACallOnceMoreWhenItIsOverForGoodAndThenNoMore() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(1_000, FROM_CALLER, FROM_CALLEE);
        dialog.bye(Side.CALLER);
        assertThat(news()).containsExactly(Outcome.ANSWERED);
        scene.in(6_000);
        look();
        assertThat(watch.changed())
                .singleElement()
                .satisfies(call -> assertThat(call.streams()).hasSize(2));
        scene.in(1_000);
        assertThat(look().calls()).isEmpty();
        assertThat(watch.changed()).isEmpty();
    }

    @Test
    void reportsAProblemWhenItAppearsAndNotEachTimeItsFigureMoves() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(2_000, FROM_CALLER, FROM_CALLEE);
        assertThat(news()).hasSize(1);
        Flow lossy = FROM_CALLER.losing(5);
        scene.begin(lossy).talk(10_000, lossy, FROM_CALLEE);
        look();
        assertThat(watch.changed())
                .singleElement()
                .satisfies(
                        call -> assertThat(call.problems()).anyMatch(problem -> problem.kind() == Problem.Kind.LOSS));
        Flow lossier = FROM_CALLER.losing(3);
        scene.begin(lossier).talk(10_000, lossier, FROM_CALLEE);
        assertThat(news()).isEmpty();
    }

    @Test
    void looksAgainAtASettledCallWithAllItsStreamsWhenMoreOfItComes() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(1_000, FROM_CALLER, FROM_CALLEE);
        dialog.bye(Side.CALLER);
        scene.in(6_000);
        assertThat(news()).hasSize(1);
        Flow late = Flow.of("10.1.0.1:4000", "10.1.0.2:5000", 3);
        scene.talk(100, FROM_CALLEE, late);

        CallReports reports = look();

        assertThat(reports.calls())
                .singleElement()
                .satisfies(call -> assertThat(call.streams()).hasSizeGreaterThanOrEqualTo(2));
        assertThat(reports.calls().getFirst().streams())
                .hasSameSizeAs(scene.call().streams());
    }

    @Test
    void countsPacketsOfSettledCallsToo() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(1_000, FROM_CALLER, FROM_CALLEE);
        dialog.bye(Side.CALLER);
        scene.in(6_000);
        look();
        CallReports reports = look();

        assertThat(reports.calls()).isEmpty();
        assertThat(reports.rtpPackets()).isEqualTo(100);
        assertThat(reports.rtpPackets()).isEqualTo(scene.reports().rtpPackets());
    }

    @Test
    void reportsThatNobodyAnsweredThoughNothingComesAnyMore() {
        dialog.invite(OFFER);
        assertThat(news()).containsExactly(Outcome.RINGING);
        scene.in(40_000);
        assertThat(news()).containsExactly(Outcome.UNAVAILABLE);
    }

    @Test
    void saysAtTheEndWhatItWouldHaveSaidWithoutLooks() {
        Scene other = new Scene();
        play(scene, dialog, true);
        play(other, new Dialog(other), false);

        assertThat(scene.call())
                .usingRecursiveComparison()
                .ignoringFieldsMatchingRegexes(".*statistics\\.noted.*") // packets that waited
                .withEqualsForType((a, b) -> Double.compare(a, b) == 0, Double.class) // NaN too
                .isEqualTo(other.call());
    }

    private void play(Scene scene, Dialog dialog, boolean looks) {
        // media before the SDP that explains it
        for (int i = 0; i < 5; i++) {
            scene.talk(200, FROM_CALLER, FROM_CALLEE);
            lookIf(looks);
        }
        dialog.answered(OFFER, ANSWER);
        for (int i = 0; i < 5; i++) {
            scene.talk(1_000, FROM_CALLER, FROM_CALLEE.losing(7));
            lookIf(looks);
        }
        dialog.bye(Side.CALLEE);
        lookIf(looks);
        scene.in(7_000);
        lookIf(looks);
    }

    private void lookIf(boolean looks) {
        if (looks) {
            look();
        }
    }
}
