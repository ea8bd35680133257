package io.offhook.analysis;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.MediaOptions;
import io.offhook.calls.ProblemLimits;
import io.offhook.calls.event.SipListener;
import io.offhook.calls.join.JoinOptions;
import org.jspecify.annotations.Nullable;

/**
 * The options of an analysis.
 *
 * @param lanes threads, 1 or more; the result does not depend on their number
 * @param keptCalls the most calls to keep, {@link #LEAST_CALLS} to {@link CallAssembly#MOST_CALLS}, some 5 KB each; the
 *     limits of streams, registrations and other dialogs follow from it
 * @param rtpHeuristic whether to report RTP that no SDP announces
 * @param media what is computed of media
 * @param limits from where on something is a problem of a call
 * @param joins how the legs of a call are found
 * @param listener receives every SIP message, in the order of capture, on one thread at a time; or null
 */
public record AnalysisOptions(
        int lanes,
        int keptCalls,
        boolean rtpHeuristic,
        MediaOptions media,
        ProblemLimits limits,
        JoinOptions joins,
        @Nullable SipListener listener) {
    /**
     * The least value of {@code keptCalls}: calls are spread over shards by a hash, and each shard needs room for some.
     */
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

    /** As many lanes as there are processors, Offhook's own figures, streams of calls only. */
    public static AnalysisOptions defaults() {
        return new AnalysisOptions(
                Runtime.getRuntime().availableProcessors(),
                CallAssembly.MOST_CALLS,
                false,
                MediaOptions.DEFAULT,
                ProblemLimits.DEFAULT,
                JoinOptions.DEFAULT,
                null);
    }

    /** The same options but for this one. */
    public AnalysisOptions withLanes(int lanes) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, media, limits, joins, listener);
    }

    /** The same options but for this one. */
    public AnalysisOptions withKeptCalls(int keptCalls) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, media, limits, joins, listener);
    }

    /** The same options but for this one. */
    public AnalysisOptions withRtpHeuristic(boolean rtpHeuristic) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, media, limits, joins, listener);
    }

    /** The same options but for this one. */
    public AnalysisOptions withMedia(MediaOptions media) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, media, limits, joins, listener);
    }

    /** The same options but for this one. */
    public AnalysisOptions withLimits(ProblemLimits limits) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, media, limits, joins, listener);
    }

    /** The same options but for this one. */
    public AnalysisOptions withJoins(JoinOptions joins) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, media, limits, joins, listener);
    }

    /** The same options but for this one. */
    public AnalysisOptions withListener(SipListener listener) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, media, limits, joins, listener);
    }
}
