package io.offhook.calls;

import io.offhook.packet.Endpoint;
import io.offhook.rtp.ReceptionSummary;
import io.offhook.rtp.RtcpParticipant;
import io.offhook.rtp.RtcpReports;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the sides of a call report by RTCP to have received, while they talked, of audio that was not captured. */
final class ReceivedAudio {
    private static final long MANY_PACKETS = 50;

    private final Call call;
    private final List<StreamReport> streams;
    private final AudioProblems.CaptureLosses losses;
    private final long talkFromNs;
    private final long endNs;

    /** @param streams of the call, as captured */
    ReceivedAudio(Call call, List<StreamReport> streams, AudioProblems.CaptureLosses losses, long endNs) {
        this.call = call;
        this.streams = streams;
        this.losses = losses;
        this.endNs = endNs;
        talkFromNs = call.media().session().talkFromNs();
    }

    /** Whether the other side reports to receive audio of this one. */
    boolean hasArrived(Side side) {
        for (StreamReport stream : streams) {
            if (stream.from() == side.other() && reportsMore(stream)) {
                return true;
            }
        }
        for (RtcpReports reports : losses.rtcpOf(call)) {
            for (ReceptionSummary summary : reports.summaries()) {
                RtcpParticipant reporter = reports.participant(summary.reporterSsrc());
                if (reporter != null && isAt(side.other(), reporter.source()) && isUncaptured(summary)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the sender of a stream reports to receive one that was not captured. */
    private boolean reportsMore(StreamReport stream) {
        RtcpReports reports = losses.rtcpBeside(stream);
        for (ReceptionSummary summary : reports == null ? List.<ReceptionSummary>of() : reports.summaries()) {
            if (summary.reporterSsrc() == stream.ssrc() && isUncaptured(summary)) {
                return true;
            }
        }
        return false;
    }

    private boolean isAt(Side side, @Nullable Endpoint endpoint) {
        for (MediaBinding binding : call.media().bindings()) {
            if (endpoint != null
                    && binding.side() == side
                    && binding.rtcpEndpoints().contains(endpoint)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a receiver got more of a stream than was captured. If that was empty, so may be the rest. */
    private boolean isUncaptured(ReceptionSummary summary) {
        long captured = 0;
        for (StreamReport stream : streams) {
            if (stream.ssrc() == summary.ssrc()) {
                if (stream.statistics().lastAudioNs() == Long.MIN_VALUE) {
                    return false;
                }
                captured += stream.statistics().packets();
            }
        }
        return summary.receivedNumbers().growth(talkFromNs, endNs) >= MANY_PACKETS + captured;
    }
}
