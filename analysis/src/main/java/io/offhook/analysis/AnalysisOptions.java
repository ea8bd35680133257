package io.offhook.analysis;

import io.offhook.calls.SipListener;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted of an analysis.
 *
 * @param lanes threads that work on it, 1 or more; the result does not depend on it
 * @param rtpHeuristic whether RTP that no SDP announces is reported too
 * @param wireshark whether streams carry Wireshark's figures as well
 * @param listener told of every SIP message, in the order of capture, by one thread at a time; or null
 */
public record AnalysisOptions(
        int lanes,
        boolean rtpHeuristic,
        boolean wireshark,
        @Nullable SipListener listener) {

    /** Checks the ranges. */
    public AnalysisOptions {
        if (lanes < 1) {
            throw new IllegalArgumentException("lanes " + lanes + " is below 1");
        }
    }

    /** As many lanes as processors, our own figures, streams of calls only. */
    public static AnalysisOptions defaults() {
        return new AnalysisOptions(Runtime.getRuntime().availableProcessors(), false, false, null);
    }

    /** The same options but for this one. */
    public AnalysisOptions withLanes(int lanes) {
        return new AnalysisOptions(lanes, rtpHeuristic, wireshark, listener);
    }

    /** The same options but for this one. */
    public AnalysisOptions withRtpHeuristic(boolean rtpHeuristic) {
        return new AnalysisOptions(lanes, rtpHeuristic, wireshark, listener);
    }

    /** The same options but for this one. */
    public AnalysisOptions withWireshark(boolean wireshark) {
        return new AnalysisOptions(lanes, rtpHeuristic, wireshark, listener);
    }

    /** The same options but for this one. */
    public AnalysisOptions withListener(SipListener listener) {
        return new AnalysisOptions(lanes, rtpHeuristic, wireshark, listener);
    }
}
