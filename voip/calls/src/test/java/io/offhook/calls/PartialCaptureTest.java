package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.offhook.packet.PlacedCount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of which messages are missing: the capture began late, had a hole, or saw one direction only. */
class PartialCaptureTest {
    private static final String OFFER = Sdp.audio("10.1.0.1", 4000);
    private static final String ANSWER = Sdp.audio("10.1.0.2", 5000);

    private final Scene scene = new Scene();
    private final Dialog dialog = new Dialog(scene);

    private Dialog ok(int cseq) {
        return dialog.response(Side.CALLEE, 200, cseq, "INVITE", ANSWER);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 407})
    void isAnsweredWhereTheInviteWithCredentialsIsMissing(int challenge) {
        dialog.invite(OFFER).respond(challenge).ackRefusal(1);
        scene.at(100);
        dialog.response(Side.CALLEE, 180, 2, "INVITE", "");
        scene.at(1000);
        ok(2).request(Side.CALLER, "ACK", 2, true, "");
        scene.at(5000);
        dialog.bye(Side.CALLER);
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(call.finalStatus()).isEqualTo(200);
        assertThat(call.times().invitedNs()).isEqualTo(Scene.START_NS);
        assertThat(call.times().ringingNs()).isEqualTo(Scene.START_NS + 100 * Scene.MS);
        assertThat(call.times().durationNs()).isEqualTo(4 * Scene.SECOND);
        assertThat(call.legs()).hasSize(1);
        assertThat(call.problems()).isEmpty();
    }

    @Test
    void lastsAboutFromTheAckWhereNoResponseWasCaptured() {
        dialog.invite(OFFER);
        scene.at(1000);
        dialog.request(Side.CALLER, "ACK", 1, true, "");
        scene.at(5000);
        dialog.bye(Side.CALLER);
        CallReport.Times times = scene.call().times();
        assertThat(times.answeredNs()).isEqualTo(CallReport.NEVER);
        assertThat(times.setUpNs()).isEqualTo(CallReport.NEVER);
        assertThat(times.durationNs()).isEqualTo(4 * Scene.SECOND);
        assertThat(times.isDurationApproximate()).isTrue();
    }

    @Test
    void hasNoLengthWhereTheAckProvesARefusal() {
        dialog.invite(OFFER).ackRefusal(1);
        assertThat(scene.call().times().durationNs()).isEqualTo(CallReport.NEVER);
        assertThat(scene.call().times().isDurationApproximate()).isFalse();
    }

    @Test
    void ringsWhereTheInviteWithCredentialsIsMissing() {
        dialog.invite(OFFER).respond(407).response(Side.CALLEE, 180, 2, "INVITE", "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        assertThat(scene.call().finalStatus()).isZero();
        assertThat(scene.call().times().endedNs()).isEqualTo(CallReport.NEVER);
    }

    @Test
    void forgetsAChallengeThatWasSeenBeforeAnyInvite() {
        dialog.respond(401).ackRefusal(1);
        assertThat(scene.call().finalStatus()).isEqualTo(401);
        scene.at(20);
        dialog.request(Side.CALLER, "INVITE", 2, false, OFFER);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        dialog.response(Side.CALLEE, 180, 2, "INVITE", "").response(Side.CALLEE, 486, 2, "INVITE", "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.BUSY);
        assertThat(scene.call().finalStatus()).isEqualTo(486);
        assertThat(Found.in(scene.call())).containsExactly("busy normal 486");
    }

    @Test
    void keepsAResponseThatOvertookItsInvite() {
        dialog.respond(486);
        dialog.invite(OFFER);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.BUSY);
        assertThat(scene.call().times().invitedNs()).isEqualTo(Scene.START_NS);
        assertThat(scene.call().legs()).hasSize(1);
    }

    @Test
    void ignoresALateResponseToAnInviteThatWasGivenUp() {
        dialog.invite(OFFER).respond(407);
        dialog.request(Side.CALLER, "INVITE", 2, false, OFFER).respond(407);
        dialog.response(Side.CALLEE, 503, 1, "INVITE", "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
    }

    /** The 200 is missing; the ACK to it has a branch of its own. */
    @Test
    void isAnsweredWhereOnlyTheAckOfTheAnswerWasCaptured() {
        dialog.invite(OFFER).ringing();
        scene.at(2000);
        dialog.ack();
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ONGOING);
        scene.at(9000);
        dialog.bye(Side.CALLER);
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(call.times().answeredNs()).isEqualTo(CallReport.NEVER);
        assertThat(call.finalStatus()).isZero();
        assertThat(call.hungUpBy()).isEqualTo(Side.CALLER);
        assertThat(call.times().endedNs()).isEqualTo(Scene.START_NS + 9 * Scene.SECOND);
        assertThat(call.problems()).isEmpty();
    }

    @Test
    void isAnsweredByWhatTheCallerSendsAlone() {
        dialog.invite(OFFER).ackRefusal(1);
        dialog.request(Side.CALLER, "INVITE", 2, false, OFFER);
        scene.at(1000);
        dialog.request(Side.CALLER, "ACK", 2, true, "");
        scene.at(9000);
        dialog.request(Side.CALLER, "BYE", 3, true, "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ANSWERED);
    }

    /** An ACK of the INVITE's transaction is one to a refusal, whatever else is missing. */
    @Test
    void isNotAnsweredByTheAckOfARefusal() {
        dialog.invite(OFFER).ringing();
        scene.at(2000);
        dialog.cancel(1).ackRefusal(1);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.CANCELLED);
    }

    @Test
    void isCancelledWhereTheCaptureBeganWithTheCancel() {
        dialog.cancel(1);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.CANCELLED);
        dialog.respond(487);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.CANCELLED);
        assertThat(scene.call().finalStatus()).isEqualTo(487);
    }

    /** Some clients give every ACK a branch of its own. */
    @Test
    void isNotAnsweredByAnAckAfterARefusal() {
        dialog.invite(OFFER).respond(486).ack();
        assertThat(scene.call().outcome()).isEqualTo(Outcome.BUSY);
    }

    @Test
    void isAnsweredWhereTheCalleeHangsUp() {
        dialog.invite(OFFER).ringing();
        scene.at(9000);
        dialog.bye(Side.CALLEE);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(scene.call().hungUpBy()).isEqualTo(Side.CALLEE);
        assertThat(scene.call().times().answeredNs()).isEqualTo(CallReport.NEVER);
    }

    @ParameterizedTest
    @EnumSource(Side.class)
    void isAnsweredWhereAReinviteFollows(Side by) {
        dialog.invite(OFFER).ringing();
        scene.at(9000);
        dialog.request(by, "INVITE", 2, true, OFFER).response(by.other(), 488, 2, "INVITE", "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ONGOING);
        assertThat(scene.call().finalStatus()).isZero();
        assertThat(scene.call().times().answeredNs()).isEqualTo(CallReport.NEVER);
    }

    @Test
    void takesAnInviteWithTheToTagOfTheChallengeForANewAttempt() {
        dialog.invite(OFFER).respond(401).ackRefusal(1);
        dialog.request(Side.CALLER, "INVITE", 2, true, OFFER);
        dialog.response(Side.CALLEE, 486, 2, "INVITE", "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.BUSY);
    }

    /** A session timer refreshes with UPDATE (RFC 4028): all that is seen of a long call. */
    @ParameterizedTest
    @EnumSource(Side.class)
    void isOngoingWhereOnlyAnUpdateIsSeen(Side by) {
        dialog.accepted(by, "UPDATE", 7, OFFER, ANSWER);
        scene.at(60_000);
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.ONGOING);
        assertThat(call.problems()).isEmpty();
        assertThat(scene.assembly().bindings().at(Addresses.v4("10.1.0.1:4000")))
                .hasSize(1);
    }

    @Test
    void isNotAnsweredByAnUpdateOrPrackOfAnEarlyDialog() {
        dialog.request(Side.CALLER, "PRACK", 2, true, "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        scene.at(10);
        dialog.request(Side.CALLER, "UPDATE", 3, true, OFFER).ringing();
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        scene.at(1000);
        ok(1).ack();
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.ONGOING);
        assertThat(call.times().answeredNs()).isEqualTo(Scene.START_NS + Scene.SECOND);
        assertThat(call.times().ringingNs()).isEqualTo(Scene.START_NS + 10 * Scene.MS);
    }

    /** Until the INVITE says otherwise, who sent the first message counts as the caller. */
    @Test
    void learnsWhoIsWhoFromTheInviteAfterAnUpdateOfTheCallee() {
        dialog.request(Side.CALLEE, "UPDATE", 5, true, ANSWER);
        assertThat(scene.call().parties().from()).isEqualTo("bob");
        scene.at(1000);
        ok(1).ack();
        scene.at(2000);
        dialog.bye(Side.CALLEE);
        CallReport call = scene.call();
        assertThat(call.parties().from()).isEqualTo("alice");
        assertThat(call.parties().to()).isEqualTo("bob");
        assertThat(call.times().answeredNs()).isEqualTo(Scene.START_NS + Scene.SECOND);
        assertThat(call.hungUpBy()).isEqualTo(Side.CALLEE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UPDATE", "PRACK"})
    void makesNoCallOfARequestOutsideADialog(String method) {
        dialog.request(Side.CALLER, method, 1, false, "");
        assertThat(scene.reports().calls()).isEmpty();
    }

    // one direction

    /** RFC 3261, 17.1.1.3: an ACK with the branch of the INVITE is for a final response of 300 or higher. */
    @Test
    void isRefusedWhereOnlyTheAckOfTheRefusalWasCaptured() {
        dialog.invite(OFFER);
        scene.at(800);
        dialog.ackRefusal(1);
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(call.finalStatus()).isZero();
        assertThat(call.times().endedNs()).isEqualTo(Scene.START_NS + 800 * Scene.MS);
        assertThat(Found.in(call)).containsExactly("failed service", "oneDirection note");
    }

    /** Of two directions of TCP, one may be read ahead of the other. */
    @Test
    void hasTheStatusOfARefusalThatComesBehindItsAck() {
        dialog.invite(OFFER).ackRefusal(1).respond(486);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.BUSY);
        assertThat(scene.call().finalStatus()).isEqualTo(486);
        assertThat(Found.in(scene.call())).containsExactly("busy normal 486");
    }

    @Test
    void isCancelledWhereOnlyTheCallersMessagesWereCaptured() {
        dialog.invite(OFFER);
        scene.at(2000);
        dialog.cancel(1).ackRefusal(1);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.CANCELLED);
        assertThat(scene.call().finalStatus()).isZero();
    }

    /** The refusal was a challenge. */
    @Test
    void beginsAnewWhereTheChallengeWasNotCaptured() {
        dialog.invite(OFFER).ackRefusal(1).request(Side.CALLER, "INVITE", 2, false, OFFER);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        dialog.request(Side.CALLER, "ACK", 2, true, "");
        scene.at(9000);
        dialog.bye(Side.CALLER);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ANSWERED);
    }

    /** RFC 3262: a PRACK follows a reliable provisional response; then timer C counts, not timer B. */
    @ParameterizedTest
    @ValueSource(strings = {"PRACK", "CANCEL"})
    void wasHeardOfWhereOnlyWhatFollowsAProvisionalResponseWasCaptured(String method) {
        dialog.invite(OFFER);
        scene.at(1000);
        if (method.equals("PRACK")) {
            dialog.request(Side.CALLER, method, 2, true, "");
        } else {
            dialog.cancel(1);
        }
        scene.at(40_000);
        assertThat(scene.call().outcome()).isEqualTo(method.equals("PRACK") ? Outcome.RINGING : Outcome.CANCELLED);
        assertThat(Found.in(scene.call()))
                .contains("oneDirection note")
                .noneMatch(found -> found.startsWith("noResponse"));
    }

    @Test
    void saysNothingOfDirectionsWhereNobodyResponded() {
        dialog.invite(OFFER).again();
        scene.at(40_000);
        assertThat(Found.in(scene.call())).containsExactly("noResponse service 40.0");
    }

    @Test
    void knowsNothingOfTheSetUpWhereOnlyRequestsWereCaptured() {
        dialog.invite(OFFER);
        scene.at(3000);
        dialog.ack();
        scene.at(60_000);
        dialog.request(Side.CALLER, "BYE", 2, true, "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(scene.call().times().setUpNs()).isEqualTo(CallReport.NEVER);
        assertThat(Found.in(scene.call())).containsExactly("oneDirection note");
    }

    @Test
    void isOneDirectionWhereOnlyResponsesWereCaptured() {
        dialog.ringing();
        ok(1);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ONGOING);
        assertThat(scene.call().times().invitedNs()).isEqualTo(CallReport.NEVER);
        assertThat(Found.in(scene.call())).containsExactly("oneDirection note");
    }

    @Test
    void isOverWhereOnlyTheResponseToTheByeWasCaptured() {
        dialog.ringing();
        ok(1);
        scene.at(20_000);
        dialog.response(Side.CALLEE, 200, 2, "BYE", "");
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(call.times().endedNs()).isEqualTo(Scene.START_NS + 20 * Scene.SECOND);
        assertThat(call.hungUpBy()).isEqualTo(Side.CALLER);
        assertThat(Found.in(call)).containsExactly("oneDirection note");
    }

    /** A response to the INVITE of frame 1, of which the snap length left nothing behind the From line. */
    private void cutResponse(int status, String fromTag) {
        scene.sip(
                Addresses.v4("10.1.0.2:5060"),
                Addresses.v4("10.1.0.1:5060"),
                "SIP/2.0 " + status + " Text\r\nVia: SIP/2.0/UDP host;branch=z9hG4bK1\r\n"
                        + "From: <sip:alice@a.test>;tag=" + fromTag + "\r\n");
    }

    private long withoutCallId() {
        PlacedCount count = scene.reports().counters().get("sipWithoutCallId");
        return count == null ? 0 : count.count();
    }

    @Test
    void aResponseWithoutItsCallIdBelongsToTheInviteWithItsBranch() {
        dialog.invite(OFFER);
        scene.in(100);
        cutResponse(180, "fa");
        scene.in(1000);
        cutResponse(200, "fa");
        scene.in(60_000);
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.ONGOING);
        assertThat(call.times().ringingNs()).isEqualTo(Scene.START_NS + 100 * Scene.MS);
        assertThat(call.times().answeredNs()).isEqualTo(Scene.START_NS + 1100 * Scene.MS);
        assertThat(call.counts().messages()).isEqualTo(3);
        assertThat(call.problems()).extracting(Problem::kind).doesNotContain(Problem.Kind.NO_RESPONSE);
        assertThat(withoutCallId()).isZero();
    }

    @Test
    void aResponseWithoutItsCallIdToAnotherClientIsOfNoCall() {
        dialog.invite(OFFER);
        scene.in(100);
        cutResponse(200, "other");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        assertThat(withoutCallId()).isEqualTo(1);
    }

    @Test
    void anOkAfterACancelMayBeToEither() {
        dialog.invite(OFFER).ringing().cancel(1);
        cutResponse(200, "fa");
        assertThat(scene.call().outcome()).isNotEqualTo(Outcome.ONGOING);
        assertThat(withoutCallId()).isEqualTo(1);
        cutResponse(487, "fa");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.CANCELLED);
        assertThat(scene.call().finalStatus()).isEqualTo(487);
    }

    @Test
    void aCancelWithoutItsCallIdBelongsToTheInviteWithItsBranch() {
        dialog.invite(OFFER).ringing();
        scene.sip(
                Addresses.v4("10.1.0.1:5060"),
                Addresses.v4("10.1.0.2:5060"),
                "CANCEL sip:bob@b.test SIP/2.0\r\nVia: SIP/2.0/UDP host;branch=z9hG4bK1\r\n"
                        + "From: <sip:alice@a.test>;tag=fa\r\n");
        dialog.respond(487);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.CANCELLED);
        assertThat(withoutCallId()).isZero();
    }

    private static final String ALICE = "10.1.0.1:5060";
    private static final String BOB = "10.1.0.2:5060";

    /** A message of a call whose Call-ID, or what is left of it, is the last line. */
    private void cut(String from, String to, String startLine, int branch, String tags, String rest) {
        String[] both = tags.split(" ", -1);
        String toTag = both.length > 1 ? ";tag=" + both[1] : "";
        scene.cut(
                Addresses.v4(from),
                Addresses.v4(to),
                startLine + "\r\nVia: SIP/2.0/UDP host;branch=z9hG4bKcut" + branch + "\r\nFrom: <sip:alice@a.test>;tag="
                        + both[0] + "\r\nTo: <sip:bob@b.test>" + toTag + "\r\n" + rest);
    }

    @Test
    void aCallWhoseCallIdIsCutOffInAllMessagesIsOne() {
        cut(ALICE, BOB, "INVITE sip:bob@b.test SIP/2.0", 1, "fx", "Call-ID: abc");
        scene.in(100);
        cut(BOB, ALICE, "SIP/2.0 180 Ringing", 1, "fx tx", "Call-ID: a");
        scene.in(1000);
        cut(BOB, ALICE, "SIP/2.0 200 OK", 1, "fx tx", "Call-I");
        cut(ALICE, BOB, "ACK sip:bob@b.test SIP/2.0", 2, "fx tx", "Call-ID: abcdef@h");
        scene.in(9000);
        cut(BOB, ALICE, "BYE sip:alice@a.test SIP/2.0", 3, "tx fx", "Call-ID: abcd");
        cut(ALICE, BOB, "SIP/2.0 200 OK", 3, "tx fx", "");
        CallReport call = scene.call();
        assertThat(call.callId()).isEqualTo("abcdef@h");
        assertThat(call.isCallIdPartial()).isTrue();
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(call.times().ringingNs()).isEqualTo(Scene.START_NS + 100 * Scene.MS);
        assertThat(call.times().durationNs()).isEqualTo(9 * Scene.SECOND);
        assertThat(call.hungUpBy()).isEqualTo(Side.CALLEE);
        assertThat(call.counts().messages()).isEqualTo(6);
        assertThat(call.cutFrames()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(Found.in(call)).isEmpty();
        assertThat(withoutCallId()).isZero();
    }

    /** A 100 is shorter than its INVITE, and may come so much later that the call was made without it. */
    @Test
    void aCutCallIsThatOfAShortResponseWhichHasTheWholeCallId() {
        cut(ALICE, BOB, "INVITE sip:bob@b.test SIP/2.0", 1, "fx", "Call-ID: abc");
        assertThat(scene.call().isCallIdPartial()).isTrue();
        scene.sip(
                Addresses.v4(BOB),
                Addresses.v4(ALICE),
                "SIP/2.0 100 Trying\r\nVia: SIP/2.0/UDP host;branch=z9hG4bKcut1\r\nFrom: <sip:alice@a.test>;tag=fx\r\n"
                        + "To: <sip:bob@b.test>\r\nCall-ID: abc@host\r\nCSeq: 1 INVITE\r\n\r\n");
        scene.in(1000);
        cut(BOB, ALICE, "SIP/2.0 200 OK", 1, "fx tx", "Call-ID: a");
        CallReport call = scene.call();
        assertThat(call.callId()).isEqualTo("abc@host");
        assertThat(call.isCallIdPartial()).isFalse();
        assertThat(call.counts().messages()).isEqualTo(3);
        assertThat(call.times().invitedNs()).isEqualTo(Scene.START_NS);
        assertThat(call.outcome()).isEqualTo(Outcome.ONGOING);
        assertThat(call.cutFrames()).containsExactly(1L, 3L);
    }

    /** Requests have a Max-Forwards and a longer start line, so that they are cut before responses are. */
    @Test
    void aResponseWithoutItsCseqIsToTheRequestWithItsBranch() {
        cut(ALICE, BOB, "INVITE sip:bob@b.test SIP/2.0", 1, "fx", "Call-ID: abc");
        scene.in(100);
        cut(BOB, ALICE, "SIP/2.0 180 Ringing", 1, "fx tx", "Call-ID: abc@host\r\nCSeq: 1 INV");
        scene.in(1000);
        cut(BOB, ALICE, "SIP/2.0 200 OK", 1, "fx tx", "Call-ID: abc@host\r\nCS");
        cut(ALICE, BOB, "ACK sip:bob@b.test SIP/2.0", 2, "fx tx", "Call-ID: a");
        scene.in(9000);
        cut(ALICE, BOB, "BYE sip:bob@b.test SIP/2.0", 3, "fx tx", "Call-ID: abc");
        cut(BOB, ALICE, "SIP/2.0 200 OK", 3, "fx tx", "Call-ID: abc@host\r\n");
        CallReport call = scene.call();
        assertThat(call.callId()).isEqualTo("abc@host");
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(call.times().ringingNs()).isEqualTo(Scene.START_NS + 100 * Scene.MS);
        assertThat(call.times().durationNs()).isEqualTo(9 * Scene.SECOND);
        assertThat(call.counts().messages()).isEqualTo(6);
        assertThat(Found.in(call)).isEmpty();
        assertThat(withoutCallId()).isZero();
    }

    /** Messages that are cut wait for those that are whole, here all responses: the BYE comes behind its own. */
    @Test
    void requestsThatAreCutBelongToTheDialogOfResponsesThatAreWhole() {
        cut(ALICE, BOB, "INVITE sip:bob@b.test SIP/2.0", 1, "fx", "Call-ID: abc");
        scene.in(100);
        cut(BOB, ALICE, "SIP/2.0 200 OK", 1, "fx tx", "Call-ID: abc@host\r\nCSeq: 1 INVITE\r\nCont");
        cut(ALICE, BOB, "ACK sip:bob@b.test SIP/2.0", 2, "fx tx", "Call-ID: abc@host\r\nCS");
        scene.in(9000);
        cut(ALICE, BOB, "BYE sip:bob@b.test SIP/2.0", 3, "fx tx", "Call-ID: abc");
        scene.in(700);
        cut(BOB, ALICE, "SIP/2.0 200 OK", 3, "fx tx", "Call-ID: abc@host\r\nCSeq: 2 BYE\r\nCont");
        CallReport call = scene.call();
        assertThat(call.times().durationNs()).isEqualTo(9 * Scene.SECOND);
        assertThat(call.counts().messages()).isEqualTo(5);
        assertThat(Found.in(call)).isEmpty();
    }

    @Test
    void anAckWhoseToTagIsCutOffIsOfTheCallerOfItsInvite() {
        cut(ALICE, BOB, "INVITE sip:bob@b.test SIP/2.0", 1, "fx", "");
        cut(BOB, ALICE, "SIP/2.0 200 OK", 1, "fx tx", "Call-ID: a");
        cut(ALICE, BOB, "ACK sip:bob@b.test SIP/2.0", 2, "fx", "");
        scene.in(9000);
        cut(ALICE, BOB, "BYE sip:bob@b.test SIP/2.0", 3, "fx", "");
        cut(BOB, ALICE, "SIP/2.0 200 OK", 3, "fx tx", "Call-ID: a");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(Found.in(scene.call())).isEmpty();
    }

    @Test
    void aCallWhoseCseqIsCutOffInAllMessagesIsKnownByItsCallId() {
        cut(ALICE, BOB, "INVITE sip:bob@b.test SIP/2.0", 1, "fx", "Call-ID: abc@host\r\nCS");
        cut(BOB, ALICE, "SIP/2.0 486 Busy Here", 1, "fx tx", "Call-ID: abc@host\r\nCS");
        cut(ALICE, BOB, "ACK sip:bob@b.test SIP/2.0", 1, "fx tx", "Call-ID: abc@host\r\nCS");
        cut(ALICE, BOB, "OPTIONS sip:bob@b.test SIP/2.0", 2, "fo", "Call-ID: other@host\r\nCS");
        assertThat(scene.call("abc@host").outcome()).isEqualTo(Outcome.BUSY);
        assertThat(scene.reports().calls()).hasSize(1);
    }

    @Test
    void whatIsLeftOfACallIdIsNotCompared() {
        Dialog whole = new Dialog(scene, "abc", Addresses.v4(ALICE), Addresses.v4(BOB));
        whole.invite(OFFER);
        cut(ALICE, BOB, "INVITE sip:bob@b.test SIP/2.0", 7, "f7", "Call-ID: abc");
        cut(ALICE, BOB, "INVITE sip:bob@b.test SIP/2.0", 8, "f8", "Call-ID: abc");
        assertThat(scene.reports().calls())
                .extracting(CallReport::callId, CallReport::isCallIdPartial)
                .containsExactly(tuple("abc", false), tuple("abc", true), tuple("abc", true));
    }

    @Test
    void anInviteWithCredentialsIsOfTheCutCallThatWasChallenged() {
        cut(ALICE, BOB, "INVITE sip:bob@b.test SIP/2.0", 1, "fx", "i: a");
        cut(BOB, ALICE, "SIP/2.0 407 Authenticate", 1, "fx t1", "i:");
        cut(ALICE, BOB, "ACK sip:bob@b.test SIP/2.0", 1, "fx t1", "");
        cut(ALICE, BOB, "INVITE sip:bob@b.test SIP/2.0", 2, "fx", "i: ab");
        cut(BOB, ALICE, "SIP/2.0 486 Busy", 2, "fx t2", "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.BUSY);
        assertThat(scene.call().callId()).isEqualTo("ab");
    }

    /** Each proxy adds a Via, so that the snap length cuts further on what was whole before. */
    @Test
    void anInviteIsOfTheCallWhoseBranchIsInItsSecondVia() {
        dialog.invite(OFFER);
        scene.sip(
                Addresses.v4(BOB),
                Addresses.v4("10.1.0.3:5060"),
                "INVITE sip:bob@b.test SIP/2.0\r\nVia: SIP/2.0/UDP proxy;branch=z9hG4bKp\r\n"
                        + "Via: SIP/2.0/UDP host;branch=z9hG4bK1\r\nFrom: <sip:alice@a.test>;tag=fa\r\n");
        assertThat(scene.call().legs()).hasSize(2);
        assertThat(scene.call().isCallIdPartial()).isFalse();
    }

    @Test
    void aByeWithoutItsCallIdIsOfTheDialogWithItsTags() {
        dialog.answered(OFFER, ANSWER);
        scene.in(5000);
        cut(BOB, ALICE, "BYE sip:alice@a.test SIP/2.0", 9, "tb fa", "Call-ID: one");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(scene.call().hungUpBy()).isEqualTo(Side.CALLEE);
        assertThat(scene.call().callId()).isEqualTo("one@test");
        cut(BOB, ALICE, "BYE sip:alice@a.test SIP/2.0", 10, "other fa", "Call-ID: one");
        assertThat(withoutCallId()).isEqualTo(1);
    }

    @Test
    void callsAfterTheFirstCutMessageAreFoundToo() {
        dialog.invite(OFFER);
        cutResponse(180, "fa");
        Dialog later = new Dialog(scene, "two@test", Addresses.v4("10.1.0.5:5060"), Addresses.v4("10.1.0.6:5060"));
        later.answered(Sdp.audio("10.1.0.5", 4000), Sdp.audio("10.1.0.6", 5000));
        scene.in(3000);
        cut("10.1.0.5:5060", "10.1.0.6:5060", "BYE sip:bob@b.test SIP/2.0", 9, "fa tb", "Call-ID: two");
        assertThat(scene.call("two@test").outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(scene.call("one@test").outcome()).isEqualTo(Outcome.RINGING);
    }

    @Test
    void aMessageThatIsWholeAndHasNoCallIdIsOfNoCall() {
        dialog.invite(OFFER);
        scene.sip(
                Addresses.v4("10.1.0.2:5060"),
                Addresses.v4("10.1.0.1:5060"),
                "SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP host;branch=z9hG4bK1\r\n"
                        + "From: <sip:alice@a.test>;tag=fa\r\nCSeq: 1 INVITE\r\n\r\n");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        assertThat(withoutCallId()).isEqualTo(1);
    }
}
