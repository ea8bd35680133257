package io.offhook.cluster.spool;

import java.nio.file.Path;

/**
 * Where a spool is, and how large it may become.
 *
 * @param folder of this spool alone; made if it does not exist
 * @param maxOctets of all segments, at least two of them; then the oldest one is deleted
 * @param segmentOctets of a segment, at least 4,096; an event longer than that has one of its own
 */
public record SpoolConfig(Path folder, long maxOctets, int segmentOctets) {
    /** Octets of a segment where nothing else is said. */
    public static final int SEGMENT_OCTETS = 16 << 20;

    private static final int LEAST_SEGMENT = 4096;

    /** Checks the sizes. */
    public SpoolConfig {
        if (segmentOctets < LEAST_SEGMENT) {
            throw new IllegalArgumentException("segments of " + segmentOctets + " octets are below " + LEAST_SEGMENT);
        }
        if (maxOctets < 2L * segmentOctets) {
            throw new IllegalArgumentException("a spool of " + maxOctets + " octets is below " + 2L * segmentOctets
                    + ", which two segments of " + segmentOctets + " take");
        }
    }

    /** A spool with segments of {@value #SEGMENT_OCTETS} octets. */
    public SpoolConfig(Path folder, long maxOctets) {
        this(folder, maxOctets, SEGMENT_OCTETS);
    }
}
