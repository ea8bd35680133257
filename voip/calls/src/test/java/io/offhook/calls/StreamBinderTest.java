package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.offhook.calls.join.JoinOptions;
import io.offhook.packet.Endpoint;
import io.offhook.packet.PlacedCount;
import io.offhook.rtp.TelephoneEvents;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which call a stream is given to. */
class StreamBinderTest {
    private static final String A_MEDIA = "10.1.0.1:4000";
    private static final String B_MEDIA = "10.1.0.2:5000";
    private static final Flow FORTH = Flow.of(A_MEDIA, B_MEDIA, 0xa);
    private static final Flow BACK = Flow.of(B_MEDIA, A_MEDIA, 0xb);
    private static final Endpoint PROXY = Addresses.v4("10.1.0.9:5060");

    private static final String EVENTS = "a=rtpmap:101 telephone-event/8000";

    private final Scene scene = new Scene(new CallAssembly(
            CallAssembly.MOST_CALLS,
            1,
            1,
            MediaOptions.DEFAULT,
            ProblemLimits.DEFAULT,
            JoinOptions.DEFAULT.withJoins(false),
            null));

    private Dialog dialog(String callId) {
        return new Dialog(scene, callId, Addresses.v4("10.1.0.1:5060"), Addresses.v4("10.1.0.2:5060"));
    }

    private Dialog answered(String callId, String callerMedia, String calleeMedia) {
        return dialog(callId).answered(audio(callerMedia), audio(calleeMedia));
    }

    private static String audio(String endpoint) {
        int colon = endpoint.indexOf(':');
        return Sdp.audio(endpoint.substring(0, colon), Integer.parseInt(endpoint.substring(colon + 1)));
    }

    private List<String> streams(String callId) {
        return scene.call(callId).streams().stream()
                .map(stream -> stream.ssrc() + " from "
                        + (stream.from() == null ? "?" : stream.from().label()))
                .toList();
    }

    @Test
    void bindsBothDirectionsByBothEnds() {
        Dialog call = answered("one@test", A_MEDIA, B_MEDIA);
        scene.talk(1000, FORTH, BACK);
        call.bye(Side.CALLER);
        assertThat(streams("one@test")).containsExactly("10 from caller", "11 from callee");
        assertThat(scene.reports().streams()).isEmpty();
        assertThat(scene.reports().rtpPackets()).isEqualTo(100);
    }

    @Test
    void prefersTheCallThatNamesBothEnds() {
        answered("both@test", A_MEDIA, B_MEDIA);
        scene.at(500);
        answered("receiver@test", "10.1.0.7:4000", B_MEDIA);
        answered("sender@test", A_MEDIA, "10.1.0.8:5000");
        scene.talk(1000, FORTH);
        assertThat(streams("both@test")).containsExactly("10 from caller");
        assertThat(streams("receiver@test")).isEmpty();
        assertThat(streams("sender@test")).isEmpty();
    }

    @Test
    void laterCallOnTheSamePortsEndsOneWhoseByeWasNotCaptured() {
        answered("one@test", A_MEDIA, B_MEDIA);
        scene.talk(10_000, FORTH, BACK);
        scene.in(20_000);
        Dialog later = answered("two@test", A_MEDIA, B_MEDIA);
        scene.talk(10_000, Flow.of(A_MEDIA, B_MEDIA, 0xc), Flow.of(B_MEDIA, A_MEDIA, 0xd));
        later.bye(Side.CALLER);
        scene.in(60_000);

        assertThat(streams("one@test")).containsExactly("10 from caller", "11 from callee");
        assertThat(streams("two@test")).containsExactly("12 from caller", "13 from callee");
        assertThat(scene.call("two@test").problems()).isEmpty();
        assertThat(Found.in(scene.call("one@test"))).containsExactly("audioStopped service both 20.0");
    }

    @Test
    void callOnOneOfThePortsEndsNoOther() {
        Dialog first = answered("one@test", A_MEDIA, B_MEDIA);
        scene.talk(5_000, FORTH, BACK);
        answered("two@test", A_MEDIA, "10.1.0.3:7000");
        scene.talk(5_000, FORTH, BACK);

        scene.in(20_000);
        first.bye(Side.CALLER);

        assertThat(streams("one@test")).containsExactly("10 from caller", "11 from callee");
        assertThat(Found.in(scene.call("one@test"))).contains("audioStopped service both 20.0");
    }

    @Test
    void prefersTheReceiversCallToTheSenders() {
        answered("receiver@test", "10.1.0.7:4000", B_MEDIA);
        answered("sender@test", A_MEDIA, "10.1.0.8:5000");
        scene.talk(1000, FORTH);
        assertThat(streams("receiver@test")).containsExactly("10 from caller");
        assertThat(streams("sender@test")).isEmpty();
    }

    @Test
    void bindsMediaFromBehindNatByWhoReceivesIt() {
        answered("nat@test", "192.168.0.7:4000", B_MEDIA);
        scene.talk(1000, Flow.of("203.0.113.9:61000", B_MEDIA, 1), Flow.of(B_MEDIA, "203.0.113.9:61000", 2));
        // out to where it came from: by its source, which SDP names (symmetric RTP)
        assertThat(streams("nat@test")).containsExactly("1 from caller", "2 from callee");
    }

    @Test
    void bindsTheReverseOfAStreamThatIsBound() {
        // both ends are elsewhere than SDP says, but for where the callee receives
        answered("relay@test", "192.168.0.7:4000", B_MEDIA);
        Flow in = Flow.of("203.0.113.9:61000", B_MEDIA, 1);
        scene.talk(200, in);
        scene.talk(
                1000, in, Flow.of(B_MEDIA, "203.0.113.9:61000", 2), Flow.of("203.0.113.9:61000", "10.9.9.9:9000", 3));
        assertThat(streams("relay@test")).containsExactly("1 from caller", "2 from callee");
        assertThat(scene.reports().streams()).extracting(StreamReport::ssrc).containsExactly(3L);
        assertThat(scene.reports().streams().getFirst().from()).isNull();
    }

    @Test
    void givesAStreamThatPassesABackToBackUserAgentToBothCalls() {
        // the agent passes SDP on untouched
        dialog("in@test").invite(audio(A_MEDIA));
        Dialog out = new Dialog(scene, "out@test", Addresses.v4("10.1.0.2:5060"), PROXY);
        out.answered(audio(A_MEDIA), audio(B_MEDIA));
        dialog("in@test")
                .response(Side.CALLEE, 200, 1, "INVITE", audio(B_MEDIA))
                .ack();
        scene.talk(3000, FORTH, BACK);
        assertThat(streams("in@test")).containsExactly("10 from caller", "11 from callee");
        assertThat(streams("out@test")).containsExactly("10 from caller", "11 from callee");
        assertThat(scene.reports().rtpPackets()).isEqualTo(300);
    }

    @Test
    void givesPortsThatAreUsedAgainToTheCallOfTheirTime() {
        Dialog first = answered("first@test", A_MEDIA, B_MEDIA);
        scene.talk(1000, FORTH, BACK);
        first.bye(Side.CALLER);
        scene.in(2000);
        Dialog second = answered("second@test", A_MEDIA, B_MEDIA);
        scene.talk(1500, Flow.of(A_MEDIA, B_MEDIA, 0xc), Flow.of(B_MEDIA, A_MEDIA, 0xd));
        second.bye(Side.CALLER);
        assertThat(streams("first@test")).containsExactly("10 from caller", "11 from callee");
        assertThat(streams("second@test")).containsExactly("12 from caller", "13 from callee");
    }

    @Test
    void givesEachOfAThousandCallsOnOnePortItsStreams() {
        for (int i = 0; i < 1000; i++) {
            Dialog call = answered("call " + i, A_MEDIA, B_MEDIA);
            scene.talk(200, Flow.of(A_MEDIA, B_MEDIA, 2L * i), Flow.of(B_MEDIA, A_MEDIA, 2L * i + 1));
            call.bye(Side.CALLER);
            scene.in(10);
        }
        CallReports reports = scene.reports();
        for (int i = 0; i < 1000; i++) {
            assertThat(reports.calls().get(i).streams())
                    .extracting(StreamReport::ssrc)
                    .containsExactly(2L * i, 2L * i + 1);
        }
        assertThat(reports.streams()).isEmpty();
    }

    @Test
    void givesEachOfAThousandCallsItsPartOfAStreamThatGoesOn() {
        // as sipp plays the same recording in call after call, from the same port to the same port
        for (int i = 0; i < 1000; i++) {
            Dialog call = answered("call " + i, A_MEDIA, B_MEDIA);
            scene.begin(FORTH).talk(200, FORTH);
            call.bye(Side.CALLER);
            scene.in(10);
        }
        assertThat(scene.reports().calls())
                .allSatisfy(call -> assertThat(call.streams())
                        .singleElement()
                        .satisfies(stream ->
                                assertThat(stream.statistics().packets()).isEqualTo(10)));
    }

    @Test
    void findsTheCallOfAThousandAtOnceByThePortOfItsOtherEnd() {
        List<Flow> flows = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            String phone = "10.2.0.1:" + (10_000 + 2 * i);
            answered("call " + i, phone, B_MEDIA);
            flows.add(Flow.of(phone, B_MEDIA, i));
        }
        scene.talk(100, flows.toArray(Flow[]::new));
        CallReports reports = scene.reports();
        for (int i = 0; i < 1000; i++) {
            assertThat(reports.calls().get(i).streams())
                    .extracting(StreamReport::ssrc, StreamReport::from)
                    .containsExactly(tuple((long) i, Side.CALLER));
        }
    }

    @Test
    void bindsNothingThatEndedLongBeforeTheCall() {
        scene.talk(1000, FORTH);
        scene.in(11_000);
        Dialog call = answered("late@test", "192.168.0.7:4000", B_MEDIA);
        scene.talk(1000, BACK);
        call.bye(Side.CALLER);
        assertThat(streams("late@test")).containsExactly("11 from callee");
        assertThat(scene.reports().streams()).extracting(StreamReport::ssrc).containsExactly(10L);
    }

    @Test
    void splitsAStreamThatGoesOnWithTheSameSsrcInTheNextCall() {
        Dialog first = answered("first@test", A_MEDIA, B_MEDIA);
        scene.talk(1000, FORTH);
        first.bye(Side.CALLER);
        scene.in(3000);
        answered("second@test", A_MEDIA, B_MEDIA);
        scene.talk(2000, FORTH);
        assertThat(scene.call("first@test").streams())
                .singleElement()
                .satisfies(stream -> assertThat(stream.statistics().packets()).isEqualTo(50));
        assertThat(scene.call("second@test").streams())
                .singleElement()
                .satisfies(stream -> assertThat(stream.statistics().packets()).isEqualTo(100));
    }

    @Test
    void bindsMediaThatComesBeforeItsDescription() {
        dialog("early@test").invite(audio(A_MEDIA));
        scene.talk(500, BACK, FORTH);
        dialog("early@test")
                .response(Side.CALLEE, 200, 1, "INVITE", audio(B_MEDIA))
                .ack();
        scene.talk(500, BACK, FORTH);
        assertThat(streams("early@test")).containsExactly("11 from callee", "10 from caller");
        assertThat(scene.call().streams())
                .allSatisfy(stream -> assertThat(stream.statistics().packets()).isEqualTo(50));
    }

    @Test
    void bindsByHostsWhereNoDescriptionWasCaptured() {
        Dialog call = dialog("bare@test").answered("", "");
        scene.talk(2000, FORTH, BACK);
        call.bye(Side.CALLEE);
        scene.in(6000);
        assertThat(streams("bare@test")).containsExactly("10 from caller", "11 from callee");
    }

    @Test
    void bindsNothingByHostsWhereTwoCallsWouldDo() {
        Dialog one = dialog("one@test").answered("", "");
        Dialog two = dialog("two@test").answered("", "");
        scene.talk(2000, FORTH);
        one.bye(Side.CALLER);
        two.bye(Side.CALLER);
        assertThat(streams("one@test")).isEmpty();
        assertThat(streams("two@test")).isEmpty();
        assertThat(scene.reports().streams()).hasSize(1);
    }

    @Test
    void bindsByHostsToTheOneOfTwoCallsThatEndsWithTheStream() {
        Dialog one = dialog("one@test").answered("", "");
        dialog("two@test").answered("", "");
        scene.talk(2000, FORTH);
        one.bye(Side.CALLER);
        assertThat(streams("one@test")).containsExactly("10 from caller");
        assertThat(streams("two@test")).isEmpty();
    }

    @Test
    void bindsNothingByHostsThatEndsAtAnotherTimeThanTheCall() {
        Dialog call = dialog("bare@test").answered("", "");
        scene.talk(2000, FORTH);
        scene.in(5100);
        call.bye(Side.CALLER);
        assertThat(streams("bare@test")).isEmpty();
    }

    @Test
    void bindsNothingByHostsToACallThatHasADescription() {
        Dialog call = answered("one@test", "10.1.0.1:7000", "10.1.0.2:7002");
        scene.talk(2000, FORTH);
        call.bye(Side.CALLER);
        assertThat(streams("one@test")).isEmpty();
    }

    @Test
    void doesNotBelieveAFewPacketsThatNothingAnnounces() {
        scene.talk(40, FORTH);
        assertThat(scene.reports().streams()).isEmpty();
        scene.talk(20, FORTH);
        assertThat(scene.reports().streams()).hasSize(1);
        // in a capture of little else, one packet will do
        Scene single = new Scene().talk(20, FORTH);
        assertThat(CallReports.of(single.assembly(), single.nowNs(), true, true).streams())
                .hasSize(1);
        assertThat(CallReports.of(single.assembly(), single.nowNs(), false, true)
                        .streams())
                .isEmpty();
    }

    @Test
    void reportsTheCodecOfTheReceiversDescription() {
        dialog("one@test")
                .answered(
                        Sdp.of("10.1.0.1", "m=audio 4000 RTP/AVP 96", "a=rtpmap:96 iLBC/8000"),
                        Sdp.of("10.1.0.2", "m=audio 5000 RTP/AVP 97", "a=rtpmap:97 iLBC/8000"));
        scene.talk(1000, FORTH.payloadType(97), BACK.payloadType(96));
        assertThat(scene.call().streams()).extracting(StreamReport::codec).containsExactly("iLBC", "iLBC");
        assertThat(scene.call().streams()).extracting(StreamReport::payloadType).containsExactly(97, 96);
        assertThat(scene.call().streams())
                .allSatisfy(stream -> assertThat(stream.isAudio()).isTrue());
    }

    @Test
    void bindsAStreamWhoseEndIsBeforeItsBeginning() {
        Dialog call = answered("one@test", A_MEDIA, B_MEDIA);
        scene.talk(1000, FORTH, BACK);
        scene.in(-3_600_000); // the clock was set
        scene.talk(1000, FORTH, BACK);
        call.bye(Side.CALLER);
        assertThat(streams("one@test")).hasSize(2);
        assertThat(scene.call().streams())
                .allSatisfy(
                        stream -> assertThat(stream.statistics().meanDeltaMs()).isNotNegative());
    }

    @Test
    void knowsTheCodecThatTheReceiverBehindNatCallsByAnotherNumber() {
        dialog("nat@test")
                .answered(
                        Sdp.of("192.168.1.5", "m=audio 4000 RTP/AVP 96", "a=rtpmap:96 iLBC/8000"),
                        Sdp.of(
                                "10.1.0.2",
                                "m=audio 5000 RTP/AVP 97 96",
                                "a=rtpmap:97 iLBC/8000",
                                "a=rtpmap:96 GSM/8000"));
        scene.talk(1000, Flow.of("10.1.0.1:40001", B_MEDIA, 0xa).payloadType(97));
        scene.talk(1000, Flow.of(B_MEDIA, "10.1.0.1:40001", 0xb).payloadType(96));
        assertThat(scene.call().streams()).extracting(StreamReport::codec).containsExactly("iLBC", "iLBC");
        assertThat(scene.call().streams())
                .allSatisfy(stream ->
                        assertThat(stream.statistics().isJitterKnown()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 150, 1500})
    void measuresNothingByTheClockOfTheCallBefore(long pauseMs) {
        Dialog first = dialog("first@test")
                .answered(
                        Sdp.of("10.1.0.1", "m=audio 4000 RTP/AVP 96", "a=rtpmap:96 opus/48000/2"),
                        Sdp.of("10.1.0.2", "m=audio 5000 RTP/AVP 96", "a=rtpmap:96 opus/48000/2"));
        first.bye(Side.CALLER);
        scene.in(1000);
        // early media of the next call, whose SDP comes after it: until then it is as if the first one went on
        scene.talk(2000, FORTH.payloadType(96));
        dialog("second@test")
                .invite(Sdp.of("10.1.0.1", "m=audio 4000 RTP/AVP 96", "a=rtpmap:96 iLBC/8000"))
                .response(
                        Side.CALLEE,
                        200,
                        1,
                        "INVITE",
                        Sdp.of("10.1.0.2", "m=audio 5000 RTP/AVP 96", "a=rtpmap:96 iLBC/8000"))
                .ack();
        scene.in(pauseMs);
        scene.talk(8000, FORTH.payloadType(96));
        assertThat(streams("first@test")).isEmpty();
        assertThat(scene.call("second@test").streams()).singleElement().satisfies(stream -> {
            assertThat(stream.codec()).isEqualTo("iLBC");
            assertThat(stream.statistics().isJitterKnown()).isEqualTo(pauseMs > 0);
            // after a pause it is seen at once, else when all is over
            assertThat(stream.statistics().untimedPackets()).isEqualTo(pauseMs > 0 ? 100 : 500);
            assertThat(stream.statistics().meanJitterMs()).isZero();
        });
    }

    @Test
    void readsNoKeyPressesThatAreEncrypted() {
        dialog("srtp@test")
                .answered(
                        Sdp.of("10.1.0.1", "m=audio 4000 RTP/SAVP 0 101", EVENTS),
                        Sdp.of("10.1.0.2", "m=audio 5000 RTP/SAVP 0 101", EVENTS));
        scene.talk(400, FORTH.payloadType(101), BACK);
        StreamReport forth = scene.call().streams().getFirst();
        assertThat(forth.statistics().digits()).isNotEmpty(); // of the bytes as they are
        assertThat(forth.isEncrypted()).isTrue();
        assertThat(forth.digits()).isNull();
    }

    @Test
    void readsKeyPressesWhereEncryptionWasOfferedInVain() {
        String[] offer = {
            "m=audio 4000 RTP/SAVP 0 101", EVENTS,
            "m=audio 4000 RTP/AVP 0 101", EVENTS
        };
        dialog("plain@test")
                .answered(
                        Sdp.of("10.1.0.1", offer),
                        Sdp.of("10.1.0.2", "m=audio 0 RTP/SAVP 0", "m=audio 5000 RTP/AVP 0 101", EVENTS));
        scene.talk(400, BACK.payloadType(101));
        StreamReport back = scene.call().streams().getFirst();
        assertThat(back.isEncrypted()).isFalse();
        assertThat(back.digits()).isNotEmpty();
    }

    @Test
    void countsKeyPressesBeyondTheLimit() {
        answered("one@test", A_MEDIA, B_MEDIA);
        dialog("one@test")
                .request(Side.CALLEE, "UPDATE", 5, true, Sdp.of("10.1.0.2", "m=audio 5000 RTP/AVP 101", EVENTS));
        // each packet has a timestamp of its own, and an end: so many events
        scene.talk(20L * (TelephoneEvents.LIMIT + 44), FORTH.payloadType(101));
        PlacedCount dropped = scene.reports().counters().get("telephoneEventPacketsDropped");
        assertThat(dropped)
                .isNotNull()
                .satisfies(count -> assertThat(count.count()).isEqualTo(44));
    }

    @ParameterizedTest
    @CsvSource({
        "a=ptime:20, a=ptime:20, 11",
        "a=fmtp:18 annexb=yes, a=ptime:20, 11",
        "a=fmtp:18 annexb=no, a=ptime:20, 10",
        "a=ptime:20, a=fmtp:18 ANNEXB = no, 10"
    })
    void ratesG729BySilenceSuppressionAsAgreed(String offered, String answered, double ie) {
        dialog("g729@test")
                .answered(
                        Sdp.of("10.1.0.1", "m=audio 4000 RTP/AVP 18", offered),
                        Sdp.of("10.1.0.2", "m=audio 5000 RTP/AVP 18", answered));
        scene.talk(1000, FORTH.payloadType(18), BACK.payloadType(18));
        assertThat(scene.call().streams())
                .hasSize(2)
                .allSatisfy(stream -> assertThat(stream.quality())
                        .isNotNull()
                        .satisfies(
                                quality -> assertThat(quality.impairment().ie()).isEqualTo(ie)));
    }
}
