package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.relay.StreamPassage;
import io.offhook.packet.PlacedCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the report of one Call-ID from its dialog, its streams and the ICMP errors about it, once the streams of all calls
 * are bound: whether audio stopped, or the capture lost it, shows in the streams of other calls.
 */
final class CallReporter {
    private final CallAssembly assembly;
    private final long captureEndNs;
    private final StreamReports streamReports;
    private final StreamReporter streamReporter;
    private final IcmpBinder icmp;
    private final Map<String, List<CallReport.QualityReport>> qualityReports;
    private final long mediaUntilNs;
    private @Nullable StreamEnds losses;

    /**
     * @param captureEndNs time of the last packet, nanoseconds since the epoch
     * @param qualityReports by Call-ID
     */
    CallReporter(
            CallAssembly assembly,
            long captureEndNs,
            StreamReports streamReports,
            StreamReporter streamReporter,
            IcmpBinder icmp,
            Map<String, List<CallReport.QualityReport>> qualityReports) {
        this.assembly = assembly;
        this.captureEndNs = captureEndNs;
        this.streamReports = streamReports;
        this.streamReporter = streamReporter;
        this.icmp = icmp;
        this.qualityReports = qualityReports;
        mediaUntilNs = streamReports.byCall().isEmpty() ? Long.MIN_VALUE : refusedFromNs(assembly);
    }

    /** The time from which media packets were refused: media missing after it may have existed. */
    private static long refusedFromNs(CallAssembly assembly) {
        long fromNs = Long.MAX_VALUE;
        for (StreamTable table : assembly.streamTables()) {
            PlacedCount refused = table.refusedPackets();
            fromNs = refused.count() == 0 ? fromNs : Math.min(fromNs, refused.firstNs());
        }
        return fromNs;
    }

    /** Concludes a call, and makes its report. */
    CallReport report(Call call) {
        List<StreamReport> streams = streamReports.of(call);
        List<IcmpEvent> icmpErrors = icmp.errorsOf(call);
        call.conclude(captureEndNs, lastNs(streams), icmpErrors);
        List<IcmpEvent> harmful = new ArrayList<>(icmpErrors);
        harmful.removeIf(error -> icmp.isHarmless(call, error));
        long endNs = call.endedNs() == Call.NEVER
                ? Math.min(captureEndNs, call.media().takenOverNs())
                : call.endedNs();
        CallReport.Times times = times(call);
        List<CallReport.Hold> holds = call.media().session().holds(endNs);
        boolean showsAudio = call.isAnswered()
                && endNs < mediaUntilNs
                && call.media().showsAudio()
                && (call.isCapturedHere() || !streams.isEmpty());
        List<Problem> audio = showsAudio
                ? new AudioProblems(call, streams, holds, endNs, harmful, losses(), assembly.limits()).list()
                : List.of();
        List<StreamPassage> passages = streamReporter.passages(streams);
        List<Problem> relays = new ArrayList<>(0);
        if (call.isAnswered()) {
            relays.addAll(streamReporter.problems().relayLoss(passages, holds));
        }
        if (showsAudio) {
            relays.addAll(StreamProblems.silentRelays(List.of(call), streams, streamReporter));
        }
        CallProblems problems = new CallProblems(call, times, streams, endNs, assembly.limits());
        Outcome outcome = call.outcome(captureEndNs);
        String codec = call.isAnswered() ? call.media().codec() : null;
        boolean isEncrypted = call.media().session().isEncrypted();
        return new CallReport(
                call.reportedCallId(),
                parties(call.parties()),
                new CallReport.Result(outcome, call.finalStatus(), call.hungUpBy()),
                times,
                signalling(call, outcome),
                new CallReport.Media(
                        codec,
                        isEncrypted,
                        List.copyOf(streams),
                        holds,
                        call.keys().presses(),
                        qualityReports.getOrDefault(call.callId(), List.of()),
                        passages),
                new CallReport.Diagnosis(problems.list(outcome, audio, relays, harmful), List.copyOf(icmpErrors)));
    }

    private static long lastNs(List<StreamReport> streams) {
        long lastNs = Call.NEVER;
        for (StreamReport stream : streams) {
            lastNs = Math.max(lastNs, stream.statistics().lastNs());
        }
        return lastNs;
    }

    /** The only dialog of a call. */
    private static CallReport.Joined alone(Call call, Outcome outcome) {
        List<CallReport.Leg> legs = call.legs();
        CallReport.Dialog dialog = new CallReport.Dialog(
                call.reportedCallId(),
                call.isCallIdPartial(),
                CallReport.Role.ROOT,
                null,
                legs.isEmpty() ? null : legs.getFirst(),
                new CallReport.Result(outcome, call.finalStatus(), call.hungUpBy()),
                times(call));
        return new CallReport.Joined(List.of(dialog), List.of(), List.of());
    }

    private StreamEnds losses() {
        StreamEnds known = losses;
        if (known == null) {
            known = new StreamEnds(assembly, streamReports.byCall(), streamReports.clockSteps());
            losses = known;
        }
        return known;
    }

    private static CallReport.Parties parties(CallParties parties) {
        return new CallReport.Parties(parties.fromUser(), parties.toUser(), parties.fromUri(), parties.toUri());
    }

    private static CallReport.Signalling signalling(Call call, Outcome outcome) {
        CallReport.MessageCounts counts = new CallReport.MessageCounts(
                call.messages(), call.retransmissions(), call.mirrored(), call.lastSeenNs());
        return new CallReport.Signalling(
                call.transport(),
                counts,
                List.copyOf(call.legs()),
                call.firstFrame(),
                alone(call, outcome),
                call.headers().report(call.isAnswered()),
                call.cutFrames());
    }

    private static CallReport.Times times(Call call) {
        return new CallReport.Times(
                call.firstSeenNs(),
                call.invitedNs(),
                call.progressNs(),
                call.ringingNs(),
                call.answeredNs(),
                call.acknowledgedNs(),
                call.endedNs(),
                setUpNs(call));
    }

    private static long setUpNs(Call call) {
        long signNs = call.progressNs() != Call.NEVER ? call.progressNs() : call.answeredNs();
        if (signNs == Call.NEVER && !call.isAnswered()) {
            signNs = call.endedNs(); // an answer that was not captured came at an unknown time before the end
        }
        return call.invitedNs() == Call.NEVER || signNs == Call.NEVER ? Call.NEVER : signNs - call.invitedNs();
    }
}
