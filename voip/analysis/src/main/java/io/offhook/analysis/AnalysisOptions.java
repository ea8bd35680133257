package io.offhook.analysis;

import io.offhook.analysis.rtcp.RtcpOpener;
import io.offhook.calls.CallAssembly;
import io.offhook.calls.MediaOptions;
import io.offhook.calls.ProblemLimits;
import io.offhook.calls.event.SipListener;
import io.offhook.calls.join.JoinOptions;
import java.util.function.IntFunction;
import java.util.function.Supplier;
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
 * @param messages who receives SIP, and what opens it and RTCP where they are encrypted
 */
public record AnalysisOptions(
        int lanes,
        int keptCalls,
        boolean rtpHeuristic,
        MediaOptions media,
        ProblemLimits limits,
        JoinOptions joins,
        Messages messages) {
    /**
     * The least value of {@code keptCalls}: calls are spread over shards by a hash, and each shard needs room for some.
     */
    public static final int LEAST_CALLS = 1000;

    /**
     * What is done about SIP messages, and about encryption.
     *
     * @param listener receives every SIP message, in the order of capture, on one thread at a time; or null
     * @param tls opens TLS: {@link Pipeline#tls}; or null
     * @param rtcp makes what opens SRTCP, for each analysis; or null
     */
    public record Messages(
            @Nullable SipListener listener,
            @Nullable IntFunction<? extends TlsOpener> tls,
            @Nullable Supplier<? extends RtcpOpener> rtcp) {
        /** Nobody listens, and nothing is opened. */
        public static final Messages NONE = new Messages(null, null, null);
    }

    /** An {@link RtcpOpener} whose keys follow from frames, as from handshakes of DTLS. */
    public interface KeyFrames {
        /**
         * What looks at each frame; null if nothing has to. Each lane has one, made on the thread that begins the analysis; a lane
         * has passed all frames of a round before {@link RtcpOpener#open} is called for it.
         */
        @Nullable
        IntFunction<? extends FrameSink> frames();
    }

    /** {@link Messages#listener()}. */
    public @Nullable SipListener listener() {
        return messages.listener;
    }

    /** {@link Messages#tls()}. */
    public @Nullable IntFunction<? extends TlsOpener> tls() {
        return messages.tls;
    }

    /** {@link Messages#rtcp()}. */
    public @Nullable Supplier<? extends RtcpOpener> rtcp() {
        return messages.rtcp;
    }

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
                Messages.NONE);
    }

    /** The same options but for this one. */
    public AnalysisOptions withLanes(int lanes) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, media, limits, joins, messages);
    }

    /** The same options but for this one. */
    public AnalysisOptions withKeptCalls(int keptCalls) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, media, limits, joins, messages);
    }

    /** The same options but for this one. */
    public AnalysisOptions withRtpHeuristic(boolean rtpHeuristic) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, media, limits, joins, messages);
    }

    /** The same options but for this one. */
    public AnalysisOptions withMedia(MediaOptions media) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, media, limits, joins, messages);
    }

    /** The same options but for this one. */
    public AnalysisOptions withLimits(ProblemLimits limits) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, media, limits, joins, messages);
    }

    /** The same options but for this one. */
    public AnalysisOptions withJoins(JoinOptions joins) {
        return new AnalysisOptions(lanes, keptCalls, rtpHeuristic, media, limits, joins, messages);
    }

    /** The same options but for this one. */
    public AnalysisOptions withListener(SipListener listener) {
        return new AnalysisOptions(
                lanes,
                keptCalls,
                rtpHeuristic,
                media,
                limits,
                joins,
                new Messages(listener, messages.tls, messages.rtcp));
    }

    /** The same options but for this one. */
    public AnalysisOptions withTls(@Nullable IntFunction<? extends TlsOpener> tls) {
        return new AnalysisOptions(
                lanes,
                keptCalls,
                rtpHeuristic,
                media,
                limits,
                joins,
                new Messages(messages.listener, tls, messages.rtcp));
    }

    /** The same options but for this one. */
    public AnalysisOptions withRtcp(@Nullable Supplier<? extends RtcpOpener> rtcp) {
        return new AnalysisOptions(
                lanes,
                keptCalls,
                rtpHeuristic,
                media,
                limits,
                joins,
                new Messages(messages.listener, messages.tls, rtcp));
    }
}
