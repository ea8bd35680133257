package io.offhook.flow.tcp;

import io.offhook.flow.state.Require;

/**
 * The limits of {@link StreamWindows}.
 *
 * @param bytesPerStream the most bytes retained per stream, 65,536 or more
 * @param stretchesPerStream the most pieces retained per stream, 32 or more; a copied piece is up to 2,048 bytes, a
 *     referenced one is what one segment carried
 * @param bytes the most memory for retained bytes of all streams, in bytes, 131,072 or more; a copied piece takes a
 *     block of 2,048 bytes, a referenced one its length plus 64 bytes
 */
public record StreamWindowLimits(long bytesPerStream, int stretchesPerStream, long bytes) {

    /** 1 MiB and 1,024 pieces per stream, 64 MiB in total. */
    public static final StreamWindowLimits DEFAULT = new StreamWindowLimits(1 << 20, 1024, 64L << 20);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException naming the limit that is out of range, its value and its range
     */
    public StreamWindowLimits {
        Require.inRange("bytesPerStream", bytesPerStream, 1 << 16, 1 << 30);
        Require.inRange("stretchesPerStream", stretchesPerStream, 32, 1 << 20);
        Require.inRange("bytes", bytes, 1 << 17, 1L << 34);
    }
}
