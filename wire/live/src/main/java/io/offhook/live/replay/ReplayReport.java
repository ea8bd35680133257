package io.offhook.live.replay;

import io.offhook.live.SendCounts;

/**
 * How far a replay has come, or what came of it.
 *
 * @param end why it ended; {@link End#NOT_YET} before
 * @param passes how often the frames were sent from first to last
 * @param read frames that were to be sent, all passes together: those offered to the interface, and those cut short
 * @param filtered frames that a {@linkplain io.offhook.pcap.FilteredSource filter} left out before, of the passes that were
 *     done
 * @param cutShort of them, left out since they were not captured whole
 * @param padded of them, filled up with zeros
 * @param counts what became of those that were sent
 * @param durationNs from when the first frame was due to when the last had been sent, in nanoseconds
 * @param lateNs how long after it was due a frame had been sent at worst, in nanoseconds; 0 of
 *     {@link ReplaySpeed.Kind#TOP}, where all are due at once
 */
public record ReplayReport(
        End end,
        long passes,
        long read,
        long filtered,
        long cutShort,
        long padded,
        SendCounts counts,
        long durationNs,
        long lateNs) {
    /** Why a replay ends. */
    public enum End {
        /** It goes on. */
        NOT_YET,
        /** All passes were done. */
        DONE,
        /** As many frames were sent as were asked for. */
        FRAMES,
        /** It took as long as it may. */
        DURATION,
        /** It was told to. */
        STOPPED,
        /** The interface has disappeared. */
        INTERFACE_GONE,
        /** A pass had no frame to send: there will be none in the next. */
        NOTHING
    }

    /** Frames sent a second, on average. */
    public double framesPerSecond() {
        return perSecond(counts.sent());
    }

    /** Bits of frames sent a second, on average. */
    public double bitsPerSecond() {
        return perSecond(counts.sentBytes() * 8);
    }

    private double perSecond(long amount) {
        return durationNs <= 0 ? Double.NaN : amount / (durationNs / 1e9);
    }
}
