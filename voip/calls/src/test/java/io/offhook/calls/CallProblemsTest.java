package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said to be wrong with a call, and what is not. */
class CallProblemsTest {
    private static final String OFFER = Sdp.audio("10.1.0.1", 4000);
    private static final String ANSWER = Sdp.audio("10.1.0.2", 5000);
    private static final Flow FORTH = Flow.of("10.1.0.1:4000", "10.1.0.2:5000", 0xa);
    private static final Flow BACK = Flow.of("10.1.0.2:5000", "10.1.0.1:4000", 0xb);

    private final Scene scene = new Scene();
    private final Dialog dialog = new Dialog(scene);

    private List<String> problems() {
        return Found.in(scene.call("one@test"));
    }

    /** Media of another call, so that the capture is not one of signalling alone. */
    private void mediaElsewhere() {
        new Dialog(scene, "other@test", Addresses.v4("10.3.0.1:5060"), Addresses.v4("10.3.0.2:5060"))
                .answered(Sdp.audio("10.3.0.1", 4000), Sdp.audio("10.3.0.2", 5000));
        scene.talk(100, Flow.of("10.3.0.1:4000", "10.3.0.2:5000", 0xe));
    }

    @Test
    void hasNoneWhereNothingIsWrong() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(5000, FORTH, BACK);
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "486, busy normal 486",
        "600, busy normal 600",
        "603, declined normal 603",
        "404, unavailable normal 404",
        "503, failed service 503",
        "488, failed service 488"
    })
    void reportsWhyTheCallWasNotAnswered(int status, String text) {
        dialog.invite(OFFER).respond(status);
        assertThat(problems()).containsExactly(text);
    }

    @Test
    void saysNothingOfARedirection() {
        dialog.invite(OFFER).respond(302);
        assertThat(problems()).isEmpty();
    }

    @Test
    void reportsThatNobodyTookTheCall() {
        dialog.invite(OFFER).ringing();
        scene.in(20_000);
        dialog.respond(480);
        assertThat(problems()).containsExactly("noAnswer normal 480");
    }

    @Test
    void reportsThatNobodyResponded() {
        dialog.invite(OFFER);
        scene.in(33_000);
        assertThat(problems()).containsExactly("noResponse note 33.0");
    }

    @Test
    void reportsHowLongItRangBeforeItWasCancelled() {
        dialog.invite(OFFER);
        scene.in(100);
        dialog.ringing();
        scene.in(12_000);
        dialog.request(Side.CALLER, "CANCEL", 1, false, "").respond(487);
        assertThat(problems()).containsExactly("cancelled normal 12.0");
    }

    @Test
    void reportsThatItWasCancelledBeforeItRang() {
        dialog.invite(OFFER).request(Side.CALLER, "CANCEL", 1, false, "").respond(487);
        assertThat(problems()).containsExactly("cancelled normal");
    }

    @Test
    void reportsWhoIsNotHeard() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(5000, FORTH);
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("oneWayAudio service callee");
    }

    @Test
    void reportsThatNobodyIsHeard() {
        mediaElsewhere();
        dialog.answered(OFFER, ANSWER);
        scene.in(2000);
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("noAudio service");
    }

    @Test
    void saysNothingOfAudioInACaptureWithoutMedia() {
        dialog.answered(OFFER, ANSWER);
        scene.in(60_000);
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    @Test
    void saysNothingOfAudioInACallOfLessThanTwoSeconds() {
        mediaElsewhere();
        dialog.answered(OFFER, ANSWER);
        scene.in(1940); // the 200 was 50 ms before
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    @Test
    void saysNothingOfAudioInACallThatIsHeldMostOfTheTime() {
        mediaElsewhere();
        dialog.answered(OFFER, ANSWER);
        scene.in(1000);
        dialog.request(Side.CALLER, "INVITE", 2, true, Sdp.audio("10.1.0.1", 4000, "a=inactive"))
                .response(Side.CALLEE, 200, 2, "INVITE", Sdp.audio("10.1.0.2", 5000, "a=inactive"));
        scene.in(5000);
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    @Test
    void saysNothingOfAudioInAFax() {
        mediaElsewhere();
        dialog.answered(OFFER, ANSWER);
        dialog.request(Side.CALLEE, "INVITE", 2, true, Sdp.of("10.1.0.2", "m=image 5000 udptl t38"))
                .response(Side.CALLER, 200, 2, "INVITE", Sdp.of("10.1.0.1", "m=image 4000 udptl t38"));
        scene.in(9000);
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    @Test
    void reportsWhoIsNotHeardWhereAFaxWasRefused() {
        dialog.answered(OFFER, ANSWER);
        String fax = Sdp.of("10.1.0.2", "m=image 5000 udptl t38");
        dialog.request(Side.CALLEE, "INVITE", 2, true, fax).response(Side.CALLER, 488, 2, "INVITE", fax);
        scene.talk(5000, FORTH);
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("oneWayAudio service callee");
    }

    @Test
    void reportsWhoIsNotHeardAfterEarlyMedia() {
        dialog.invite(OFFER).response(Side.CALLEE, 183, 1, "INVITE", ANSWER);
        scene.talk(3000, BACK);
        dialog.response(Side.CALLEE, 200, 1, "INVITE", ANSWER).ack();
        scene.talk(900, FORTH, BACK);
        scene.talk(4100, FORTH);
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("oneWayAudio service callee");
    }

    @Test
    void takesKeyPressesForNoAudio() {
        String events = "a=rtpmap:101 telephone-event/8000";
        dialog.answered(
                Sdp.of("10.1.0.1", "m=audio 4000 RTP/AVP 0 101", events),
                Sdp.of("10.1.0.2", "m=audio 5000 RTP/AVP 0 101", events));
        scene.talk(5000, FORTH, BACK.payloadType(101));
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("oneWayAudio service callee");
    }

    @Test
    void takesComfortNoiseForSilenceThatIsHeard() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(5000, FORTH, BACK.payloadType(13));
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    @Test
    void reportsWhoIsNotHeardBeforeAHoldThatCameLate() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(8000, FORTH);
        dialog.request(Side.CALLER, "INVITE", 2, true, Sdp.audio("10.1.0.1", 4000, "a=sendonly"))
                .response(Side.CALLEE, 200, 2, "INVITE", Sdp.audio("10.1.0.2", 5000, "a=recvonly"));
        scene.talk(1000, FORTH);
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("oneWayAudio service callee");
    }

    @Test
    void addsUpHoldsOfBothSidesOnlyOnce() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(6000, FORTH);
        dialog.request(Side.CALLER, "INVITE", 2, true, Sdp.audio("10.1.0.1", 4000, "a=sendonly"))
                .response(Side.CALLEE, 200, 2, "INVITE", Sdp.audio("10.1.0.2", 5000, "a=recvonly"))
                .request(Side.CALLEE, "INVITE", 3, true, Sdp.audio("10.1.0.2", 5000, "a=inactive"))
                .response(Side.CALLER, 200, 3, "INVITE", Sdp.audio("10.1.0.1", 4000, "a=inactive"));
        scene.in(4000);
        dialog.bye(Side.CALLER);
        // both held for four seconds of ten, which are not eight
        assertThat(problems()).containsExactly("oneWayAudio service callee");
    }

    @Test
    void saysNothingOfAudioWhereEndpointsWereTooMany() {
        mediaElsewhere();
        dialog.answered(OFFER, ANSWER);
        for (int i = 0; i < CallMedia.MAX_BINDINGS; i++) {
            dialog.accepted(Side.CALLER, "UPDATE", 2 + i, Sdp.audio("10.1.0.1", 10_000 + 2 * i), ANSWER);
        }
        scene.in(9000);
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    @Test
    void saysNothingWhereNobodyWasToSend() {
        mediaElsewhere();
        dialog.answered(Sdp.audio("10.1.0.1", 4000, "a=inactive"), Sdp.audio("10.1.0.2", 5000, "a=inactive"));
        scene.in(9000);
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    @Test
    void saysNothingOfASideThatSaidItDoesNotSend() {
        dialog.answered(Sdp.audio("10.1.0.1", 4000, "a=sendonly"), Sdp.audio("10.1.0.2", 5000, "a=recvonly"));
        scene.talk(5000, FORTH);
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    @Test
    void tellsOfLossFromOnePercentOn() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(10_000, FORTH.losing(99), BACK.losing(101));
        assertThat(problems()).containsExactly("loss note caller 1.0");
    }

    @Test
    void reportsLossOfVideoBesideThatOfAudio() {
        String video = "m=video 4002 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n";
        dialog.answered(OFFER + video, ANSWER + video.replace("4002", "5002"));
        scene.talk(
                10_000,
                FORTH.losing(50),
                Flow.of("10.1.0.1:4002", "10.1.0.2:5002", 0xe).payloadType(96).losing(10),
                BACK);
        assertThat(scene.call("one@test").problems())
                .filteredOn(problem -> problem.kind() == Problem.Kind.LOSS)
                .extracting(Problem::cause)
                .containsExactly(new Problem.Cause.Media("video"), null);
        assertThat(problems()).containsSubsequence("loss service caller 9.8", "loss note caller 1.8");
    }

    @Test
    void reportsLossOfBothSidesAndWhatItDoesToTheVoice() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(10_000, FORTH.losing(5), BACK.losing(40));
        assertThat(problems()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(problems()).contains("loss service caller 19.8", "loss note callee 2.4");
        assertThat(problems().get(1)).matches("lowMos service caller [12]\\.[0-9]");
    }

    @Test
    void reportsASetUpOfFiveSeconds() {
        dialog.invite(OFFER).response(Side.CALLEE, 100, 1, "INVITE", "");
        scene.at(4999);
        dialog.ringing();
        assertThat(problems()).isEmpty();
        Scene slow = new Scene();
        Dialog other = new Dialog(slow).invite(OFFER);
        slow.at(5600);
        other.response(Side.CALLEE, 183, 1, "INVITE", "");
        assertThat(Found.in(slow.call())).containsExactly("slowSetUp note 5.6");
    }

    @Test
    void takesAResponseThatIsRepeatedEachMinuteForNoRetransmission() {
        dialog.invite(OFFER).response(Side.CALLEE, 183, 1, "INVITE", ANSWER);
        for (int minute = 1; minute <= 4; minute++) {
            scene.at(60_000L * minute);
            dialog.again();
        }
        assertThat(problems()).isEmpty();
        assertThat(scene.call().counts().retransmissions()).isZero();
        scene.at(256_000);
        dialog.again();
        assertThat(scene.call().counts().retransmissions()).isEqualTo(1);
    }

    private Dialog ok() {
        return dialog.response(Side.CALLEE, 200, 1, "INVITE", ANSWER);
    }

    @Test
    void reportsThatTheAnswerWasNotAcknowledged() {
        dialog.invite(OFFER);
        ok();
        scene.at(500);
        dialog.again();
        scene.at(2000);
        assertThat(problems()).isEmpty();
        scene.at(2001);
        assertThat(problems()).containsExactly("noAck note 2.0");
    }

    /** A proxy that is not in the Record-Route does not see what follows the answer. */
    @Test
    void saysNothingOfAnAckThatMayHavePassedElsewhere() {
        dialog.invite(OFFER);
        ok();
        scene.at(60_000);
        assertThat(problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"CALLER, BYE, service", "CALLEE, BYE, service", "CALLER, UPDATE, note", "CALLEE, INFO, note"})
    void reportsNoAckWhereOtherRequestsOfTheDialogPassed(Side by, String method, String problemClass) {
        dialog.invite(OFFER);
        ok();
        scene.at(3000);
        dialog.request(by, method, 5, true, "");
        assertThat(problems()).containsExactly("noAck " + problemClass + " 3.0");
    }

    @Test
    void saysNothingOfTheAckWhereOneDirectionWasCaptured() {
        ok();
        scene.at(3000);
        dialog.request(Side.CALLEE, "BYE", 1, true, "");
        assertThat(problems()).containsExactly("oneDirection note");
    }

    @Test
    void reportsHowLateTheAckWas() {
        dialog.invite(OFFER);
        ok();
        scene.at(2000);
        dialog.ack();
        assertThat(problems()).isEmpty();
        Scene slow = new Scene();
        Dialog other = new Dialog(slow).invite(OFFER).response(Side.CALLEE, 200, 1, "INVITE", ANSWER);
        slow.at(15_000);
        other.ack();
        assertThat(Found.in(slow.call())).containsExactly("slowAck note 15.0");
    }

    @Test
    void takesNoAckOfAnotherTransactionOrDialogForThatOfTheAnswer() {
        dialog.invite(OFFER);
        ok();
        dialog.fork("other").request(Side.CALLER, "ACK", 1, true, "");
        dialog.accepted(Side.CALLER, "INVITE", 2, OFFER, ANSWER).request(Side.CALLER, "ACK", 2, true, "");
        scene.at(2001);
        assertThat(problems()).containsExactly("noAck note 2.0");
    }

    @Test
    void tellsOfMessagesThatWereSentAgainFromThreeOn() {
        dialog.invite(OFFER);
        scene.in(500);
        dialog.again();
        scene.in(1000);
        dialog.again();
        dialog.mirrored();
        assertThat(problems()).isEmpty();
        scene.in(2000);
        dialog.again();
        assertThat(problems()).containsExactly("retransmissions note 3");
        assertThat(scene.call().counts().retransmissions()).isEqualTo(3);
        assertThat(scene.call().counts().mirrored()).isEqualTo(1);
        assertThat(scene.call().counts().messages()).isEqualTo(5);
    }

    @Test
    void endsWithARefreshThatTheOtherSideNoLongerKnows() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(5000, FORTH, BACK);
        dialog.request(Side.CALLER, "INVITE", 2, true, OFFER);
        scene.in(2000);
        dialog.response(Side.CALLEE, 481, 2, "INVITE", "");
        scene.in(30_000);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(scene.call().times().endedNs()).isEqualTo(Scene.START_NS + 5300 * Scene.MS);
        assertThat(problems()).containsExactly("dropped service 481");
    }

    @Test
    void reportsACallThatWasAnsweredElsewhereAsNormal() {
        dialog.invite(OFFER).ringing();
        dialog.header("Reason: SIP;cause=200;text=\"Call completed elsewhere\"")
                .request(Side.CALLER, "CANCEL", 1, false, "")
                .respond(487);
        assertThat(problems()).containsExactly("completedElsewhere normal 487");
    }

    @Test
    void reportsAByeForLackOfMedia() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(5000, FORTH, BACK);
        dialog.header("Reason: Q.850;cause=102;text=\"RTP timeout\"").request(Side.CALLEE, "BYE", 7, true, "");
        assertThat(problems()).containsExactly("mediaTimeout service caller");
    }

    @Test
    void listsTheWorstFirst() {
        dialog.invite(OFFER);
        for (int i = 0; i < 3; i++) {
            scene.in(500);
            dialog.again();
        }
        scene.at(6000);
        dialog.ringing();
        dialog.response(Side.CALLEE, 200, 1, "INVITE", ANSWER);
        scene.icmp(
                Addresses.v4("10.1.0.2:0"),
                Addresses.v4("10.1.0.1:4000"),
                Addresses.v4("10.1.0.2:5000"),
                0,
                Found.PORT_UNREACHABLE);
        scene.talk(5020, FORTH.losing(50));
        dialog.bye(Side.CALLER);
        assertThat(problems())
                .containsExactly(
                        "oneWayAudio service callee",
                        "noAck service 5.0",
                        "icmpError service 1 3/3 10.1.0.2",
                        "retransmissions note 3",
                        "slowSetUp note 6.0",
                        "loss note caller 2.0");
    }

    // session timers

    private void answeredWithTimer() {
        dialog.invite(OFFER);
        dialog.header("Session-Expires: 90;refresher=uac").response(Side.CALLEE, 200, 1, "INVITE", ANSWER);
        dialog.ack();
    }

    /** RFC 4028, 10: without a refresh, the session is over. */
    @Test
    void reportsThatNobodyRefreshedTheSession() {
        answeredWithTimer();
        scene.at(45_000);
        dialog.header("Session-Expires: 90").request(Side.CALLER, "UPDATE", 2, true, "");
        scene.at(134_000);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ONGOING);
        scene.at(136_000);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(Found.in(scene.call())).contains("dropped service 90.0");
    }

    @Test
    void saysNothingOfTheTimerWhereThereIsNoneAnyMore() {
        answeredWithTimer();
        scene.at(45_000);
        dialog.accepted(Side.CALLEE, "UPDATE", 2, "", "");
        scene.at(200_000);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ONGOING);
    }

    @Test
    void goesOnWhereMediaDoesThoughNoRefreshWasCaptured() {
        answeredWithTimer();
        scene.at(85_000);
        scene.talk(10_000, FORTH, BACK);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ONGOING);
        scene.at(200_000);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ONGOING);
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 410, 408, 481})
    void isDroppedByAResponseThatEndsItsDialog(int status) {
        dialog.answered(OFFER, ANSWER);
        scene.at(60_000);
        dialog.request(Side.CALLER, "UPDATE", 2, true, "").response(Side.CALLEE, status, 2, "UPDATE", "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(Found.in(scene.call())).contains("dropped service " + status);
    }

    @ParameterizedTest
    @ValueSource(ints = {405, 480, 488, 489, 491, 500, 501, 503})
    void goesOnAfterAResponseThatEndsATransactionOrMayEndNoMore(int status) {
        dialog.answered(OFFER, ANSWER);
        scene.at(60_000);
        dialog.request(Side.CALLER, "UPDATE", 2, true, "").response(Side.CALLEE, status, 2, "UPDATE", "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ONGOING);
    }

    @Test
    void isNotDroppedWhereALaterRequestOfItsDialogSucceeds() {
        dialog.answered(OFFER, ANSWER);
        scene.at(60_000);
        dialog.request(Side.CALLER, "UPDATE", 2, true, "").response(Side.CALLEE, 502, 2, "UPDATE", "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ANSWERED);
        scene.at(70_000);
        dialog.request(Side.CALLER, "UPDATE", 3, true, "").response(Side.CALLEE, 200, 3, "UPDATE", "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ONGOING);
        assertThat(Found.in(scene.call())).doesNotContain("dropped service 502");
    }

    /** The CANCEL may have gone another way. */
    @Test
    void tookNobodyTheCallWhereItRangAndEndedIn487WithoutCancel() {
        dialog.invite(OFFER).ringing();
        scene.at(30_000);
        dialog.respond(487);
        assertThat(Found.in(scene.call())).containsExactly("noAnswer normal 487");
    }
}
