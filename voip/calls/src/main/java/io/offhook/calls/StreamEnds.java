package io.offhook.calls;

import io.offhook.rtp.RtcpReports;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When the streams of calls ended or paused, all calls together: where many do at once, the capture lost them.
 */
final class StreamEnds implements AudioProblems.CaptureLosses {
    private static final long TOGETHER_NS = 1_000_000_000L;
    private static final long BEFORE_THE_END_NS = 5_000_000_000L;
    private static final int MANY_CALLS = 3;

    private record End(long atNs, Call call) {}

    private final CallAssembly assembly;
    private final End[] ends;

    StreamEnds(CallAssembly assembly, Map<Call, List<StreamReport>> streamsOf) {
        this.assembly = assembly;
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

    @Override
    public boolean reported(long fromNs, long untilNs) {
        return assembly.reportedLosses().overlap(fromNs, untilNs);
    }

    @Override
    public @Nullable RtcpReports rtcpBeside(StreamReport stream) {
        return assembly.rtcpTable().find(stream.ssrc(), stream.source(), stream.destination(), null, null);
    }

    @Override
    public List<RtcpReports> rtcpOf(Call call) {
        return assembly.rtcpTable().between(call.media().bindings());
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
}
