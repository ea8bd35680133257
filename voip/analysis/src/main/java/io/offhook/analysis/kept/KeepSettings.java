package io.offhook.analysis.kept;

import java.nio.file.Path;

/**
 * How packets are kept.
 *
 * @param folder of the segments, which nothing else uses; created with its parents if it is not there
 * @param mostBytes of all segments with their indexes, {@link #LEAST_BYTES} or more: the oldest are deleted beyond it
 * @param mostAgeNs nanoseconds after which a segment is deleted; {@link Long#MAX_VALUE} for no limit
 * @param queueBytes of memory for packets that wait for the disk, {@link #LEAST_QUEUE} or more
 */
public record KeepSettings(Path folder, long mostBytes, long mostAgeNs, long queueBytes) {
    /** The least value of {@code mostBytes}, 16 MiB. */
    public static final long LEAST_BYTES = 16L << 20;

    /** The least value of {@code queueBytes}, 4 MiB. */
    public static final long LEAST_QUEUE = 4L << 20;

    /** What waits for the disk unless something else is set, 64 MiB: a tenth of a second of 5 Gbit/s. */
    public static final long STANDARD_QUEUE = 64L << 20;

    private static final long LARGEST_SEGMENT = 64L << 20;

    /** A limit is met by deleting whole segments, so there are at least this many. */
    private static final int SEGMENTS = 8;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a limit is too low
     */
    public KeepSettings {
        if (mostBytes < LEAST_BYTES || queueBytes < LEAST_QUEUE || mostAgeNs <= 0) {
            throw new IllegalArgumentException("mostBytes " + mostBytes + ", mostAgeNs " + mostAgeNs + ", queueBytes "
                    + queueBytes + "; at least " + LEAST_BYTES + ", 1 and " + LEAST_QUEUE + " are needed");
        }
    }

    /** In a folder, within a size, of any age. */
    public KeepSettings(Path folder, long mostBytes) {
        this(folder, mostBytes, Long.MAX_VALUE, STANDARD_QUEUE);
    }

    /** Where a segment ends. */
    long segmentBytes() {
        return Math.min(LARGEST_SEGMENT, mostBytes / SEGMENTS);
    }
}
