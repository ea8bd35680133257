package io.offhook.analysis;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.event.SipListener;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted of an analysis.
 *
 * @param lanes threads that work on it, 1 or more; the result does not depend on it
 * @param keptCalls how many calls are remembered at most, {@link #LEAST_CALLS} to {@link CallAssembly#MOST_CALLS}, and in
 *     proportion what belongs to them; 5 KB each
 * @param rtpHeuristic whether RTP that no SDP announces is reported too
 * @param wireshark whether streams carry Wireshark's figures as well
 * @param listener told of every SIP message, in the order of capture, by one thread at a time; or null
 */
public record AnalysisOptions(
        int lanes,
        int keptCalls,
        boolean rtpHeuristic,
        boolean wireshark,
        @Nullable SipListener listener) {
    /** Each part that calls are spread over by a hash has some of these. */
    public static final int LEAST_CALLS = 1000;

    /** Checks the ranges. */
    public AnalysisOptions {
        if (lanes < 1) {
            throw new IllegalArgumentException("lanes " + lanes + " is below 1");
        }
        if (keptCalls < LEAST_CALLS || keptCalls > CallAssembly.MOST_CALLS) {
            throw new IllegalArgumentException(
                    "keptCalls " + keptCalls + " is outside " + LEAST_CALLS + " to " + CallAssembly.MOST_CALLS);
        }
    }

    /** As many lanes as processors, our own figures, streams of calls only. */
    public static AnalysisOptions defaults() {
        return new AnalysisOptions(
                Runtime.getRuntime().availableProcessors(), CallAssembly.MOST_CALLS, false, false, null);
    }

    /** The same options but for this one. */
    public AnalysisOptions withLanes(int lanes) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, wireshark, listener);
    }

    /** The same options but for this one. */
    public AnalysisOptions withKeptCalls(int keptCalls) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, wireshark, listener);
    }

    /** The same options but for this one. */
    public AnalysisOptions withRtpHeuristic(boolean rtpHeuristic) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, wireshark, listener);
    }

    /** The same options but for this one. */
    public AnalysisOptions withWireshark(boolean wireshark) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, wireshark, listener);
    }

    /** The same options but for this one. */
    public AnalysisOptions withListener(SipListener listener) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, wireshark, listener);
    }
}
