package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.packet.Endpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One INVITE that goes to several places, and calls that pass a B2BUA. */
class ForkTest {
    private static final String OFFER = Sdp.audio("10.1.0.1", 4000);
    private static final String ANSWER = Sdp.audio("10.1.0.21", 5000);

    private final Scene scene = new Scene();
    private final Dialog dialog = new Dialog(scene);

    private static Endpoint at(String address) {
        return Addresses.v4(address);
    }

    /** The branch of a proxy, which listens where the caller's INVITE went, to a host of the network or of the lab. */
    private Dialog branch(String destination, String tag) {
        Dialog branch = dialog.hop(at("10.1.0.2:5060"), at(destination)).fork(tag);
        return branch.invite(OFFER);
    }

    private static Dialog ok(Dialog of) {
        return of.response(Side.CALLEE, 200, 1, "INVITE", ANSWER);
    }

    // branches that are refused

    @Test
    void ringsWhileOneBranchIsBusyAndAnotherRings() {
        dialog.invite(OFFER);
        Dialog desk = branch("10.1.0.21:5060", "t1");
        Dialog mobile = branch("10.1.0.22:5060", "t2");
        mobile.ringing();
        dialog.ringing();
        desk.respond(486).ackRefusal(1);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        assertThat(scene.call().finalStatus()).isZero();
        assertThat(scene.call().problems()).isEmpty();
        // both are; what the caller is told was not captured
        scene.at(1000);
        mobile.respond(486);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.BUSY);
        assertThat(scene.call().times().endedNs()).isEqualTo(Scene.START_NS + Scene.SECOND);
    }

    /** Why the other branch was called off is not why the call ended. */
    @Test
    void hasTheReasonOfItsByeAndNotThatOfABranchThatWasCalledOff() {
        dialog.invite(OFFER);
        Dialog desk = branch("10.1.0.21:5060", "t1");
        Dialog mobile = branch("10.1.0.22:5060", "t2");
        ok(desk);
        ok(dialog).ack();
        mobile.header("Reason: SIP;cause=200;text=\"Call completed elsewhere\"").cancel(1);
        mobile.respond(487).ackRefusal(1);
        assertThat(scene.call().headers().reason()).isEqualTo(new CallReport.Reason(null, -1, -1));
        scene.at(5000);
        dialog.header("Reason: Q.850;cause=16").request(Side.CALLER, "BYE", 2, true, "");
        assertThat(scene.call().headers().reason()).isEqualTo(new CallReport.Reason("Q.850;cause=16", 16, -1));
    }

    /** RFC 3261, 16.7: a 6xx ends the search. */
    @Test
    void isDeclinedAtOnceBy603OfOneBranch() {
        dialog.invite(OFFER);
        Dialog desk = branch("10.1.0.21:5060", "t1");
        branch("10.1.0.22:5060", "t2").ringing();
        desk.respond(603);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.DECLINED);
    }

    /** RFC 3261, 16.7: the lowest class; a real response before one that only follows from silence. */
    @Test
    void isBusyWhereOneTargetIsSilentAndTheNextOneBusy() {
        dialog.invite(OFFER).response(Side.CALLEE, 100, 1, "INVITE", "");
        branch("10.1.0.21:5060", "t1");
        scene.at(4000);
        branch("10.1.0.22:5060", "t2").respond(486);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.BUSY);
        assertThat(scene.call().finalStatus()).isEqualTo(486);
    }

    @Test
    void waitsForABranchThatIsSilentUntilItTimesOut() {
        dialog.invite(OFFER).response(Side.CALLEE, 100, 1, "INVITE", "");
        branch("10.1.0.21:5060", "t1");
        branch("10.1.0.22:5060", "t2").respond(486);
        scene.at(31_999);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        scene.at(32_001);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.BUSY);
    }

    @Test
    void isUnavailableOnceAllBranchesWereSilent() {
        dialog.invite(OFFER).response(Side.CALLEE, 100, 1, "INVITE", "");
        branch("10.1.0.21:5060", "t1");
        branch("10.1.0.22:5060", "t2");
        scene.at(33_000);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(scene.call().finalStatus()).isEqualTo(408);
    }

    @Test
    void prefersTheLowerClassAndWhatTheCallerCanRepair() {
        dialog.invite(OFFER);
        Dialog one = branch("10.1.0.21:5060", "t1");
        Dialog two = branch("10.1.0.22:5060", "t2");
        Dialog three = branch("10.1.0.23:5060", "t3");
        one.respond(484);
        two.respond(503);
        three.respond(404);
        assertThat(scene.call().finalStatus()).isEqualTo(484);
    }

    @Test
    void isAnsweredByOneOfAHundredBranches() {
        dialog.invite(OFFER);
        Dialog last = dialog;
        for (int i = 1; i <= 100; i++) {
            last = branch("10.1.1." + i + ":5060", "t" + i);
            if (i < 100) {
                last.respond(487);
            }
        }
        ok(last).ack();
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ONGOING);
        assertThat(scene.call().legs()).hasSize(101);
    }

    /** A proxy that hunts gives up one phone before it tries the next. */
    @Test
    void ringsWhereTheProxyGaveUpOneBranchAndTriesAnother() {
        dialog.invite(OFFER);
        Dialog desk = branch("10.1.0.21:5060", "t1").ringing();
        scene.at(15_000);
        desk.cancel(1).respond(487).ackRefusal(1);
        branch("10.1.0.22:5060", "t2").ringing();
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
    }

    @Test
    void ringsWhereTheForkItselfIsFurtherOn() {
        dialog.invite(OFFER);
        Endpoint second = at("10.1.0.3:5060");
        dialog.hop(at("10.1.0.2:5060"), second).invite(OFFER);
        Dialog desk = dialog.hop(second, at("10.1.0.21:5060")).fork("t1").invite(OFFER);
        Dialog mobile = dialog.hop(second, at("10.1.0.22:5060")).fork("t2").invite(OFFER);
        desk.respond(486);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        mobile.respond(480);
        assertThat(scene.call().finalStatus()).isEqualTo(480);
    }

    @Test
    void keepsBranchesApartThatHaveTheSameNextHop() {
        dialog.invite(OFFER);
        Dialog one = branch("10.1.0.9:5060", "t1");
        Dialog other = branch("10.1.0.9:5060", "t2");
        one.respond(486);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        assertThat(scene.call().legs()).hasSize(2);
        other.respond(404);
        assertThat(scene.call().finalStatus()).isEqualTo(404);
    }

    /** All parties on 127.0.0.1: only ports tell one hop from another, and they say it is no hop of the caller's. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isCancelledWhereAllPartiesShareOneAddress(boolean withBranches) {
        Dialog lab = new Dialog(scene, "lab@test", at("127.0.0.1:5061"), at("127.0.0.1:5060"));
        lab = withBranches ? lab : lab.withoutBranches();
        lab.invite(OFFER);
        Dialog desk =
                lab.hop(at("127.0.0.1:5060"), at("127.0.0.1:5071")).fork("t1").invite(OFFER);
        Dialog mobile =
                lab.hop(at("127.0.0.1:5060"), at("127.0.0.1:5072")).fork("t2").invite(OFFER);
        desk.respond(486);
        mobile.ringing();
        lab.ringing();
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        scene.at(3000);
        lab.cancel(1);
        mobile.cancel(1).respond(487);
        lab.respond(487);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.CANCELLED);
        assertThat(scene.call().times().endedNs()).isEqualTo(Scene.START_NS + 3 * Scene.SECOND);
    }

    /** RFC 3261, 18.2.2: without rport the response goes to the port that the Via names. */
    @Test
    void findsTheHopOfAResponseThatGoesToAnotherPort() {
        new Dialog(scene, "one@test", at("10.1.0.1:33001"), at("10.1.0.2:5060"))
                .withoutBranches()
                .invite(OFFER);
        dialog.withoutBranches().respond(486);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.BUSY);
        assertThat(scene.call().legs()).hasSize(1);
    }

    // branches that are answered

    @Test
    void goesOnWhereTheCallerGivesUpOneOfTwoAnswers() {
        Dialog first = dialog.invite(OFFER).fork("t1");
        Dialog second = dialog.fork("t2");
        scene.at(1000);
        ok(first).ack();
        scene.at(1100);
        ok(second).ack();
        scene.at(1200);
        second.bye(Side.CALLER);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ONGOING);
        assertThat(scene.call().hungUpBy()).isNull();
        scene.at(9000);
        first.bye(Side.CALLEE);
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(call.times().durationNs()).isEqualTo(8 * Scene.SECOND);
        assertThat(call.hungUpBy()).isEqualTo(Side.CALLEE);
        assertThat(call.problems()).isEmpty();
    }

    /** The caller may keep the later answer as well. */
    @Test
    void goesOnWhereTheCallerGivesUpTheFirstOfTwoAnswers() {
        Dialog first = dialog.invite(OFFER).fork("t1");
        Dialog second = dialog.fork("t2");
        ok(first).ack();
        ok(second).ack();
        scene.at(100);
        first.bye(Side.CALLER);
        scene.at(9000);
        second.bye(Side.CALLER);
        assertThat(scene.call().times().durationNs()).isEqualTo(9 * Scene.SECOND);
    }

    @Test
    void isAnsweredByAnotherBranchAfterTheByeOfAnEarlyDialog() {
        Dialog first = dialog.invite(OFFER).fork("t1").ringing();
        Dialog second = dialog.fork("t2").ringing();
        scene.at(1000);
        first.bye(Side.CALLER);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        assertThat(scene.call().times().endedNs()).isEqualTo(CallReport.NEVER);
        scene.at(2000);
        ok(second).ack();
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ONGOING);
        assertThat(scene.call().hungUpBy()).isNull();
        scene.at(5000);
        second.bye(Side.CALLEE);
        assertThat(scene.call().times().durationNs()).isEqualTo(3 * Scene.SECOND);
        assertThat(scene.call().hungUpBy()).isEqualTo(Side.CALLEE);
    }

    /** The dialogs of an attempt that was given up are no more, its BYE included. */
    @Test
    void forgetsTheEarlyDialogsOfTheAttemptBefore() {
        dialog.invite(OFFER).ringing();
        dialog.bye(Side.CALLER).respond(487);
        dialog.request(Side.CALLER, "INVITE", 10, false, OFFER).response(Side.CALLEE, 180, 10, "INVITE", "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        // one whose INVITE was not captured: the early dialog is its own
        dialog.response(Side.CALLEE, 486, 10, "INVITE", "");
        dialog.response(Side.CALLEE, 180, 11, "INVITE", "").fork("t2").response(Side.CALLEE, 180, 11, "INVITE", "");
        dialog.fork("t2").bye(Side.CALLER);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
    }

    @Test
    void lastsNoNegativeTimeWhereByeAndAnswerCross() {
        dialog.invite(OFFER).ringing();
        scene.at(1000);
        dialog.request(Side.CALLER, "BYE", 2, true, "");
        scene.at(1010);
        ok(dialog).ack();
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(scene.call().times().durationNs()).isZero();
    }

    /** As in sngrep/ipv6frag.pcap: two To tags in one 200, of which a proxy keeps the other one. */
    @Test
    void endsWithTheDialogThatTheCallerKnows() {
        dialog.invite(OFFER);
        Dialog beyond = dialog.hop(at("10.1.0.2:5060"), at("10.1.0.21:5060")).fork("tx");
        ok(beyond.invite(OFFER).ringing());
        ok(dialog).ack();
        dialog.hop(at("10.1.0.2:5060"), at("10.1.0.21:5060")).ack();
        scene.at(5000);
        dialog.bye(Side.CALLER);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(scene.call().times().durationNs()).isEqualTo(5 * Scene.SECOND);
        assertThat(scene.call().problems()).isEmpty();
    }

    // B2BUA

    private Dialog beyond() {
        return dialog.beyond(at("10.1.0.2:5060"), at("10.1.0.21:5060"), "fx", "tx");
    }

    @Test
    void knowsTheCallerBeyondABackToBackUserAgent() {
        dialog.invite(OFFER);
        Dialog beyond = beyond().request(Side.CALLER, "INVITE", 101, false, Sdp.audio("10.1.0.2", 6000));
        beyond.response(Side.CALLEE, 180, 101, "INVITE", "");
        dialog.ringing();
        scene.at(1000);
        beyond.response(Side.CALLEE, 200, 101, "INVITE", ANSWER).request(Side.CALLER, "ACK", 101, true, "");
        dialog.response(Side.CALLEE, 200, 1, "INVITE", Sdp.audio("10.1.0.2", 6002))
                .ack();
        assertThat(scene.assembly().bindings().at(at("10.1.0.2:6000")))
                .singleElement()
                .satisfies(binding -> assertThat(binding.side()).isEqualTo(Side.CALLER));
        assertThat(scene.assembly().bindings().at(at("10.1.0.21:5000")))
                .singleElement()
                .satisfies(binding -> assertThat(binding.side()).isEqualTo(Side.CALLEE));
        scene.at(5000);
        beyond.request(Side.CALLEE, "BYE", 1, true, "");
        scene.at(5020);
        dialog.request(Side.CALLEE, "BYE", 1, true, "");
        CallReport call = scene.call();
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(call.hungUpBy()).isEqualTo(Side.CALLEE);
        assertThat(call.times().durationNs()).isEqualTo(4 * Scene.SECOND);
        assertThat(call.parties().from()).isEqualTo("alice");
        assertThat(call.legs()).hasSize(2);
        assertThat(call.problems()).isEmpty();
    }

    @Test
    void isWhatTheCallerIsToldWhateverTheSequenceBeyond() {
        dialog.invite(OFFER);
        Dialog beyond = beyond().request(Side.CALLER, "INVITE", 101, false, OFFER);
        scene.at(500);
        beyond.response(Side.CALLEE, 404, 101, "INVITE", "");
        scene.at(600);
        dialog.respond(480);
        assertThat(scene.call().finalStatus()).isEqualTo(480);
        assertThat(scene.call().times().endedNs()).isEqualTo(Scene.START_NS + 600 * Scene.MS);
    }

    /** The same From tag, but a count of its own. */
    @Test
    void isAnsweredWhereTheSequenceBeyondIsHigher() {
        dialog.invite(OFFER);
        Dialog beyond = dialog.hop(at("10.1.0.2:5060"), at("10.1.0.21:5060"));
        beyond.request(Side.CALLER, "INVITE", 101, false, OFFER).response(Side.CALLEE, 100, 101, "INVITE", "");
        scene.at(700);
        dialog.ringing();
        scene.at(1000);
        ok(dialog).ack();
        assertThat(scene.call().times().answeredNs()).isEqualTo(Scene.START_NS + Scene.SECOND);
        assertThat(scene.call().times().ringingNs()).isEqualTo(Scene.START_NS + 700 * Scene.MS);
    }

    @Test
    void forgetsWhatTheHopsBeyondSaidOfTheAttemptBefore() {
        dialog.invite(OFFER);
        Dialog beyond = dialog.hop(at("10.1.0.2:5060"), at("10.1.0.21:5060")).invite(OFFER);
        beyond.respond(401);
        dialog.respond(401);
        dialog.request(Side.CALLER, "INVITE", 2, false, OFFER);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        assertThat(scene.call().finalStatus()).isZero();
    }

    /** A caller that was redirected asks elsewhere: there is its hop now. */
    @Test
    void isWhatTheTargetOfARedirectionSays() {
        dialog.invite(OFFER).respond(302);
        Dialog target = dialog.hop(at("10.1.0.1:5060"), at("10.1.0.7:5060"));
        target.request(Side.CALLER, "INVITE", 2, false, OFFER).response(Side.CALLEE, 486, 2, "INVITE", "");
        assertThat(scene.call().outcome()).isEqualTo(Outcome.BUSY);
        assertThat(scene.call().legs()).hasSize(2);
    }

    @Test
    void followsTheLastOfManyTargets() {
        for (int i = 1; i <= 300; i++) {
            Dialog target = dialog.hop(at("10.1.0.1:5060"), at("10.1.1.1:" + i));
            target.request(Side.CALLER, "INVITE", i, false, OFFER)
                    .response(Side.CALLEE, i == 300 ? 603 : 503, i, "INVITE", "");
        }
        assertThat(scene.call().outcome()).isEqualTo(Outcome.DECLINED);
        assertThat(scene.call().legs()).hasSize(256);
    }

    // branches that cannot be reached, and answers that nobody acknowledges

    /** RFC 3261, 16.9: an ICMP error counts as 503 of its branch, at once. */
    @Test
    void isBusyWhereOneBranchIsUnreachableAndTheOtherBusy() {
        dialog.invite(OFFER).response(Side.CALLEE, 100, 1, "INVITE", "");
        branch("10.1.0.21:5060", "t1");
        Dialog mobile = branch("10.1.0.22:5060", "t2");
        scene.icmp(at("10.1.0.21:0"), at("10.1.0.2:5060"), at("10.1.0.21:5060"), 0, new IcmpEvent.Message(4, 3, 3));
        mobile.respond(486);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.BUSY);
        assertThat(scene.call().finalStatus()).isEqualTo(486);
    }

    @Test
    void isUnavailableAtOnceWhereNobodyIsReached() {
        dialog.invite(OFFER);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
        scene.icmp(at("10.1.0.9:0"), at("10.1.0.1:5060"), at("10.1.0.2:5060"), 0, new IcmpEvent.Message(4, 3, 1));
        assertThat(scene.call().outcome()).isEqualTo(Outcome.UNAVAILABLE);
        // it was reached after all
        dialog.again();
        dialog.ringing();
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
    }

    /** A packet that was too large may have been sent again in fragments. */
    @Test
    void isNotUnreachableWhereFragmentationWasNeeded() {
        dialog.invite(OFFER);
        scene.icmp(at("10.1.0.9:0"), at("10.1.0.1:5060"), at("10.1.0.2:5060"), 0, new IcmpEvent.Message(4, 3, 4));
        assertThat(scene.call().outcome()).isEqualTo(Outcome.RINGING);
    }

    /** RFC 3261, 13.3.1.4: a callee that gets no ACK ends its dialog after 64 T1, with a BYE that may not be captured. */
    @Test
    void endsWhereASecondAnswerWasNeverAcknowledged() {
        dialog.invite(OFFER);
        ok(dialog);
        dialog.ack();
        ok(dialog.fork("t2"));
        scene.at(20_000);
        dialog.bye(Side.CALLER);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ONGOING);
        scene.at(33_000);
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(scene.call().times().endedNs()).isEqualTo(Scene.START_NS + 20 * Scene.SECOND);
    }
}
