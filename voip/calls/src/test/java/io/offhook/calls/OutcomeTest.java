package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Endpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a call ended, from the messages that were seen of it. */
class OutcomeTest {
    private static final String OFFER = Sdp.audio("10.1.0.1", 4000);
    private static final String ANSWER = Sdp.audio("10.1.0.2", 5000);
    private static final Endpoint PROXY = Addresses.v4("10.1.0.9:5060");

    private final Scene scene = new Scene();
    private final Dialog dialog = new Dialog(scene);

    @ParameterizedTest
    @CsvSource({
        "300, REDIRECTED", "302, REDIRECTED", "380, REDIRECTED", "400, FAILED", "401, FAILED",
        "403, FAILED", "404, UNAVAILABLE", "407, FAILED", "408, UNAVAILABLE", "410, UNAVAILABLE",
        "480, UNAVAILABLE", "481, FAILED", "484, FAILED", "486, BUSY", "487, FAILED",
        "488, FAILED", "500, FAILED", "503, FAILED", "600, BUSY", "603, DECLINED",
        "604, FAILED", "606, FAILED", "607, DECLINED", "608, DECLINED", "699, FAILED"
    })
    void isToldByTheFinalStatus(int status, Outcome outcome) {
        dialog.invite(OFFER);
        scene.in(100);
        dialog.ringing();
        scene.in(900);
        dialog.respond(status);
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(outcome);
        assertThat(call.finalStatus()).isEqualTo(status);
        assertThat(call.times().endedNs()).isEqualTo(Scene.START_NS + Scene.SECOND);
        assertThat(call.times().answeredNs()).isEqualTo(CallReport.NEVER);
        assertThat(call.hungUpBy()).isNull();
        assertThat(call.codec()).isNull();
    }

    @Test
    void isAnsweredWith2xxAndBye() {
        dialog.answered(OFFER, ANSWER);
        scene.in(2000);
        dialog.bye(Side.CALLEE);
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(call.finalStatus()).isEqualTo(200);
        assertThat(call.parties().from()).isEqualTo("alice");
        assertThat(call.parties().to()).isEqualTo("bob");
        assertThat(call.hungUpBy()).isEqualTo(Side.CALLEE);
        assertThat(call.times().ringingNs()).isEqualTo(Scene.START_NS + 100 * Scene.MS);
        assertThat(call.times().answeredNs()).isEqualTo(Scene.START_NS + 250 * Scene.MS);
        assertThat(call.times().durationNs()).isEqualTo(2050 * Scene.MS);
        assertThat(call.times().setUpNs()).isEqualTo(100 * Scene.MS);
    }

    @Test
    void isOngoingWithoutBye() {
        dialog.answered(OFFER, ANSWER);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ONGOING);
        assertThat(scene.call().times().endedNs()).isEqualTo(CallReport.NEVER);
    }

    @Test
    void isRingingWithoutFinalResponse() {
        dialog.invite(OFFER).ringing();
        scene.in(60_000);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
    }

    @Test
    void isUnavailableOnceTheTransactionHasTimedOut() {
        dialog.invite(OFFER);
        scene.at(32_000);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        scene.at(32_001);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(scene.call().finalStatus()).isZero();
        assertThat(Found.in(scene.call())).containsExactly("noResponse note 32.0");
    }

    /** RFC 3261, 17.1.1.2: any provisional response stops timer B; then timer C goes (16.6). */
    @ParameterizedTest
    @ValueSource(ints = {100, 180})
    void isUnavailableThreeMinutesAfterTheLastProvisionalResponse(int status) {
        dialog.invite(OFFER);
        scene.at(1000);
        dialog.response(Side.CALLEE, status, 1, "INVITE", "");
        scene.at(61_000);
        dialog.again();
        scene.at(241_000);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        assertThat(scene.call().problems()).isEmpty();
        scene.at(241_001);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(Found.in(scene.call())).containsExactly("noFinalResponse service 241.0");
    }

    @Test
    void waitsForTheLastInvite() {
        dialog.invite(OFFER).response(Side.CALLEE, 100, 1, "INVITE", "").respond(407);
        scene.at(60_000);
        dialog.request(Side.CALLER, "INVITE", 2, false, OFFER);
        scene.at(92_000);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        scene.at(92_001);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(Found.in(scene.call())).containsExactly("noResponse note 92.0");
    }

    @Test
    void isNotCancelledByTheCancelOfAnAttemptBefore() {
        dialog.invite(OFFER).cancel(1).respond(487);
        dialog.request(Side.CALLER, "INVITE", 2, false, OFFER).response(Side.CALLEE, 180, 2, "INVITE", "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
    }

    @Test
    void isCancelledBy487AfterCancel() {
        dialog.invite(OFFER).ringing();
        scene.in(3000);
        dialog.request(Side.CALLER, "CANCEL", 1, false, "").respond(487);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.CANCELLED);
    }

    @Test
    void isCancelledWhereThe487WasNotCaptured() {
        dialog.invite(OFFER).ringing().request(Side.CALLER, "CANCEL", 1, false, "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.CANCELLED);
        assertThat(scene.call().finalStatus()).isZero();
    }

    @Test
    void isAnsweredWhereCancelCrosses200() {
        dialog.invite(OFFER).ringing();
        scene.in(1000);
        dialog.request(Side.CALLER, "CANCEL", 1, false, "")
                .response(Side.CALLEE, 200, 1, "INVITE", ANSWER)
                .response(Side.CALLEE, 200, 1, "CANCEL", "")
                .ack();
        scene.in(10);
        dialog.bye(Side.CALLER);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(scene.call().finalStatus()).isEqualTo(200);
    }

    @Test
    void isCancelledByByeInAnEarlyDialog() {
        dialog.invite(OFFER).ringing();
        scene.in(2000);
        dialog.bye(Side.CALLER);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.CANCELLED);
        // RFC 3261, 15.1.2: the INVITE that is pending ends in 487
        dialog.respond(487);
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.CANCELLED);
        assertThat(call.finalStatus()).isEqualTo(487);
        assertThat(call.times().endedNs()).isEqualTo(Scene.START_NS + 2 * Scene.SECOND);
        assertThat(call.hungUpBy()).isNull();
    }

    @Test
    void isAnsweredWhereOneBranchOfAForkIsBusyAndAnotherAnswers() {
        dialog.invite(OFFER);
        Endpoint proxy = Addresses.v4("10.1.0.2:5060");
        Dialog desk = dialog.hop(proxy, Addresses.v4("10.1.0.21:5060")).invite(OFFER);
        Dialog mobile = dialog.hop(proxy, Addresses.v4("10.1.0.22:5060")).invite(OFFER);
        scene.in(100);
        desk.respond(486);
        scene.in(100);
        mobile.ringing();
        dialog.ringing();
        scene.in(800);
        mobile.response(Side.CALLEE, 200, 1, "INVITE", ANSWER);
        dialog.response(Side.CALLEE, 200, 1, "INVITE", ANSWER).ack();
        scene.in(1000);
        dialog.bye(Side.CALLER);
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(call.finalStatus()).isEqualTo(200);
        assertThat(call.legs()).hasSize(3);
        assertThat(call.times().answeredNs()).isEqualTo(Scene.START_NS + Scene.SECOND);
    }

    @Test
    void isWhatTheCallersHopSaysWhereBranchesDiffer() {
        dialog.invite(OFFER);
        Endpoint proxy = Addresses.v4("10.1.0.2:5060");
        Dialog desk = dialog.hop(proxy, Addresses.v4("10.1.0.21:5060")).invite(OFFER);
        Dialog mobile = dialog.hop(proxy, Addresses.v4("10.1.0.22:5060")).invite(OFFER);
        scene.in(100);
        desk.respond(480);
        scene.in(100);
        mobile.respond(603);
        scene.in(100);
        dialog.respond(603);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.DECLINED);
        assertThat(scene.call().times().endedNs()).isEqualTo(Scene.START_NS + 300 * Scene.MS);
    }

    @Test
    void endsWhenTheFinalResponseWasFirstSeenOnAChainOfProxies() {
        dialog.invite(OFFER);
        Dialog second = dialog.hop(Addresses.v4("10.1.0.2:5060"), PROXY).invite(OFFER);
        scene.in(500);
        second.respond(486);
        scene.in(20);
        dialog.respond(486);
        assertThat(scene.call().times().endedNs()).isEqualTo(Scene.START_NS + 500 * Scene.MS);
        assertThat(scene.call().counts().messages()).isEqualTo(4);
    }

    @Test
    void forgetsTheChallengeOnceTheInviteIsSentWithCredentials() {
        dialog.invite(OFFER).respond(407);
        scene.in(50);
        dialog.request(Side.CALLER, "INVITE", 2, false, OFFER);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        assertThat(scene.call().finalStatus()).isZero();
        dialog.response(Side.CALLEE, 603, 2, "INVITE", "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.DECLINED);
        assertThat(scene.call().times().invitedNs()).isEqualTo(Scene.START_NS);
    }

    @Test
    void isAnsweredWhereTheCaptureBeganInMidCall() {
        dialog.request(Side.CALLEE, "INFO", 3, true, "");
        assertThat(scene.reports().calls()).isEmpty();
        scene.in(1000);
        dialog.bye(Side.CALLEE);
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(call.times().invitedNs()).isEqualTo(CallReport.NEVER);
        assertThat(call.times().answeredNs()).isEqualTo(CallReport.NEVER);
        assertThat(call.times().startedNs()).isEqualTo(Scene.START_NS);
        assertThat(call.legs()).isEmpty();
    }

    @Test
    void isNotDecidedByAReinviteThatIsRefusedInMidCall() {
        dialog.request(Side.CALLER, "INVITE", 7, true, OFFER);
        scene.in(50);
        dialog.response(Side.CALLEE, 488, 7, "INVITE", "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ONGOING);
        scene.in(1000);
        dialog.bye(Side.CALLER);
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(call.finalStatus()).isZero();
        assertThat(call.hungUpBy()).isEqualTo(Side.CALLER);
    }

    @Test
    void isNotAnsweredAnewByAReinviteInMidCall() {
        dialog.request(Side.CALLER, "INVITE", 7, true, OFFER);
        scene.in(50);
        dialog.response(Side.CALLEE, 200, 7, "INVITE", ANSWER);
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.ONGOING);
        assertThat(call.times().answeredNs()).isEqualTo(CallReport.NEVER);
        assertThat(call.codec()).isEqualTo("PCMU");
    }

    @Test
    void isNotChangedByAReinviteOfTheCalleeWithTheSameCseq() {
        dialog.answered(OFFER, ANSWER);
        scene.in(1000);
        dialog.request(Side.CALLEE, "INVITE", 1, true, ANSWER)
                .response(Side.CALLER, 183, 1, "INVITE", "")
                .response(Side.CALLER, 491, 1, "INVITE", "");
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.ONGOING);
        assertThat(call.finalStatus()).isEqualTo(200);
        assertThat(call.times().progressNs()).isEqualTo(Scene.START_NS + 100 * Scene.MS);
    }

    @Test
    void hasNoRingingWhereOnlyAReinviteHadAProvisionalResponse() {
        dialog.invite(OFFER);
        scene.in(100);
        dialog.response(Side.CALLEE, 200, 1, "INVITE", ANSWER).ack();
        scene.in(1000);
        dialog.request(Side.CALLEE, "INVITE", 1, true, ANSWER).response(Side.CALLER, 180, 1, "INVITE", "");
        assertThat(scene.call().times().ringingNs()).isEqualTo(CallReport.NEVER);
        assertThat(scene.call().times().setUpNs()).isEqualTo(100 * Scene.MS);
    }

    @Test
    void takesTheResponseForTheInvitesWhereTheCaptureBeganBetweenThem() {
        dialog.response(Side.CALLEE, 200, 1, "INVITE", ANSWER);
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.ONGOING);
        assertThat(call.times().answeredNs()).isEqualTo(Scene.START_NS);
        assertThat(call.codec()).isEqualTo("PCMU");
    }
}
