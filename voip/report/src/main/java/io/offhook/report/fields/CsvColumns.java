package io.offhook.report.fields;

import java.util.ArrayList;
import java.util.List;

/** The CSV columns of several commands, in order. docs/OUTPUT.md documents them; programs may rely on their names. */
public final class CsvColumns {
    private static final List<String> STREAM_IDENTITY = words("""
            ssrc direction source destination mediaType codec clockRate payloadType payloads encrypted digits
            firstFrame firstAt lastAt""");

    private static final List<String> STREAM_FIGURES = words("""
            packets payloadBytes expected lost lostPercent duplicates mirrored reordered late strays restarts
            markers comfortNoise
            rfc3550.cumulativeLost rfc3550.fractionLost
            rfc3550.lastIntervalFractionLost rfc3550.maxIntervalFractionLost
            minDeltaMs meanDeltaMs maxDeltaMs jitterMs meanJitterMs maxJitterMs skewMs timestampJumps untimedPackets
            lossBursts.count lossBursts.longest lossBursts.meanLength lossBursts.histogram lossBursts.unlisted burstRatio
            mos rFactor mosInputs.codec mosInputs.lossPercent mosInputs.burstRatio mosInputs.delayMs
            mosInputs.delayMeasured mosInputs.ie mosInputs.bpl mosInputs.coding mosInputs.note
            mosInputs.delayImpairment mosInputs.effectiveImpairment mosInputs.trusted mosMissing
            farEnd.reports farEnd.cumulativeLost farEnd.lostPercent farEnd.maxLostPercent farEnd.jitterMs
            farEnd.maxJitterMs farEnd.roundTripMs farEnd.mosListening farEnd.mosConversational farEnd.rFactor
            mosScale mosInputs.basis playout.buffer playout.sizeMs playout.discarded playout.discardPercent
            playout.discardBursts.count playout.discardBursts.longest playout.discardBursts.meanLength
            playout.discardBursts.histogram playout.discardBursts.unlisted
            playout.impairedBursts.count playout.impairedBursts.longest playout.impairedBursts.meanLength
            playout.impairedBursts.histogram playout.impairedBursts.unlisted
            playout.burstRatio playout.lossPercent playout.meanDelayMs playout.maxDelayMs
            playout.resyncs.first playout.resyncs.restart playout.resyncs.jump playout.resyncs.late
            playout.resyncs.early playout.resyncs.starved playout.skewSteps
            playout.mos playout.mosScale playout.rFactor playout.mosInputs.codec playout.mosInputs.lossPercent
            playout.mosInputs.burstRatio playout.mosInputs.delayMs playout.mosInputs.delayMeasured
            playout.mosInputs.ie playout.mosInputs.bpl playout.mosInputs.basis playout.mosInputs.coding
            playout.mosInputs.note playout.mosInputs.delayImpairment playout.mosInputs.effectiveImpairment
            playout.mosInputs.trusted playout.mosMissing playoutMissing
            bursts.count bursts.lossPercent bursts.meanMs gaps.lossPercent gaps.meanMs
            minMos minMosAt meanMos below36Percent below31Percent audioDigits""");

    /** The columns of {@code offhook streams}. */
    public static final List<String> STREAM =
            join(List.of("callId"), STREAM_IDENTITY, STREAM_FIGURES, List.of("problems"));

    /** The columns of {@code offhook streams --wireshark}. */
    public static final List<String> WIRESHARK_STREAM = join(List.of("callId"), STREAM_IDENTITY, words("""
            packets expected lost lostPercent sequenceErrors minDeltaMs meanDeltaMs maxDeltaMs
            minJitterMs meanJitterMs maxJitterMs skewMs maxSkewMs clockDriftMs bandwidthKbps audioDigits"""));

    /** The columns of {@code offhook calls}. */
    public static final List<String> CALL =
            join(words("""
            callId from to fromUri toUri outcome finalStatus transport firstSeenAt invitedAt progressAt ringingAt
            answeredAt endedAt setUpMs durationMs hungUpBy messages retransmissions mirrored codec encrypted
            firstFrame worstMos worstMosByScale.wideband worstMosByScale.fullband callerSoftware
            calleeSoftware assertedIdentity diversion historyInfo reason q850Cause sipCause problems legs holds icmpErrors
            dialogs relations possibleJoins callIdPartial durationApproximate
            streams.count"""), prefixed("streams.fromCaller."), prefixed("streams.fromCallee."));

    /** The columns of {@code offhook registrations}. */
    public static final List<String> REGISTRATION = words("""
            callId addressOfRecord user contact userAgent client registrar outcome finalStatus challenged
            expiresSeconds requests firstAt lastAt firstFrame problems""");

    /** The columns of {@code offhook info}. */
    public static final List<String> FILE = words("""
            path format compression sizeBytes packetsLeftOut timestampsClamped packets bytes firstAt lastAt durationMs
            linkTypes sipRequests sipResponses callIds rtpPackets rtcpPackets calls registrations counters faults""");

    private CsvColumns() {}

    private static List<String> words(String text) {
        return List.of(text.strip().split("\\s+", -1));
    }

    private static List<String> prefixed(String prefix) {
        return join(STREAM_IDENTITY, STREAM_FIGURES).stream()
                .map(prefix::concat)
                .toList();
    }

    @SafeVarargs
    private static List<String> join(List<String>... lists) {
        List<String> all = new ArrayList<>();
        for (List<String> list : lists) {
            all.addAll(list);
        }
        return List.copyOf(all);
    }
}
