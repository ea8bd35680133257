package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Endpoint;
import io.offhook.packet.PlacedCount;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Offers and answers: codec, hold, and the endpoints that become known. */
class CallMediaTest {
    private static final String CALLER_IP = "10.1.0.1";
    private static final String CALLEE_IP = "10.1.0.2";
    private static final String OFFER = Sdp.audio(CALLER_IP, 4000);
    private static final String ANSWER_PCMA = Sdp.of(CALLEE_IP, "m=audio 5000 RTP/AVP 8");

    private final Scene scene = new Scene();
    private final Dialog dialog = new Dialog(scene);

    private List<MediaBinding> at(String endpoint) {
        return scene.assembly().bindings().at(Addresses.v4(endpoint));
    }

    @Test
    void agreesOnTheFirstCodecOfTheAnswer() {
        dialog.answered(OFFER, ANSWER_PCMA);
        assertThat(scene.call().codec()).isEqualTo("PCMA");
        assertThat(at("10.1.0.1:4000"))
                .singleElement()
                .satisfies(binding -> assertThat(binding.side()).isEqualTo(Side.CALLER));
        assertThat(at("10.1.0.2:5000"))
                .singleElement()
                .satisfies(binding -> assertThat(binding.side()).isEqualTo(Side.CALLEE));
    }

    @Test
    void takesTheAnswerFromTheAckWhereTheOfferCameIn200() {
        dialog.invite("")
                .ringing()
                .response(Side.CALLEE, 200, 1, "INVITE", Sdp.audio(CALLEE_IP, 5000))
                .request(Side.CALLER, "ACK", 1, true, Sdp.of(CALLER_IP, "m=audio 4000 RTP/AVP 8"));
        assertThat(scene.call().codec()).isEqualTo("PCMA");
        // agreed: what a re-INVITE says later is not the codec that the call was set up with
        dialog.accepted(Side.CALLER, "INVITE", 2, OFFER, Sdp.of(CALLEE_IP, "m=audio 5000 RTP/AVP 0"));
        assertThat(scene.call().codec()).isEqualTo("PCMA");
    }

    @Test
    void takesTheAnswerFrom183WhereThe200HasNoSdp() {
        dialog.invite(OFFER)
                .response(Side.CALLEE, 183, 1, "INVITE", ANSWER_PCMA)
                .response(Side.CALLEE, 200, 1, "INVITE", "")
                .ack();
        assertThat(scene.call().codec()).isEqualTo("PCMA");
    }

    @Test
    void letsTheLastAnswerBeforeThe200Decide() {
        dialog.invite(OFFER)
                .response(Side.CALLEE, 183, 1, "INVITE", ANSWER_PCMA)
                .response(Side.CALLEE, 200, 1, "INVITE", Sdp.of(CALLEE_IP, "m=audio 5002 RTP/AVP 0"))
                .ack();
        assertThat(scene.call().codec()).isEqualTo("PCMU");
    }

    @Test
    void takesTheAnswerToAnUpdateOfAnEarlyDialog() {
        dialog.invite(OFFER)
                .response(Side.CALLEE, 183, 1, "INVITE", Sdp.audio(CALLEE_IP, 5000))
                .accepted(Side.CALLER, "UPDATE", 2, Sdp.of(CALLER_IP, "m=audio 4000 RTP/AVP 8"), ANSWER_PCMA)
                .response(Side.CALLEE, 200, 1, "INVITE", "")
                .ack();
        assertThat(scene.call().codec()).isEqualTo("PCMA");
    }

    @Test
    void keepsTheAgreedCodecWhenAReinviteChangesIt() {
        dialog.answered(OFFER, ANSWER_PCMA);
        dialog.request(Side.CALLEE, "INVITE", 4, true, Sdp.of(CALLEE_IP, "m=audio 5000 RTP/AVP 0"))
                .response(Side.CALLER, 200, 4, "INVITE", Sdp.of(CALLER_IP, "m=audio 4000 RTP/AVP 0"));
        assertThat(scene.call().codec()).isEqualTo("PCMA");
    }

    @Test
    void passesOverTelephoneEventsAndComfortNoise() {
        dialog.answered(
                Sdp.of(
                        CALLER_IP,
                        "m=audio 4000 RTP/AVP 101 13 96",
                        "a=rtpmap:101 telephone-event/8000",
                        "a=rtpmap:96 opus/48000/2"),
                Sdp.of(
                        CALLEE_IP,
                        "m=audio 5000 RTP/AVP 101 13 96",
                        "a=rtpmap:101 telephone-event/8000",
                        "a=rtpmap:96 opus/48000/2"));
        assertThat(scene.call().codec()).isEqualTo("opus");
    }

    @Test
    void agreesOnNothingWhereTheAnswerRefusesAudio() {
        dialog.answered(OFFER, Sdp.of(CALLEE_IP, "m=audio 0 RTP/AVP 8"));
        assertThat(scene.call().codec()).isNull();
    }

    @Test
    void bindsNoEndpointOfALineThatIsRefused() {
        dialog.answered(
                Sdp.of(CALLER_IP, "m=audio 4000 RTP/AVP 0", "m=video 4002 RTP/AVP 31"),
                Sdp.of(CALLEE_IP, "m=audio 5000 RTP/AVP 0", "m=video 0 RTP/AVP 31"));
        assertThat(at("10.1.0.1:4002")).hasSize(1);
        assertThat(at("10.1.0.2:5000")).hasSize(1);
        assertThat(at("10.1.0.2:0")).isEmpty();
        // video that the answer refused is no excuse for silence, but it was offered
        assertThat(session().hasAudio()).isTrue();
    }

    @Test
    void bindsUdpCandidatesOfIce() {
        dialog.invite(Sdp.audio(
                CALLER_IP,
                4000,
                "a=candidate:1 1 UDP 2130706431 192.168.0.7 4100 typ host",
                "a=candidate:2 1 udp 1694498815 203.0.113.9 4200 typ srflx raddr 192.168.0.7 rport 4100",
                "a=candidate:3 1 TCP 1694498815 192.168.0.7 9 typ host tcptype active",
                "a=candidate:4 1 udp 1694498815 phone.local 4300 typ host"));
        assertThat(at("192.168.0.7:4100")).hasSize(1);
        assertThat(at("203.0.113.9:4200")).hasSize(1);
        assertThat(at("192.168.0.7:9")).isEmpty();
    }

    @Test
    void findsPayloadTypesAcrossTheLinesOfABundle() {
        dialog.invite(Sdp.of(
                CALLER_IP,
                "a=group:BUNDLE 0 1",
                "m=audio 4000 UDP/TLS/RTP/SAVPF 111",
                "a=mid:0",
                "a=rtpmap:111 opus/48000/2",
                "m=video 0 UDP/TLS/RTP/SAVPF 96",
                "a=bundle-only",
                "a=mid:1",
                "a=rtpmap:96 VP8/90000"));
        MediaBinding binding = at("10.1.0.1:4000").getFirst();
        assertThat(binding.lineOf(96).type()).isEqualTo("video");
        assertThat(binding.lineOf(111).type()).isEqualTo("audio");
        assertThat(binding.lineOf(77)).isSameAs(binding.lineOf(111));
        assertThat(binding.codec(96))
                .isNotNull()
                .satisfies(codec -> assertThat(codec.clockRate()).isEqualTo(90_000));
        assertThat(binding.codec(77)).isNull();
        assertThat(scene.call().isEncrypted()).isTrue();
    }

    @Test
    void bindsNoUnspecifiedAddress() {
        dialog.invite(Sdp.audio("0.0.0.0", 4000));
        assertThat(at("0.0.0.0:4000")).isEmpty();
    }

    @Test
    void bindsNoMoreThanACallsShare() {
        dialog.invite(OFFER);
        for (int i = 0; i < 300; i++) {
            dialog.request(Side.CALLER, "UPDATE", 2 + i, true, Sdp.audio(CALLER_IP, 10_000 + 2 * i));
        }
        long bound = 0;
        for (int i = 0; i < 300; i++) {
            bound += at("10.1.0.1:" + (10_000 + 2 * i)).size();
        }
        assertThat(bound).isEqualTo(255);
        assertThat(at("10.1.0.1:4000")).hasSize(1);
        assertThat(counter("mediaBindingsDropped")).isEqualTo(45);
    }

    private void assertHeldAfterASecond(Side by, long untilNs) {
        assertThat(scene.call().holds())
                .containsExactly(new CallReport.Hold(by, Scene.START_NS + Scene.SECOND, untilNs));
    }

    @ParameterizedTest
    @CsvSource({"10.1.0.1, a=sendonly", "10.1.0.1, a=inactive", "0.0.0.0, a=sendrecv"})
    void knowsHoldAndItsEnd(String address, String direction) {
        dialog.answered(OFFER, ANSWER_PCMA);
        scene.at(1000);
        dialog.request(Side.CALLER, "INVITE", 2, true, Sdp.audio(address, 4000, direction))
                .response(Side.CALLEE, 200, 2, "INVITE", Sdp.audio(CALLEE_IP, 5000, "a=recvonly"));
        scene.at(3000);
        dialog.accepted(Side.CALLER, "INVITE", 3, Sdp.audio(CALLER_IP, 4000), Sdp.audio(CALLEE_IP, 5000));
        assertHeldAfterASecond(Side.CALLER, Scene.START_NS + 3 * Scene.SECOND);
    }

    @ParameterizedTest
    @CsvSource({"CALLER, UPDATE", "CALLEE, UPDATE", "CALLER, INVITE", "CALLEE, INVITE"})
    void knowsHoldByEitherSideInEitherRequest(Side by, String method) {
        String own = by == Side.CALLER ? CALLER_IP : CALLEE_IP;
        String others = by == Side.CALLER ? CALLEE_IP : CALLER_IP;
        dialog.answered(OFFER, ANSWER_PCMA);
        scene.at(1000);
        dialog.accepted(by, method, 20, Sdp.audio(own, 6000, "a=sendonly"), Sdp.audio(others, 6002, "a=recvonly"));
        scene.at(2000);
        dialog.accepted(by, method, 21, Sdp.audio(own, 6000), Sdp.audio(others, 6002));
        assertHeldAfterASecond(by, Scene.START_NS + 2 * Scene.SECOND);
    }

    @Test
    void goesOnHoldingUntilTheCallEnds() {
        dialog.answered(OFFER, ANSWER_PCMA);
        scene.at(1000);
        dialog.request(Side.CALLEE, "INVITE", 2, true, Sdp.audio(CALLEE_IP, 5000, "a=sendonly"));
        scene.at(4000);
        dialog.bye(Side.CALLER);
        scene.at(9000);
        assertHeldAfterASecond(Side.CALLEE, Scene.START_NS + 4 * Scene.SECOND);
    }

    private void reinviteWithoutOffer(int cseq, String offer, String answer) {
        dialog.accepted(Side.CALLEE, "INVITE", cseq, "", offer).request(Side.CALLEE, "ACK", cseq, true, answer);
    }

    /** The INVITE has no SDP: the offer is in the 200, the answer in the ACK (RFC 3261, 13.2.1). */
    @ParameterizedTest
    @CsvSource({"a=sendonly", "a=inactive"})
    void knowsHoldByTheAnswerToADelayedOffer(String direction) {
        dialog.answered(OFFER, ANSWER_PCMA);
        scene.at(1000);
        reinviteWithoutOffer(20, Sdp.audio(CALLER_IP, 4000), Sdp.audio(CALLEE_IP, 5000, direction));
        scene.at(3000);
        reinviteWithoutOffer(21, Sdp.audio(CALLER_IP, 4000), Sdp.audio(CALLEE_IP, 5000));
        assertHeldAfterASecond(Side.CALLEE, Scene.START_NS + 3 * Scene.SECOND);
    }

    @Test
    void takesAnAnswerThatOnlyFollowsADelayedOfferForNoHold() {
        dialog.answered(OFFER, ANSWER_PCMA);
        scene.at(1000);
        reinviteWithoutOffer(20, Sdp.audio(CALLER_IP, 4000, "a=inactive"), Sdp.audio(CALLEE_IP, 5000, "a=inactive"));
        assertThat(scene.call().holds()).extracting(CallReport.Hold::by).containsExactly(Side.CALLER);
    }

    @Test
    void takesARestrictedFirstOfferIn200ForNoHold() {
        dialog.invite("")
                .response(Side.CALLEE, 200, 1, "INVITE", Sdp.audio(CALLEE_IP, 5000, "a=sendonly"))
                .request(Side.CALLER, "ACK", 1, true, Sdp.audio(CALLER_IP, 4000, "a=inactive"));
        assertThat(scene.call().holds()).isEmpty();
    }

    @Test
    void takesARestrictedFirstOfferForNoHold() {
        dialog.answered(Sdp.audio(CALLER_IP, 4000, "a=sendonly"), Sdp.audio(CALLEE_IP, 5000, "a=recvonly"));
        assertThat(scene.call().holds()).isEmpty();
    }

    @Test
    void takesTheAnswerToAHoldForNoHoldOfTheOther() {
        dialog.answered(OFFER, ANSWER_PCMA);
        dialog.request(Side.CALLER, "INVITE", 2, true, Sdp.audio(CALLER_IP, 4000, "a=sendonly"))
                .response(Side.CALLEE, 200, 2, "INVITE", Sdp.audio(CALLEE_IP, 5000, "a=inactive"));
        assertThat(scene.call().holds()).extracting(CallReport.Hold::by).containsExactly(Side.CALLER);
    }

    @Test
    void bindsIpv6() {
        dialog.invite(Sdp.audio("2001:db8::7", 4000));
        Endpoint endpoint = Addresses.v6(7, 4000);
        assertThat(scene.assembly().bindings().at(endpoint)).hasSize(1);
    }

    private static final String HELD = Sdp.audio(CALLER_IP, 4000, "a=sendonly");

    private long counter(String name) {
        PlacedCount count = scene.reports().counters().get(name);
        return count == null ? -1 : count.count();
    }

    private OfferAnswer session() {
        return scene.assembly()
                .callTables()
                .getFirst()
                .calls()
                .getFirst()
                .media()
                .session();
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 401, 488, 491, 500, 603})
    void forgetsAHoldThatWasRefused(int status) {
        dialog.answered(OFFER, ANSWER_PCMA);
        dialog.request(Side.CALLER, "INVITE", 2, true, HELD).response(Side.CALLEE, status, 2, "INVITE", "");
        scene.in(9000);
        assertThat(scene.call().holds()).isEmpty();
        assertThat(silentNs(Side.CALLEE)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INVITE", "UPDATE"})
    void goesOnHoldingWhereTheEndOfItWasRefused(String method) {
        dialog.answered(OFFER, ANSWER_PCMA);
        scene.at(1000);
        dialog.accepted(Side.CALLER, method, 2, HELD, Sdp.audio(CALLEE_IP, 5000, "a=recvonly"));
        scene.at(2000);
        dialog.request(Side.CALLER, method, 3, true, OFFER).response(Side.CALLEE, 500, 3, method, "");
        scene.at(3000);
        assertHeldAfterASecond(Side.CALLER, scene.nowNs());
    }

    @Test
    void countsAHoldFromItsOfferOnNotFromTheAnswer() {
        dialog.answered(OFFER, ANSWER_PCMA);
        scene.at(1000);
        dialog.request(Side.CALLER, "INVITE", 2, true, HELD);
        assertThat(scene.call().holds()).hasSize(1); // as long as nobody has refused it
        scene.at(1500);
        dialog.response(Side.CALLEE, 100, 2, "INVITE", "")
                .response(Side.CALLEE, 200, 2, "INVITE", Sdp.audio(CALLEE_IP, 5000, "a=recvonly"));
        scene.at(4000);
        dialog.request(Side.CALLER, "INVITE", 3, true, OFFER);
        scene.at(4500);
        dialog.response(Side.CALLEE, 200, 3, "INVITE", Sdp.audio(CALLEE_IP, 5000));
        assertHeldAfterASecond(Side.CALLER, Scene.START_NS + 4 * Scene.SECOND);
        assertThat(silentNs(Side.CALLEE)).isEqualTo(3500 * Scene.MS);
        assertThat(silentNs(Side.CALLER)).isZero();
    }

    @Test
    void takesAnOfferWhoseResponseWasNotCapturedForAccepted() {
        dialog.answered(OFFER, ANSWER_PCMA);
        scene.at(1000);
        dialog.request(Side.CALLER, "INVITE", 2, true, HELD);
        scene.at(2000);
        dialog.request(Side.CALLER, "INVITE", 3, true, OFFER);
        scene.at(9000);
        assertHeldAfterASecond(Side.CALLER, Scene.START_NS + 2 * Scene.SECOND);
    }

    @Test
    void keepsOffersThatCrossApart() {
        dialog.answered(OFFER, ANSWER_PCMA);
        scene.at(1000);
        dialog.request(Side.CALLER, "INVITE", 2, true, HELD)
                .request(Side.CALLEE, "INVITE", 2, true, Sdp.audio(CALLEE_IP, 5000, "a=sendonly"))
                .response(Side.CALLER, 491, 2, "INVITE", "")
                .response(Side.CALLEE, 200, 2, "INVITE", Sdp.audio(CALLEE_IP, 5000, "a=recvonly"));
        assertThat(scene.call().holds()).extracting(CallReport.Hold::by).containsExactly(Side.CALLER);
    }

    @Test
    void takesAHoldFromThe200ThatAReinviteWithoutOfferAskedFor() {
        dialog.answered(OFFER, ANSWER_PCMA);
        scene.at(1000);
        dialog.accepted(Side.CALLER, "INVITE", 2, "", Sdp.audio(CALLEE_IP, 5000, "a=sendonly"))
                .request(Side.CALLER, "ACK", 2, true, Sdp.audio(CALLER_IP, 4000, "a=recvonly"));
        scene.at(2000);
        assertHeldAfterASecond(Side.CALLEE, scene.nowNs());
    }

    @ParameterizedTest
    @CsvSource({"OPTIONS, 200", "INVITE, 488", "INFO, 200", "SUBSCRIBE, 202"})
    void believesNoDescriptionOfWhatCouldBe(String method, int status) {
        dialog.answered(OFFER, ANSWER_PCMA);
        scene.at(1000);
        dialog.accepted(Side.CALLER, "INVITE", 2, HELD, Sdp.audio(CALLEE_IP, 5000, "a=recvonly"));
        dialog.request(Side.CALLEE, method, 7, true, method.equals("INVITE") ? ANSWER_PCMA : "")
                .response(Side.CALLER, status, 7, method, Sdp.audio(CALLER_IP, 4444));
        scene.at(2000);
        assertThat(at("10.1.0.1:4444")).isEmpty();
        assertHeldAfterASecond(Side.CALLER, scene.nowNs());
        assertThat(session().hasAudio()).isTrue();
    }

    @Test
    void takesFaxForAgreedOnlyWhereItIs() {
        dialog.answered(OFFER, ANSWER_PCMA);
        String fax = Sdp.of(CALLEE_IP, "m=image 5000 udptl t38");
        dialog.request(Side.CALLEE, "INVITE", 2, true, fax);
        assertThat(session().hasFax()).isTrue(); // as long as nobody has refused it
        dialog.response(Side.CALLER, 488, 2, "INVITE", fax);
        assertThat(session().hasFax()).isFalse();
        dialog.accepted(Side.CALLEE, "INVITE", 3, fax, Sdp.of(CALLER_IP, "m=image 0 udptl t38"));
        assertThat(session().hasFax()).isFalse();
        dialog.accepted(Side.CALLEE, "INVITE", 4, fax, Sdp.of(CALLER_IP, "m=image 4000 udptl t38"));
        assertThat(session().hasFax()).isTrue();
    }

    @Test
    void namesNoEndpointTwice() {
        dialog.answered(OFFER, ANSWER_PCMA);
        Dialog next = dialog.hop(Addresses.v4("10.1.0.2:5060"), Addresses.v4("10.1.0.3:5060"));
        next.answered(OFFER, ANSWER_PCMA);
        for (int i = 0; i < 20; i++) {
            dialog.accepted(Side.CALLER, "INVITE", 2 + i, OFFER, ANSWER_PCMA);
        }
        assertThat(at("10.1.0.1:4000")).hasSize(1);
        assertThat(at("10.1.0.2:5000")).hasSize(1);
        // other codecs at the same endpoint are news
        dialog.request(Side.CALLER, "UPDATE", 40, true, Sdp.of(CALLER_IP, "m=audio 4000 RTP/AVP 18"));
        assertThat(at("10.1.0.1:4000")).hasSize(2);
    }

    @Test
    void sharesWhatCallsHaveInCommon() {
        dialog.answered(OFFER, ANSWER_PCMA);
        new Dialog(scene, "two@test", Addresses.v4("10.1.0.4:5060"), Addresses.v4("10.1.0.2:5060"))
                .answered(Sdp.audio("10.1.0.4", 4000), ANSWER_PCMA);
        assertThat(at("10.1.0.4:4000").getFirst().lines())
                .isSameAs(at("10.1.0.1:4000").getFirst().lines());
    }

    @Test
    void reportsTheCodecThatTheCallerGotBehindATranscoder() {
        Dialog far = dialog.hop(Addresses.v4("10.1.0.2:5060"), Addresses.v4("10.1.0.3:5060"));
        dialog.invite(OFFER);
        far.invite(OFFER)
                .response(Side.CALLEE, 200, 1, "INVITE", Sdp.of("10.1.0.3", "m=audio 6000 RTP/AVP 18"))
                .ack();
        dialog.response(Side.CALLEE, 200, 1, "INVITE", ANSWER_PCMA).ack();
        assertThat(scene.call().legs()).hasSize(2);
        assertThat(scene.call().codec()).isEqualTo("PCMA");
        far.accepted(Side.CALLER, "INVITE", 2, OFFER, Sdp.of("10.1.0.3", "m=audio 6000 RTP/AVP 0"));
        dialog.accepted(Side.CALLER, "INVITE", 2, OFFER, Sdp.of(CALLEE_IP, "m=audio 5000 RTP/AVP 0"));
        assertThat(scene.call().codec()).isEqualTo("PCMA");
    }

    private static String keyed(String address, int port) {
        return Sdp.audio(
                address, port, "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz");
    }

    @Test
    void knowsOpportunisticEncryptionByTheKeysOfBothSides() {
        dialog.answered(keyed(CALLER_IP, 4000), keyed(CALLEE_IP, 5000));
        assertThat(scene.call().isEncrypted()).isTrue();
        Scene half = new Scene();
        new Dialog(half).answered(keyed(CALLER_IP, 4000), ANSWER_PCMA);
        assertThat(half.call().isEncrypted()).isFalse();
    }

    @Test
    void callsMediaEncryptedByWhatWasAgreedNotByWhatWasOffered() {
        String offer = Sdp.of(CALLER_IP, "m=audio 4000 RTP/SAVP 0", "m=audio 4002 RTP/AVP 0");
        dialog.invite(offer);
        assertThat(scene.call().isEncrypted()).isTrue();
        dialog.response(
                        Side.CALLEE,
                        200,
                        1,
                        "INVITE",
                        Sdp.of(CALLEE_IP, "m=audio 0 RTP/SAVP 0", "m=audio 5000 RTP/AVP 0"))
                .ack();
        assertThat(scene.call().isEncrypted()).isFalse();
    }

    @Test
    void listsNoMoreHoldsThanACallsShareAndCountsTheOthers() {
        dialog.answered(OFFER, ANSWER_PCMA);
        for (int i = 0; i < OfferAnswer.MAX_HOLDS + 3; i++) {
            dialog.accepted(Side.CALLER, "UPDATE", 2 + 2 * i, HELD, "");
            scene.in(10);
            dialog.accepted(Side.CALLER, "UPDATE", 3 + 2 * i, OFFER, "");
        }
        assertThat(scene.call().holds()).hasSize(OfferAnswer.MAX_HOLDS);
        assertThat(counter("callHoldsDropped")).isEqualTo(3);
    }

    @Test
    void countsTheChangesThatAreNotKept() {
        dialog.answered(OFFER, ANSWER_PCMA);
        for (int i = 0; i < OfferAnswer.MAX_CHANGES; i++) {
            scene.in(2000);
            dialog.accepted(Side.CALLER, "UPDATE", 2 + i, OFFER, ANSWER_PCMA);
        }
        assertThat(counter("callChangesDropped"))
                .isEqualTo(1); // the offer and the answer that set up the call came first
    }

    @Test
    void doesNotJudgeAudioAfterChangesThatAreNotKept() {
        Flow caller = Flow.of(CALLER_IP + ":4000", CALLEE_IP + ":5000", 1).payloadType(8);
        Flow callee = Flow.of(CALLEE_IP + ":5000", CALLER_IP + ":4000", 2).payloadType(8);
        dialog.answered(OFFER, ANSWER_PCMA);
        scene.talk(4000, caller, callee);
        for (int i = 0; i < OfferAnswer.MAX_CHANGES; i++) {
            scene.talk(100, caller, callee);
            dialog.accepted(Side.CALLER, "UPDATE", 2 + i, OFFER, ANSWER_PCMA);
        }
        scene.talk(10_000, caller);
        assertThat(scene.call().problems()).isEmpty();
    }

    @Test
    void countsTheHopsThatAreNotFollowed() {
        for (int i = 1; i <= 260; i++) {
            dialog.hop(Addresses.v4("10.1.0.1:" + i), Addresses.v4("10.1.0.1:" + (i + 1)))
                    .invite(OFFER);
        }
        assertThat(scene.call().legs()).hasSize(256);
        assertThat(counter("callLegsDropped")).isEqualTo(4);
    }

    @Test
    void readsNoPayloadTypesOfLinesThatAreNotBundled() {
        dialog.invite(Sdp.of(CALLER_IP, "m=audio 4000 RTP/AVP 0", "m=video 4002 RTP/AVP 96", "a=rtpmap:96 VP8/90000"));
        MediaBinding binding = at("10.1.0.1:4000").getFirst();
        assertThat(binding.lineOf(96).type()).isEqualTo("audio");
        assertThat(binding.codec(96)).isNull();
    }

    /** How long a side was not to send audio, since the answer. */
    private long silentNs(Side side) {
        return Spans.union(session().silences(side, scene.nowNs()))
                .within(session().talkFromNs(), scene.nowNs())
                .ns();
    }
}
