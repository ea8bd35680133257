package io.offhook.flow.fragment;

import io.offhook.flow.state.Require;

/**
 * The limits of a {@link FragmentTable}.
 *
 * @param datagrams the most incomplete datagrams at a time, 1 to 2^24; the oldest is evicted
 * @param bytes the most memory for fragments, in bytes, 131,072 or more; a fragment takes blocks of 2,048 bytes
 * @param fragmentsPerDatagram the most fragments of a datagram, 2 or more; a datagram with more is given up
 * @param timeoutNs how long a datagram may stay incomplete after its first fragment, in nanoseconds of packet time, 1
 *     or more
 */
public record FragmentLimits(int datagrams, long bytes, int fragmentsPerDatagram, long timeoutNs) {

    /** 4,096 datagrams, 32 MiB, 1,024 fragments per datagram, 30 s. */
    public static final FragmentLimits DEFAULT = new FragmentLimits(4096, 32L << 20, 1024, 30_000_000_000L);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException naming the limit that is out of range, its value and its range
     */
    public FragmentLimits {
        Require.inRange("datagrams", datagrams, 1, 1 << 24);
        Require.inRange("bytes", bytes, 1 << 17, 1L << 34);
        Require.inRange("fragmentsPerDatagram", fragmentsPerDatagram, 2, 1 << 13);
        Require.inRange("timeoutNs", timeoutNs, 1, Long.MAX_VALUE);
    }
}
