package io.offhook.flow;

/**
 * What {@link StreamWindows} may retain.
 *
 * @param bytesPerStream the most bytes retained of one stream, 65,536 or more
 * @param stretchesPerStream the most pieces retained of one stream, 32 or more; of copies a piece is up to 2,048 bytes, of
 *     references what one segment carried
 * @param bytes the most memory for what is retained of all streams, 131,072 or more; each piece that is copied takes a block
 *     of 2,048, each that is referenced its length and 64
 */
public record StreamWindowLimits(long bytesPerStream, int stretchesPerStream, long bytes) {

    /** 1 MiB and 1,024 pieces a stream, 64 MiB in all. */
    public static final StreamWindowLimits DEFAULT = new StreamWindowLimits(1 << 20, 1024, 64L << 20);

    /** Checks the ranges. */
    public StreamWindowLimits {
        Require.inRange("bytesPerStream", bytesPerStream, 1 << 16, 1 << 30);
        Require.inRange("stretchesPerStream", stretchesPerStream, 32, 1 << 20);
        Require.inRange("bytes", bytes, 1 << 17, 1L << 34);
    }
}
