package io.offhook.calls;

import io.offhook.packet.Endpoint;
import io.offhook.rtp.CaptureClock;
import io.offhook.rtp.ReceptionSummary;
import io.offhook.rtp.RtcpParticipant;
import io.offhook.rtp.RtcpReports;
import io.offhook.rtp.RtpStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What shows that a pause is the capture's: streams of many calls that ended or paused at once, receivers that report by
 * RTCP to have got more, and a clock that was set.
 */
final class StreamEnds implements AudioProblems.CaptureLosses {
    private static final long TOGETHER_NS = 1_000_000_000L;
    private static final long BEFORE_THE_END_NS = 5_000_000_000L;
    private static final int MANY_CALLS = 3;

    /** So long before or after a pause, signalling explains it. */
    private static final long CHANGE_NS = 2_000_000_000L;

    private static final long MANY_PACKETS = 50;

    private record End(long atNs, Call call) {}

    private final CallAssembly assembly;
    private final RtcpTable rtcp;
    private final List<CaptureClock.Step> clockSteps;
    private final End[] ends;

    StreamEnds(CallAssembly assembly, Map<Call, List<StreamReport>> streamsOf, List<CaptureClock.Step> clockSteps) {
        this.assembly = assembly;
        this.clockSteps = clockSteps;
        rtcp = assembly.rtcpTable();
        List<End> early = new ArrayList<>();
        for (Map.Entry<Call, List<StreamReport>> entry : streamsOf.entrySet()) {
            for (StreamReport stream : entry.getValue()) {
                long lastNs = stream.statistics().lastAudioNs();
                if (stream.isAudio() && isEarly(entry.getKey(), lastNs)) {
                    early.add(new End(lastNs, entry.getKey()));
                }
            }
        }
        ends = early.toArray(new End[0]);
        Arrays.sort(ends, (a, b) -> Long.compare(a.atNs, b.atNs));
    }

    /** Whether a stream ended well before its call. */
    private static boolean isEarly(Call call, long lastNs) {
        return lastNs != Long.MIN_VALUE
                && (call.endedNs() == Call.NEVER || call.endedNs() - lastNs >= BEFORE_THE_END_NS);
    }

    /** Where the clock was set. Two streams that both pause when their call is put on hold, or goes on, do not show it. */
    static List<CaptureClock.Step> clockSteps(List<MediaStream> streams) {
        if (!isAnyPaused(streams)) {
            return List.of();
        }
        List<CaptureClock.Sender> senders = new ArrayList<>(streams.size());
        for (MediaStream stream : streams) {
            senders.add(new CaptureClock.Sender(stream.statistics(), stream.source()));
        }
        List<CaptureClock.Step> steps = new ArrayList<>(0);
        for (CaptureClock.Step step : CaptureClock.steps(senders)) {
            if (step.streams() > 2 || streams.stream().noneMatch(stream -> isChangedAt(step, stream))) {
                steps.add(step);
            }
        }
        return steps;
    }

    private static boolean isAnyPaused(List<MediaStream> streams) {
        for (MediaStream stream : streams) {
            if (!stream.statistics().audioPauses().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Whether the call of a stream that runs through a step agreed on something else at that time. */
    private static boolean isChangedAt(CaptureClock.Step step, MediaStream stream) {
        MediaBinding owner = stream.owner();
        RtpStream statistics = stream.statistics();
        if (owner == null || statistics.firstNs() > step.fromNs() || statistics.lastNs() < step.untilNs()) {
            return false;
        }
        for (long changeNs : owner.call().media().session().changesNs()) {
            if (changeNs >= step.fromNs() - CHANGE_NS && changeNs <= step.untilNs() + CHANGE_NS) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean reported(long fromNs, long untilNs) {
        return assembly.reportedLosses().overlap(fromNs, untilNs);
    }

    @Override
    public boolean isClockSet(long fromNs, long untilNs) {
        for (CaptureClock.Step step : clockSteps) {
            if (step.isWithin(fromNs, untilNs)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean manyStreamsEnded(long atNs) {
        int low = 0;
        int high = ends.length;
        while (low < high) {
            int middle = low + high >>> 1;
            if (ends[middle].atNs < atNs - TOGETHER_NS) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Set<Call> calls = new HashSet<>();
        for (int i = low; i < ends.length && ends[i].atNs <= atNs + TOGETHER_NS; i++) {
            calls.add(ends[i].call);
            if (calls.size() >= MANY_CALLS) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean hasArrived(Call call, Side side, List<StreamReport> streams, long endNs) {
        long fromNs = call.media().session().talkFromNs();
        for (StreamReport stream : streams) {
            RtcpReports reports = stream.from() == side.other()
                    ? rtcp.find(stream.ssrc(), stream.source(), stream.destination(), null, null)
                    : null;
            for (ReceptionSummary summary : reports == null ? List.<ReceptionSummary>of() : reports.summaries()) {
                if (summary.reporterSsrc() == stream.ssrc() && isUncaptured(summary, streams, fromNs, endNs)) {
                    return true;
                }
            }
        }
        for (RtcpReports reports : rtcp.between(call.media().bindings())) {
            for (ReceptionSummary summary : reports.summaries()) {
                RtcpParticipant reporter = reports.participant(summary.reporterSsrc());
                Endpoint source = reporter == null ? null : reporter.source();
                if (source != null
                        && isNamedBy(side.other(), source, call)
                        && isUncaptured(summary, streams, fromNs, endNs)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isNamedBy(Side side, Endpoint endpoint, Call call) {
        for (MediaBinding binding : call.media().bindings()) {
            if (binding.side() == side && binding.rtcpEndpoints().contains(endpoint)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a receiver got more of a stream than was captured. If that was empty, so may be the rest. */
    private static boolean isUncaptured(
            ReceptionSummary summary, List<StreamReport> streams, long fromNs, long untilNs) {
        long captured = 0;
        for (StreamReport stream : streams) {
            if (stream.ssrc() == summary.ssrc()) {
                if (stream.statistics().lastAudioNs() == Long.MIN_VALUE) {
                    return false;
                }
                captured += stream.statistics().packets();
            }
        }
        return summary.receivedNumbers().growth(fromNs, untilNs) >= MANY_PACKETS + captured;
    }
}
