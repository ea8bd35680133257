package io.offhook.live.replay;

import io.offhook.live.SendCounts;

/**
 * The progress or result of a replay.
 *
 * @param end why it ended; {@link End#NOT_YET} until then
 * @param passes the number of completed passes
 * @param read the frames to be sent, over all passes: those offered to the interface, and those cut short
 * @param filtered the frames that a {@linkplain io.offhook.pcap.FilteredSource filter} dropped in the completed passes
 * @param cutShort the frames among {@code read} that were left out because they were snapped
 * @param padded the frames among {@code read} that were padded with zeros
 * @param counts what became of the offered frames
 * @param durationNs from when the first frame was due until the last was sent, in nanoseconds
 * @param lateNs the greatest lateness of a frame, in nanoseconds; 0 for {@link ReplaySpeed.Kind#TOP}, where all are due
 *     at once
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
    /** Why a replay ended. */
    public enum End {
        /** It has not ended. */
        NOT_YET,
        /** All passes are complete. */
        DONE,
        /** The requested number of frames was sent. */
        FRAMES,
        /** The time is over. */
        DURATION,
        /** It was stopped. */
        STOPPED,
        /** The interface has disappeared. */
        INTERFACE_GONE,
        /** A pass had no frame to send, so the next will have none either. */
        NOTHING
    }

    /** Returns the average number of frames sent per second. */
    public double framesPerSecond() {
        return perSecond(counts.sent());
    }

    /** Returns the average number of frame bits sent per second. */
    public double bitsPerSecond() {
        return perSecond(counts.sentBytes() * 8);
    }

    private double perSecond(long amount) {
        return durationNs <= 0 ? Double.NaN : amount / (durationNs / 1e9);
    }
}
