package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.join.JoinOptions;
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
                .ignoringFieldsMatchingRegexes(".*statistics\\.regular.*") // packets that wait, and their empty places
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

    private static SipLeg leg(Scene scene, String callId, String source, String destination) {
        return new SipLeg(scene, callId, source + ":5060", destination + ":5060");
    }

    /** The dialogs of the calls that changed, by Call-ID. */
    private List<String> changedDialogs() {
        look();
        return watch.changed().stream()
                .map(call -> call.callId() + ": "
                        + String.join(
                                "+",
                                call.dialogs().stream()
                                        .map(CallReport.Dialog::callId)
                                        .toList()))
                .toList();
    }

    @Test
    void reportsBothLegsWhenTheyAreKnownToBeOneCall() {
        SipLeg in = leg(scene, "in", "10.1.0.1", "10.2.0.1").invite();
        assertThat(changedDialogs()).containsExactly("in: in");
        scene.in(80);
        SipLeg out =
                leg(scene, "out", "10.2.0.1", "10.3.0.1").header("X-CID: in").invite();
        assertThat(changedDialogs()).containsExactly("in: in+out", "out: in+out");
        assertThat(changedDialogs()).isEmpty();
        scene.in(1000);
        out.respond(486);
        assertThat(changedDialogs()).containsExactly("out: in+out");
        // the first leg goes on without it
        scene.in(10_000);
        assertThat(changedDialogs()).isEmpty();
        in.answer();
        assertThat(changedDialogs()).containsExactly("in: in+out");
        in.bye();
        assertThat(changedDialogs()).containsExactly("in: in+out");
        scene.in(6000);
        assertThat(changedDialogs()).as("both are over for good").containsExactly("in: in+out", "out: in+out");
        assertThat(look().calls()).isEmpty();
        in.respond(200);
        assertThat(changedDialogs()).as("a late packet").containsExactlyInAnyOrder("in: in+out", "out: in+out");
    }

    @Test
    void reportsWhatACallBecameUntilBothAreOver() {
        SipLeg gone = leg(scene, "gone", "10.1.0.1", "10.2.0.1").invite();
        scene.in(1000);
        gone.respond(180);
        look();
        leg(scene, "picked", "10.3.0.1", "10.2.0.1")
                .header("Replaces: gone;from-tag=fgone;to-tag=tgone;early-only")
                .invite()
                .answer();
        assertThat(changedDialogs()).containsExactlyInAnyOrder("gone: gone", "picked: picked");
        assertThat(watch.changed().getFirst().joined().relations())
                .extracting(CallReport.Relation::kind)
                .containsExactly(CallReport.Relation.Kind.PICKED_UP_BY);
        gone.respond(487);
        assertThat(changedDialogs()).containsExactly("gone: gone");
        scene.in(20_000);
        assertThat(changedDialogs()).isEmpty();
    }

    @Test
    void joinsNothingWhileACallGoesOnIfItIsNotToJoinAtAll() {
        Scene own = new Scene(new CallAssembly(
                100,
                1,
                1,
                MediaOptions.DEFAULT,
                ProblemLimits.DEFAULT,
                new JoinOptions(false, List.of(), List.of()),
                (message, packet, copy) -> {}));
        leg(own, "in", "10.1.0.1", "10.2.0.1").invite();
        leg(own, "out", "10.2.0.1", "10.3.0.1").header("X-CID: in").invite();
        CallWatch apart = new CallWatch(own.assembly());
        apart.look(own.nowNs(), true, false);

        assertThat(apart.changed())
                .hasSize(2)
                .allSatisfy(call -> assertThat(call.dialogs()).hasSize(1));
    }
}
