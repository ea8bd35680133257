package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offhook.calls.join.JoinOptions;
import io.offhook.calls.relay.StreamPassage;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Media that a relay passes on as it is: which dialogs it proves to be one call, and what got lost in between. The phones
 * are 10.1.0.x, the B2BUA that relays is 10.2.0.1, and what it calls 10.3.0.x.
 */
final class RelayedMediaTest {
    private static final String SWITCH = "10.2.0.1";

    private Scene scene = new Scene();

    /** A leg whose ends offer and answer media at these addresses; nothing in its signalling resembles another leg. */
    private SipLeg leg(String callId, String caller, String callee, int port) {
        return new SipLeg(scene, callId, caller + ":5060", callee + ":5060")
                .from("x" + callId)
                .to("y" + callId)
                .sdp(Sdp.audio(caller, port))
                .invite();
    }

    private void answer(SipLeg leg, String callee, int port) {
        leg.sdp(Sdp.audio(callee, port)).answer();
    }

    private static Flow flow(String source, int from, String destination, int to, long ssrc) {
        return Flow.of(source + ":" + from, destination + ":" + to, ssrc);
    }

    /** A call from phone to trunk: two legs, both answered. */
    private SipLeg[] relayed(int phone) {
        SipLeg in = leg("in-" + phone, "10.1.0." + phone, SWITCH, 4000);
        scene.in(80);
        SipLeg out = leg("out-" + phone, SWITCH, "10.3.0." + phone, 5000 + 4 * phone);
        scene.in(2000);
        answer(out, "10.3.0." + phone, 6000);
        answer(in, SWITCH, 5002 + 4 * phone);
        return new SipLeg[] {in, out};
    }

    private static Flow before(int phone, long ssrc) {
        return flow("10.1.0." + phone, 4000, SWITCH, 5002 + 4 * phone, ssrc);
    }

    private static Flow behind(int phone, long ssrc) {
        return flow(SWITCH, 5000 + 4 * phone, "10.3.0." + phone, 6000, ssrc);
    }

    private List<String> calls() {
        return scene.reports().calls().stream()
                .map(call -> String.join(
                        "+",
                        call.dialogs().stream().map(CallReport.Dialog::callId).toList()))
                .toList();
    }

    private List<Problem> relayLosses() {
        return scene.reports().calls().getFirst().problems().stream()
                .filter(problem -> problem.kind() == Problem.Kind.RELAY_LOSS)
                .toList();
    }

    @Test
    void joinsLegsThroughWhichTheSamePacketsPass() {
        relayed(1);
        scene.talk(3000, before(1, 7), behind(1, 7));

        assertThat(calls()).containsExactly("in-1+out-1");
        CallReport.Join join =
                Objects.requireNonNull(scene.call("in-1").dialogs().getLast().join());
        assertThat(join.reasons()).contains("same RTP packets (100)");
    }

    @Test
    void joinsByMediaOfTheCalleeToo() {
        relayed(1);
        scene.talk(3000, flow("10.3.0.1", 6000, SWITCH, 5004, 9), flow(SWITCH, 5006, "10.1.0.1", 4000, 9));

        assertThat(calls()).containsExactly("in-1+out-1");
    }

    private static Flow speaking(Flow flow) {
        return flow.saying(77);
    }

    @Test
    void joinsLegsThroughWhichTheSamePayloadsPassInAStreamOfItsOwn() {
        relayed(1);
        scene.talk(3000, speaking(before(1, 7)), speaking(behind(1, 8)).ahead(500));

        assertThat(calls()).containsExactly("in-1+out-1");
        CallReport.Join join =
                Objects.requireNonNull(scene.call("in-1").dialogs().getLast().join());
        assertThat(join.reasons()).startsWith("same RTP payloads (80)");
        StreamPassage passage = scene.call("in-1").passages().getFirst();
        assertThat(passage.level()).isEqualTo(StreamPassage.Level.REWRITTEN);
        assertThat(passage.present()).isEqualTo(150);
        assertThat(passage.lost()).isZero();
    }

    @Test
    void joinsBySamePayloadsWithTheSameSourceAndOtherNumbers() {
        relayed(1);
        scene.talk(3000, speaking(before(1, 7)), speaking(behind(1, 7)).ahead(500));

        assertThat(calls()).containsExactly("in-1+out-1");
    }

    @Test
    void findsPayloadsInAStreamThatHasLongBegun() {
        SipLeg in = leg("in-1", "10.1.0.1", SWITCH, 4000);
        scene.in(80);
        SipLeg out = leg("out-1", SWITCH, "10.3.0.1", 5004);
        answer(in, SWITCH, 5006);
        scene.talk(20_000, speaking(before(1, 7)));
        answer(out, "10.3.0.1", 6000);
        scene.skip(speaking(behind(1, 8)), 1000);
        scene.talk(12_000, speaking(before(1, 7)), speaking(behind(1, 8)));

        assertThat(calls()).containsExactly("in-1+out-1");
    }

    @Test
    void doesNotJoinByPayloadsThatRepeatThemselves() {
        relayed(1);
        scene.talk(4000, before(1, 7).silent(), behind(1, 8).silent());
        relayed(2);
        scene.talk(4000, before(2, 7).tone(), behind(2, 8).tone());
        relayed(3);
        scene.talk(
                4000, speaking(before(3, 7)).length(19), speaking(behind(3, 8)).length(19));

        assertThat(calls()).hasSize(6);
    }

    @Test
    void doesNotJoinByFortyNinePayloads() {
        relayed(1);
        scene.talk(49 * 20, speaking(before(1, 7)), speaking(behind(1, 8)));
        scene.talk(4000, before(1, 7).saying(1), behind(1, 8).saying(2));
        assertThat(calls()).hasSize(2);
    }

    @Test
    void doesNotJoinByPayloadsThatComeLaterThanARelayTakes() {
        relayed(1);
        scene.talk(320, speaking(before(1, 7)));
        scene.talk(3000, speaking(before(1, 7)), speaking(behind(1, 8)));

        assertThat(calls()).hasSize(2);
    }

    @Test
    void doesNotJoinByPayloadsThatComeOutBeforeTheyGoIn() {
        relayed(1);
        scene.talk(20, speaking(behind(1, 8)));
        scene.talk(3000, speaking(before(1, 7)), speaking(behind(1, 8)));

        assertThat(calls()).hasSize(2);
    }

    @Test
    void strangersWhoHearOneAnnouncementAreNotJoined() {
        for (int i = 1; i <= 2; i++) {
            relayed(i);
            Flow played = speaking(flow("10.3.0." + i, 6000, SWITCH, 5000 + 4 * i, 100 + i));
            Flow heard = speaking(flow(SWITCH, 5002 + 4 * i, "10.1.0." + i, 4000, 200 + i));
            scene.talk(3000, played, heard);
        }
        assertThat(calls()).as("each hears it by itself").containsExactly("in-1+out-1", "in-2+out-2");
    }

    @Test
    void anAnnouncementThatStrangersHearAtOneTimeJoinsNothing() {
        relayed(1);
        relayed(2);
        scene.at(10_000);
        Flow[] flows = new Flow[4];
        for (int i = 1; i <= 2; i++) {
            flows[2 * i - 2] = speaking(flow("10.3.0." + i, 6000, SWITCH, 5000 + 4 * i, 100 + i));
            flows[2 * i - 1] = speaking(flow(SWITCH, 5002 + 4 * i, "10.1.0." + i, 4000, 200 + i));
        }
        scene.talk(100, flows[2], flows[3]).talk(3000, flows);

        assertThat(calls()).hasSize(4);
    }

    @Test
    void strangersWithoutACommonHostOrNumberAreNotJoinedByOneRecording() {
        SipLeg one = leg("one", "10.1.0.1", "10.2.0.1", 4000);
        SipLeg two = leg("two", "10.4.0.1", "10.5.0.1", 4000);
        answer(one, "10.2.0.1", 5000);
        answer(two, "10.5.0.1", 5000);
        scene.talk(
                3000,
                speaking(flow("10.1.0.1", 4000, "10.2.0.1", 5000, 7)),
                speaking(flow("10.4.0.1", 4000, "10.5.0.1", 5000, 8)));

        assertThat(calls()).hasSize(2);
    }

    /** As at a hotline whose servers play a greeting each; where a relay passes a call on, both directions pass. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneAnnouncementOfSeveralServersToOneNumberJoinsNothingUnlessBothDirectionsPass(boolean isRelay) {
        for (int i = 1; i <= 2; i++) {
            SipLeg leg = new SipLeg(scene, "call-" + i, "10.1.0." + i + ":5060", "10.2.0." + i + ":5060")
                    .from("100" + i)
                    .to("900")
                    .sdp(Sdp.audio("10.1.0." + i, 4000))
                    .invite();
            answer(leg, "10.5.0." + i, 5000);
        }
        Flow[] flows = new Flow[4];
        for (int i = 1; i <= 2; i++) {
            Flow asked = flow("10.1.0." + i, 4000, "10.5.0." + i, 5000, 100 + i);
            flows[2 * i - 2] = speaking(flow("10.5.0." + i, 5000, "10.1.0." + i, 4000, 200 + i));
            flows[2 * i - 1] = isRelay ? speaking(asked) : asked;
        }
        scene.talk(3000, flows);

        assertThat(calls()).hasSize(isRelay ? 1 : 2);
    }

    @Test
    void findsTheLossOfARelayThatNumbersPacketsAnewIfAskedTo() {
        Scene logging = new Scene(
                new CallAssembly(100, 1, 1, MediaOptions.DEFAULT.withPassages(true), (message, packet, copy) -> {}));
        Dialog first = new Dialog(logging, "one@test", Addresses.v4("10.1.0.1:5060"), Addresses.v4(SWITCH + ":5060"));
        Dialog second = first.hop(Addresses.v4(SWITCH + ":5060"), Addresses.v4("10.3.0.1:5060"));
        first.invite(Sdp.audio("10.1.0.1", 4000));
        second.invite(Sdp.audio(SWITCH, 5004));
        second.response(Side.CALLEE, 200, 1, "INVITE", Sdp.audio("10.3.0.1", 6000));
        first.response(Side.CALLEE, 200, 1, "INVITE", Sdp.audio(SWITCH, 5006));
        first.ack();
        logging.talk(
                5000,
                speaking(before(1, 7)).losing(30),
                speaking(behind(1, 8)).ahead(100).losing(20));

        StreamPassage passage = logging.call().passages().getFirst();
        assertThat(passage.level()).isEqualTo(StreamPassage.Level.REWRITTEN);
        assertThat(passage.lostBefore()).isEqualTo(8);
        assertThat(passage.lost()).isEqualTo(12 - 4);
        assertThat(passage.extra()).isEqualTo(8 - 4);
    }

    @Test
    void doesNotJoinByOtherNumbersForTheSameSource() {
        relayed(1);
        scene.skip(behind(1, 7), 3).pause(behind(1, 7), 100);
        scene.talk(3000, before(1, 7), behind(1, 7));

        assertThat(calls()).hasSize(2);
    }

    @Test
    void doesNotJoinByAFewPackets() {
        relayed(1);
        scene.talk(600, before(1, 7), behind(1, 7));

        assertThat(calls()).hasSize(2);
    }

    @Test
    void doesNotJoinByPacketsThatComeSecondsLater() {
        relayed(1);
        scene.talk(2020, before(1, 7));
        scene.talk(2020, behind(1, 7));

        assertThat(calls()).hasSize(2);
    }

    @Test
    void doesNotJoinCallsThatNoHostConnectsThoughTheySendOneRecording() {
        SipLeg one = leg("one", "10.1.0.1", "10.2.0.1", 4000);
        SipLeg two = leg("two", "10.4.0.1", "10.5.0.1", 4000);
        answer(one, "10.2.0.1", 5000);
        answer(two, "10.5.0.1", 5000);
        scene.talk(3000, flow("10.1.0.1", 4000, "10.2.0.1", 5000, 7), flow("10.4.0.1", 4000, "10.5.0.1", 5000, 7));

        assertThat(calls()).hasSize(2);
    }

    @Test
    void aGeneratorThatSendsOneRecordingInAllCallsJoinsNothing() {
        relayed(1);
        relayed(2);
        scene.talk(3000, before(1, 7), behind(1, 7), before(2, 7), behind(2, 7));

        assertThat(calls()).hasSize(4);
    }

    @Test
    void aStreamThatIsPassedOnToManyJoinsNothing() {
        SipLeg speaker = leg("speaker", "10.1.0.1", SWITCH, 4000);
        answer(speaker, SWITCH, 5000);
        Flow[] flows = new Flow[4];
        flows[0] = flow("10.1.0.1", 4000, SWITCH, 5000, 7);
        for (int i = 1; i < 4; i++) {
            SipLeg listener = leg("listener-" + i, SWITCH, "10.3.0." + i, 6000 + i);
            answer(listener, "10.3.0." + i, 4000);
            flows[i] = flow(SWITCH, 6000 + i, "10.3.0." + i, 4000, 7);
        }
        scene.talk(3000, flows);

        assertThat(calls()).hasSize(4);
    }

    @Test
    void anotherNameSpeaksAgainstThePackets() {
        leg("other", "10.1.0.9", SWITCH, 4000);
        SipLeg in = leg("in-1", "10.1.0.1", SWITCH, 4000);
        scene.in(80);
        SipLeg out = new SipLeg(scene, "out-1", SWITCH + ":5060", "10.3.0.1:5060")
                .header("X-CID: other")
                .sdp(Sdp.audio(SWITCH, 5004))
                .invite();
        answer(out, "10.3.0.1", 6000);
        answer(in, SWITCH, 5006);
        scene.talk(3000, before(1, 7), behind(1, 7));

        assertThat(calls()).containsExactlyInAnyOrder("other+out-1", "in-1");
    }

    @Test
    void namesTheRelayThatLosesPackets() {
        relayed(1);
        scene.talk(10_000, before(1, 7), behind(1, 7).losing(20));

        StreamPassage passage = scene.reports().calls().getFirst().passages().getFirst();
        assertThat(passage.present()).isEqualTo(499);
        assertThat(passage.lost()).isEqualTo(24);
        assertThat(passage.lostBefore()).isZero();
        assertThat(passage.from().destination()).isEqualTo(Addresses.v4(SWITCH + ":5006"));
        assertThat(passage.to().destination()).isEqualTo(Addresses.v4("10.3.0.1:6000"));
        assertThat(relayLosses()).singleElement().satisfies(problem -> {
            assertThat(problem.side()).isEqualTo(ProblemSide.CALLER);
            assertThat(problem.problemClass()).isEqualTo(ProblemClass.SERVICE);
            assertThat(problem.count()).isEqualTo(24);
            assertThat(problem.percent()).isCloseTo(4.81, within(0.01));
            assertThat(problem.callId()).isNull();
        });
    }

    @Test
    void whatWasLostBeforeTheRelayIsNotItsFault() {
        relayed(1);
        scene.talk(10_000, before(1, 7).losing(20), behind(1, 7).losing(20));

        StreamPassage passage = scene.reports().calls().getFirst().passages().getFirst();
        assertThat(passage.lost()).isZero();
        assertThat(passage.lostBefore()).isEqualTo(24);
        assertThat(relayLosses()).isEmpty();
    }

    @Test
    void packetsThatOnlyTheSecondPointHasWereMissedByTheCapture() {
        relayed(1);
        scene.talk(10_000, before(1, 7).losing(20), behind(1, 7));

        StreamPassage passage = scene.reports().calls().getFirst().passages().getFirst();
        assertThat(passage.extra()).isEqualTo(24);
        assertThat(passage.isTrusted()).isFalse();
        assertThat(relayLosses()).isEmpty();
    }

    @Test
    void nineLostPacketsAreNoProblem() {
        relayed(1);
        scene.talk(3_780, before(1, 7), behind(1, 7).losing(20));

        assertThat(scene.reports().calls().getFirst().passages().getFirst().lost())
                .isEqualTo(9);
        assertThat(relayLosses()).isEmpty();
    }

    @Test
    void theLimitsOfARelayCanBeSet() {
        assertThat(relayLossesWith(new ProblemLimits.Relay(1, 9))).hasSize(1);
        assertThat(relayLossesWith(new ProblemLimits.Relay(1, 10))).isEmpty();
        assertThat(relayLossesWith(new ProblemLimits.Relay(6, 9))).isEmpty();
    }

    /** Those of a call through a relay that loses 9 packets of 189. */
    private List<Problem> relayLossesWith(ProblemLimits.Relay relay) {
        ProblemLimits usual = ProblemLimits.DEFAULT;
        ProblemLimits limits = new ProblemLimits(
                usual.lossPercent(),
                usual.latePercent(),
                usual.mos(),
                usual.jitterMs(),
                usual.signalling(),
                usual.audio(),
                relay);
        scene = new Scene(new CallAssembly(1000, 1, 1, MediaOptions.DEFAULT, limits, JoinOptions.DEFAULT, null));
        relayed(1);
        scene.talk(3_780, before(1, 7), behind(1, 7).losing(20));
        return relayLosses();
    }

    @Test
    void aCallOnHoldLosesNothing() {
        SipLeg[] legs = relayed(1);
        scene.talk(4000, before(1, 7), behind(1, 7));
        legs[0].sdp(Sdp.audio("10.1.0.1", 4000, "a=sendonly")).request("INVITE");
        legs[0].respond(200);
        scene.talk(2000, before(1, 7)).skip(behind(1, 7), 100);
        scene.talk(4000, before(1, 7), behind(1, 7));

        assertThat(scene.reports().calls().getFirst().passages()).hasSize(1);
        assertThat(scene.reports().calls().getFirst().holds()).isNotEmpty();
        assertThat(relayLosses()).isEmpty();
    }

    @Test
    void findsTheRelayOfAProxyWithinOneCallId() {
        proxied("a=sendrecv");
        scene.talk(10_000, before(1, 7), behind(1, 7).losing(10));

        CallReport call = scene.call();
        assertThat(call.passages()).singleElement().satisfies(passage -> {
            assertThat(passage.lossPercent()).isCloseTo(9.82, within(0.01));
            assertThat(passage.from().leadsTo(passage.to())).isTrue();
        });
        assertThat(relayLosses()).hasSize(1);
    }

    @Test
    void aLegThatWasNotJoinedHasNoPassage() {
        relayed(1);
        scene.talk(3000, before(1, 7), behind(1, 8));

        assertThat(scene.reports().calls())
                .hasSize(2)
                .allSatisfy(call -> assertThat(call.passages()).isEmpty());
    }

    /** What the callee of a relayed call sends, before the switch and behind it. */
    private static Flow[] back() {
        return new Flow[] {flow("10.3.0.1", 6000, SWITCH, 5004, 9), flow(SWITCH, 5006, "10.1.0.1", 4000, 10)};
    }

    @Test
    void namesTheRelayThatPassesNothingOn() {
        SipLeg in = leg("in-1", "10.1.0.1", SWITCH, 4000);
        scene.in(80);
        SipLeg out = new SipLeg(scene, "out-1", SWITCH + ":5060", "10.3.0.1:5060")
                .header("X-CID: in-1")
                .sdp(Sdp.audio(SWITCH, 5004))
                .invite();
        answer(out, "10.3.0.1", 6000);
        answer(in, SWITCH, 5006);
        scene.talk(5000, before(1, 7), back()[0], back()[1]);

        assertThat(calls()).containsExactly("in-1+out-1");
        assertThat(relayLosses()).singleElement().satisfies(problem -> {
            assertThat(problem.side()).isEqualTo(ProblemSide.CALLER);
            assertThat(problem.percent()).isEqualTo(100);
            assertThat(problem.count()).isEqualTo(250);
            assertThat(problem.cause())
                    .isEqualTo(new Problem.Cause.Relay(Addresses.v4(SWITCH + ":5006"), Addresses.v4("10.3.0.1:6000")));
        });
    }

    @Test
    void aRelayWhoseOtherSideWasNotCapturedIsNotNamed() {
        SipLeg in = leg("in-1", "10.1.0.1", SWITCH, 4000);
        answer(in, SWITCH, 5006);
        scene.talk(5000, before(1, 7), back()[1]);

        assertThat(relayLosses()).isEmpty();
    }

    @Test
    void aRelayThatPassesOnOtherPacketsIsNotNamed() {
        proxied("a=sendrecv");
        scene.talk(5000, before(1, 7), behind(1, 8), back()[0], back()[1]);

        assertThat(relayLosses()).isEmpty();
    }

    @Test
    void namesTheRelayOfAProxyThatPassesNothingOnUnlessNobodyWantsIt() {
        proxied("a=sendrecv");
        scene.talk(5000, before(1, 7), back()[0], back()[1]);

        assertThat(relayLosses()).hasSize(1);
    }

    @Test
    void aSideThatSendsOnlyNeedsNoAudioFromTheOther() {
        proxied("a=sendonly");
        scene.talk(5000, before(1, 7), back()[0], back()[1]);

        assertThat(relayLosses()).isEmpty();
    }

    /** A call through a proxy that puts itself into the way of media. */
    private void proxied(String direction) {
        Dialog first = new Dialog(scene, "one@test", Addresses.v4("10.1.0.1:5060"), Addresses.v4(SWITCH + ":5060"));
        Dialog second = first.hop(Addresses.v4(SWITCH + ":5060"), Addresses.v4("10.3.0.1:5060"));
        first.invite(Sdp.audio("10.1.0.1", 4000));
        second.invite(Sdp.audio(SWITCH, 5004));
        second.response(Side.CALLEE, 200, 1, "INVITE", Sdp.audio("10.3.0.1", 6000, direction));
        first.response(Side.CALLEE, 200, 1, "INVITE", Sdp.audio(SWITCH, 5006, direction));
        first.ack();
    }

    @Test
    void comparesPacketByPacketIfAskedTo() {
        Scene logging = new Scene(
                new CallAssembly(100, 1, 1, MediaOptions.DEFAULT.withPassages(true), (message, packet, copy) -> {}));
        Dialog first = new Dialog(logging, "one@test", Addresses.v4("10.1.0.1:5060"), Addresses.v4(SWITCH + ":5060"));
        Dialog second = first.hop(Addresses.v4(SWITCH + ":5060"), Addresses.v4("10.3.0.1:5060"));
        first.invite(Sdp.audio("10.1.0.1", 4000));
        second.invite(Sdp.audio(SWITCH, 5004));
        second.response(Side.CALLEE, 200, 1, "INVITE", Sdp.audio("10.3.0.1", 6000));
        first.response(Side.CALLEE, 200, 1, "INVITE", Sdp.audio(SWITCH, 5006));
        first.ack();
        logging.talk(5000, before(1, 7).losing(30), behind(1, 7).losing(20));

        StreamPassage passage = logging.call().passages().getFirst();
        assertThat(passage.figures()).isNotNull();
        // 30, 60... at the first point, 20, 40... at the second, of which 60, 120, 180 and 240 are lost at both
        assertThat(passage.lostBefore()).isEqualTo(8);
        assertThat(passage.lost()).isEqualTo(12 - 4);
        assertThat(passage.extra()).isEqualTo(8 - 4);
    }

    @Test
    void aStreamThatGoesOnInAnotherCallAfterATransferDoesNotJoinIt() {
        relayed(1);
        Flow caller = before(1, 7);
        scene.talk(4000, caller, behind(1, 8));
        SipLeg consultation = leg("consultation", SWITCH, "10.3.0.9", 5100);
        answer(consultation, "10.3.0.9", 6000);
        Flow after = flow(SWITCH, 5100, "10.3.0.9", 6000, 7);
        scene.skip(after, 200).talk(4000, caller, after);

        assertThat(calls()).containsExactlyInAnyOrder("in-1", "out-1", "consultation");
    }

    @Test
    void aPhoneThatBeginsAllItsCallsAlikeHasEachOfThemJoined() {
        for (int i = 0; i < 40; i++) {
            SipLeg in = leg("in-" + i, "10.1.0.1", SWITCH, 4000);
            scene.in(80);
            SipLeg out = leg("out-" + i, SWITCH, "10.3.0.1", 5004);
            scene.in(2000);
            answer(out, "10.3.0.1", 6000);
            answer(in, SWITCH, 5006);
            scene.begin(before(1, 7)).begin(behind(1, 7));
            scene.talk(3000, before(1, 7), behind(1, 7));
            in.bye();
            out.bye();
            scene.in(5000);
        }
        assertThat(calls()).hasSize(40).startsWith("in-0+out-0", "in-1+out-1");
    }
}
