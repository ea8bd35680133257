package io.offhook.analysis.kept;

import org.jspecify.annotations.Nullable;

/**
 * What became of the packets that are kept, since the start.
 *
 * @param packets written
 * @param bytes of these, as they are in the segments
 * @param dropped packets for which the queue had no room, as the disk was too slow
 * @param lost packets that could not be written, as when the disk is full
 * @param segments there now, those of earlier runs included
 * @param storedBytes of these with their indexes
 * @param failure why the last packets could not be written; null once others were
 */
public record KeptCounts(
        long packets,
        long bytes,
        long dropped,
        long lost,
        int segments,
        long storedBytes,
        @Nullable String failure) {
    /** Before anything was captured. */
    public static final KeptCounts NONE = new KeptCounts(0, 0, 0, 0, 0, 0, null);
}
