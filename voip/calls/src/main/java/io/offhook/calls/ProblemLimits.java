package io.offhook.calls;

import io.offhook.rtp.quality.MosScale;

/**
 * From where on something is a problem of a call (docs/OUTPUT.md, "Problems").
 *
 * @param lossPercent of a stream's expected packets
 * @param latePercent likewise, of packets that the jitter buffer discards
 * @param mos below which a stream sounds bad
 * @param jitterMs the mean jitter of a stream above which it is a note, in milliseconds
 * @param signalling of SIP
 * @param audio of a side of a call
 * @param relay of what gets lost within a relay
 */
public record ProblemLimits(
        Limit lossPercent,
        Limit latePercent,
        LowMos mos,
        double jitterMs,
        Signalling signalling,
        Audio audio,
        Relay relay) {
    /** Those of docs/OUTPUT.md. */
    public static final ProblemLimits DEFAULT = new ProblemLimits(
            new Limit(1, 3),
            new Limit(1, 3),
            new LowMos(3.6, 3.6, 3.6, 20),
            30,
            new Signalling(new Limit(5, 10), 2, 3),
            new Audio(2, new Limit(2, 3), new Limit(2, 5), 5),
            new Relay(1, 10));

    /**
     * Limits of signalling.
     *
     * @param setUpSeconds until the first sign of progress
     * @param ackSeconds until the ACK to an answer; above it is slow
     * @param retransmissions messages that were sent again
     */
    public record Signalling(Limit setUpSeconds, double ackSeconds, int retransmissions) {}

    /**
     * Limits of audio over time.
     *
     * @param dueSeconds for which audio must have been due for its lack to be a problem: what is shorter may end before the
     *     first word
     * @param lateSeconds between the time when audio was due and the first
     * @param gapSeconds without audio; 2 or more, as shorter pauses are not kept
     * @param stoppedSeconds between the last audio and the end
     */
    public record Audio(double dueSeconds, Limit lateSeconds, Limit gapSeconds, double stoppedSeconds) {}

    /**
     * What a relay has to lose to be at fault: both.
     *
     * @param percent of what was captured before it
     * @param packets that were captured before it, and not behind
     */
    public record Relay(double percent, long packets) {}

    /**
     * A limit in two steps.
     *
     * @param note from here on it is a note, 0 or more
     * @param service from here on it is one of class service, {@code note} or more
     */
    public record Limit(double note, double service) {
        /** Checks the order. */
        public Limit {
            if (!(note >= 0 && service >= note)) {
                throw new IllegalArgumentException("limits " + note + " and " + service + " do not ascend");
            }
        }

        /** The class of a value that is {@link #note} or more. */
        ProblemClass classOf(double value) {
            return value >= service ? ProblemClass.SERVICE : ProblemClass.NOTE;
        }
    }

    /**
     * The MOS below which many users are dissatisfied (ITU-T G.107, annex B).
     *
     * @param narrowband of the scale of G.107, 1 to 4.5
     * @param wideband of the scale of G.107.1, 1 to 4.5
     * @param fullband of the scale of G.107.2, 1 to 5
     * @param timePercent the share of the time below 3.6 from which a stream sounds bad, whatever its MOS
     */
    public record LowMos(double narrowband, double wideband, double fullband, double timePercent) {
        double on(MosScale scale) {
            return switch (scale) {
                case NARROWBAND -> narrowband;
                case WIDEBAND -> wideband;
                case FULLBAND -> fullband;
            };
        }
    }
}
