package io.offhook.testkit.traffic;

import static io.offhook.testkit.truth.Party.CALLEE;
import static io.offhook.testkit.truth.Party.CALLER;

import io.offhook.testkit.traffic.CallPlan.HoldStyle;
import io.offhook.testkit.truth.Problem;
import java.util.Map;
import java.util.function.Consumer;

/** Calls that differ in their media. */
final class MediaScenarios {
    private MediaScenarios() {}

    static void addTo(Map<String, Consumer<CallPlan>> calls) {
        faults(calls);
        overTime(calls);
        negotiation(calls);
        streams(calls);
        binding(calls);
    }

    private static void faults(Map<String, Consumer<CallPlan>> calls) {
        calls.put("one-way-audio", call -> call.silent(CALLEE).completed(CALLER, 3000));
        calls.put("one-way-audio-from-callee", call -> call.silent(CALLER).completed(CALLER, 3000));
        calls.put("no-audio", call -> call.silent(CALLER, CALLEE).completed(CALLER, 3000));
        calls.put(
                "loss-from-callee",
                call -> call.media(CALLEE, shape -> shape.loss(0.10)).completed(CALLER, 8000));
        calls.put(
                "loss-in-bursts-from-caller",
                call -> call.media(CALLER, shape -> shape.loss(0.20).lossBursts(6))
                        .completed(CALLER, 10_000));
        calls.put(
                "relay-that-loses-packets",
                call -> call.proxies(1)
                        .relayed()
                        .media(CALLER, shape -> shape.lostInRelay(0.10))
                        .shows(Problem.RELAY_LOSS_FROM_CALLER)
                        .completed(CALLER, 8000));
        calls.put(
                "relay-with-streams-of-its-own",
                call -> call.proxies(1)
                        .relayed()
                        .media(CALLER, shape -> shape.speech().rewrittenByRelay())
                        .media(CALLEE, shape -> shape.speech().rewrittenByRelay())
                        .completed(CALLER, 4000));
        calls.put(
                "duplicates-and-reordering",
                call -> call.media(CALLER, shape -> shape.duplicates(0.03))
                        .media(CALLEE, shape -> shape.reordering(0.03))
                        .completed(CALLER, 5000));
        calls.put(
                "jitter", call -> call.media(CALLEE, shape -> shape.jitterMs(5)).completed(CALLER, 4000));
        calls.put(
                "media-port-unreachable",
                call -> call.silent(CALLEE).mediaRefusedBy(CALLEE, 3).completed(CALLER, 2000));
    }

    /** Audio that does not come when it is due, and what is none of that. */
    private static void overTime(Map<String, Consumer<CallPlan>> calls) {
        calls.put(
                "media-held-back",
                call -> call.media(CALLEE, shape -> shape.stalls(2000, 800))
                        .shows(Problem.LATE_FROM_CALLEE)
                        .completed(CALLER, 20_000));
        calls.put(
                "outage-of-a-minute",
                call -> call.media(CALLER, shape -> shape.outage(500, 3250))
                        .shows(Problem.AUDIO_GAP)
                        .completed(CALLER, 90_000));
        calls.put(
                "audio-stops",
                call -> call.answered()
                        .talk(5000)
                        .talk(CALLER, 55_000)
                        .shows(Problem.AUDIO_STOPPED)
                        .endedBy(CALLER, 0));
        calls.put(
                "audio-starts-late",
                call -> call.answered()
                        .talk(CALLER, 5000)
                        .shows(Problem.AUDIO_STARTED_LATE)
                        .endedBy(CALLER, 10_000));
        calls.put(
                "audio-gap-of-lost-packets",
                call -> call.media(CALLEE, shape -> shape.outage(200, 300))
                        .shows(Problem.AUDIO_GAP)
                        .completed(CALLER, 20_000));
        calls.put(
                "silent-after-resume",
                call -> call.answered()
                        .talk(3000)
                        .hold(CALLER, HoldStyle.SENDONLY, 3000)
                        .talk(CALLER, 9000)
                        .shows(Problem.AUDIO_STOPPED)
                        .endedBy(CALLER, 0));
        calls.put(
                "audio-stops-just-before-the-end",
                call -> call.answered().talk(5000).talk(CALLER, 3000).endedBy(CALLER, 0));
        calls.put(
                "silence-suppressed-for-long",
                call -> call.answered().talk(3000).talk(CALLER, 4000).endedBy(CALLER, 3000));
    }

    private static void negotiation(Map<String, Consumer<CallPlan>> calls) {
        calls.put(
                "hold-and-resume",
                call -> call.answered()
                        .talk(1500)
                        .hold(CALLEE, HoldStyle.INACTIVE, 2000)
                        .endedBy(CALLER, 1500));
        calls.put(
                "hold-with-music",
                call -> call.answered()
                        .talk(1500)
                        .hold(CALLER, HoldStyle.SENDONLY, 2000)
                        .endedBy(CALLER, 1500));
        calls.put(
                "hold-with-zero-address",
                call -> call.answered()
                        .talk(1500)
                        .hold(CALLER, HoldStyle.ZERO_ADDRESS, 2000)
                        .endedBy(CALLEE, 1500));
        calls.put(
                "reinvite-moves-media",
                call -> call.answered().talk(1500).moveMedia(CALLEE).endedBy(CALLER, 1500));
        calls.put(
                "update-moves-media",
                call -> call.answered().talk(1500).updateMedia(CALLER).endedBy(CALLER, 1500));
        calls.put(
                "reinvite-changes-codec",
                call -> call.codec(SentCodec.PCMU)
                        .answered()
                        .talk(1500)
                        .changeCodec(CALLER, SentCodec.G729)
                        .endedBy(CALLER, 1500));
        calls.put(
                "fax",
                call -> call.codec(SentCodec.PCMU)
                        .answered()
                        .talk(1500)
                        .fax(2000)
                        .hangUp(CALLEE));
        calls.put("announcement", call -> call.announcement().completed(CALLEE, 3000));
        calls.put(
                "dynamic-payload-type",
                call -> call.offering(SentCodec.OPUS.as(96), SentCodec.ILBC.as(118), SentCodec.PCMA)
                        .completed(CALLER, 1500));
        calls.put("address-in-each-medium", call -> call.connectionInMedia().completed(CALLER, 1500));
        calls.put("srtp-with-keys-in-sdp", call -> call.secured(Security.SDES).completed(CALLER, 1500));
        calls.put("dtls-srtp", call -> call.secured(Security.DTLS).completed(CALLER, 1500));
        calls.put("audio-and-video", call -> call.codec(SentCodec.OPUS).video().completed(CALLER, 2000));
    }

    private static void streams(Map<String, Consumer<CallPlan>> calls) {
        calls.put(
                "dtmf",
                call -> call.codec(SentCodec.PCMU)
                        .answered()
                        .talk(1000)
                        .dtmf("123#")
                        .endedBy(CALLER, 500));
        calls.put(
                "dtmf-both-ways",
                call -> call.answered().dtmf("0*").dtmf(CALLEE, "9ABCD").endedBy(CALLER, 500));
        calls.put(
                "dtmf-ends-lost",
                call -> call.media(CALLER, RtpShape::digitEndsLost)
                        .answered()
                        .talk(500)
                        .dtmf("5508")
                        .endedBy(CALLER, 500));
        calls.put(
                "dtmf-in-audio",
                call -> call.media(CALLER, RtpShape::speech)
                        .media(CALLEE, RtpShape::speech)
                        .answered()
                        .talk(4000)
                        .dtmfInAudio(CALLER, "0123456789ABCD*#")
                        .talk(1000)
                        .dtmfInAudio(CALLEE, "5508")
                        .endedBy(CALLER, 500));
        calls.put(
                "dtmf-in-poor-audio",
                call -> call.codec(SentCodec.PCMU)
                        .media(
                                CALLER,
                                shape -> shape.audioKeys(-8, -15, 1.5, -28)
                                        .silenceSuppressed()
                                        .duplicates(0.05))
                        .media(
                                CALLEE,
                                shape -> shape.audioKeys(-24, -21, -1.5, -45)
                                        .reordering(0.05)
                                        .loss(0.03))
                        .answered()
                        .talk(1500)
                        .dtmfInAudio(CALLER, "1477*2580#")
                        .dtmfInAudio(CALLEE, "99887")
                        .endedBy(CALLER, 500));
        calls.put(
                "silence-suppressed",
                call -> call.media(CALLER, RtpShape::silenceSuppressed)
                        .media(CALLEE, RtpShape::silenceSuppressed)
                        .completed(CALLER, 6000));
        calls.put(
                "header-extensions-csrcs-padding",
                call -> call.media(CALLER, RtpShape::headerExtension)
                        .media(CALLEE, shape -> shape.contributors(3).padding(8))
                        .completed(CALLER, 1500));
        calls.put(
                "ssrc-change",
                call -> call.answered().talk(1200).newSource(CALLEE).endedBy(CALLER, 1200));
        calls.put(
                "payload-type-change",
                call -> call.offering(SentCodec.PCMA, SentCodec.PCMU)
                        .answered()
                        .talk(1200)
                        .switchPayload(CALLER, SentCodec.PCMU)
                        .endedBy(CALLER, 1200));
        calls.put(
                "sequence-wrap",
                call -> call.media(CALLER, shape -> shape.firstSequence(65_500)).completed(CALLER, 2000));
        calls.put("long-packets", call -> call.codec(SentCodec.PCMA.every(60)).completed(CALLER, 2400));
        calls.put(
                "rtcp",
                call -> call.rtcp(rtcp -> rtcp.distanceMs(CALLER, 12)
                                .distanceMs(CALLEE, 40)
                                .extraLoss(CALLEE, 3)
                                .jitterMs(CALLEE, 7))
                        .completed(CALLER, 5000));
        calls.put(
                "rtcp-multiplexed-with-xr",
                call -> call.rtcp(rtcp -> rtcp.multiplexed().extended()).completed(CALLER, 4000));
        calls.put(
                "rtcp-on-announced-port",
                call -> call.rtcp(rtcp -> rtcp.announcedPort(7)).completed(CALLER, 3000));
        calls.put(
                "rtcp-of-one-way-audio",
                call -> call.rtcp(rtcp -> {}).silent(CALLEE).completed(CALLER, 4000));
    }

    private static void binding(Map<String, Consumer<CallPlan>> calls) {
        calls.put("caller-behind-nat", call -> call.behindNat(CALLER).completed(CALLER, 2000));
        calls.put("callee-behind-nat", call -> call.behindNat(CALLEE).completed(CALLEE, 2000));
        calls.put(
                "media-before-its-sdp",
                call -> call.inviteWithoutOffer()
                        .trying()
                        .ringing()
                        .after(400)
                        .answer()
                        .talk(CALLEE, 300)
                        .ack()
                        .endedBy(CALLER, 1500));
        calls.put(
                "media-before-the-answer",
                call -> call.alerted().talk(CALLER, 300).accepted().endedBy(CALLER, 1500));
        calls.put(
                "bundle-and-ice",
                call -> call.codec(SentCodec.OPUS)
                        .secured(Security.DTLS)
                        .video()
                        .bundled()
                        .ice()
                        .rtcp(RtcpShape::multiplexed)
                        .completed(CALLER, 2000));
        calls.put("ice-without-encryption", call -> call.ice().completed(CALLER, 1500));
    }
}
