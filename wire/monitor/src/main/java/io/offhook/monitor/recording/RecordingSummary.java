package io.offhook.monitor.recording;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What there is of a recording.
 *
 * @param process the process; null if the file ends before it
 * @param firstNs the beginning of the first look, nanoseconds since the epoch; 0 without looks
 * @param lastNs the end of the last look
 * @param looks how often the threads were looked at, also where a mean is left of it
 * @param thinned the stretches of which means are left, the oldest first
 * @param gone what is not left of its beginning
 * @param extent where the file ends
 */
public record RecordingSummary(
        @Nullable RecordedProcess process,
        long firstNs,
        long lastNs,
        long looks,
        List<Thinned> thinned,
        Gone gone,
        Extent extent) {
    /**
     * A stretch of which means are left.
     *
     * @param fromNs its beginning, nanoseconds since the epoch
     * @param toNs its end
     * @param meanOf seconds
     */
    public record Thinned(long fromNs, long toNs, int meanOf) {}

    /**
     * What is gone, for the limit.
     *
     * @param looks how many
     * @param untilNs up to when, nanoseconds since the epoch; 0 if none are
     */
    public record Gone(long looks, long untilNs) {}

    /**
     * Where the file ends.
     *
     * @param end how the recording ended; null if it goes on, or the process that wrote it was killed
     * @param wholeBytes up to the end of the last whole record
     * @param isWhole whether that is the end of the file: if not, it is cut off, being written, or damaged from there on
     */
    public record Extent(@Nullable RecordingEnd end, long wholeBytes, boolean isWhole) {}
}
