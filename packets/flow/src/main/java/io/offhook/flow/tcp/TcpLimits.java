package io.offhook.flow.tcp;

import io.offhook.flow.state.Require;

/**
 * The limits of {@link TcpStreams}.
 *
 * @param connections the most connections in the table, 1 to 2^24
 * @param bytesPerStream the most bytes held per stream, 65,536 or more
 * @param bytesHeld the most memory for held bytes of all streams, in bytes, 131,072 or more; a piece of up to 2,048
 *     bytes takes a block of 2,048 bytes
 * @param segmentsHeld the most pieces held per stream, 1 or more
 * @param segmentsWaiting the most pieces held for a stream whose start is not known yet, 1 or more
 * @param holdTimeNs the longest time that a hole may hold up the bytes after it, in nanoseconds of packet time, 1 or
 *     more
 * @param idleTimeoutNs how long a connection without a packet stays in the table, in nanoseconds of packet time, 1 or
 *     more
 */
public record TcpLimits(
        int connections,
        long bytesPerStream,
        long bytesHeld,
        int segmentsHeld,
        int segmentsWaiting,
        long holdTimeNs,
        long idleTimeoutNs) {

    /** 65,536 connections, 1 MiB per stream, 64 MiB in total, 1,024 segments, 4 while waiting, 3 s, 10 minutes. */
    public static final TcpLimits DEFAULT =
            new TcpLimits(65_536, 1 << 20, 64L << 20, 1024, 4, 3_000_000_000L, 600_000_000_000L);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException naming the limit that is out of range, its value and its range
     */
    public TcpLimits {
        Require.inRange("connections", connections, 1, 1 << 24);
        Require.inRange("bytesPerStream", bytesPerStream, 1 << 16, 1 << 30);
        Require.inRange("bytesHeld", bytesHeld, 1 << 17, 1L << 34);
        Require.inRange("segmentsHeld", segmentsHeld, 1, 1 << 20);
        Require.inRange("segmentsWaiting", segmentsWaiting, 1, 1 << 20);
        Require.inRange("holdTimeNs", holdTimeNs, 1, Long.MAX_VALUE);
        Require.inRange("idleTimeoutNs", idleTimeoutNs, 1, Long.MAX_VALUE);
    }
}
