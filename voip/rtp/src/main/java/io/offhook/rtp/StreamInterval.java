package io.offhook.rtp;

import org.jspecify.annotations.Nullable;

/**
 * Five seconds of a stream, counted from its first packet. A lost number belongs to the interval in which the next higher
 * number that was captured arrived; everything else to the interval in which a packet arrived.
 *
 * @param startNs when it began, nanoseconds since the epoch
 * @param durationNs 5 s; the last interval ends with the last packet
 * @param payloadType of most of its packets, media preferred; -1 without packets
 * @param expected new numbers that arrived in it, and its lost ones
 * @param lost numbers of it that were not captured
 * @param discarded packets that the jitter buffer discarded
 * @param impairedRuns runs of numbers that were lost or discarded
 * @param figures what is kept only where it was asked for; else null
 */
public record StreamInterval(
        long startNs,
        long durationNs,
        int payloadType,
        long expected,
        long lost,
        long discarded,
        int impairedRuns,
        @Nullable Figures figures) {

    /** The length of an interval, in nanoseconds. */
    public static final long LENGTH_NS = 5_000_000_000L;

    /** The most intervals that are kept of a stream: a day. */
    public static final int LIMIT = 17_280;

    /**
     * The further figures of an interval. Counts are exact up to 65,535.
     *
     * @param packets captured, of any kind
     * @param duplicates as {@link RtpStream#duplicates()}
     * @param reordered as {@link RtpStream#reordered()}
     * @param late as {@link RtpStream#late()}
     * @param strays as {@link RtpStream#strays()}
     * @param markers packets with the marker bit
     * @param jitterMs after its last packet (RFC 3550, A.8); NaN if the clock is unknown
     * @param meanJitterMs over its packets; NaN if there are none
     * @param maxJitterMs the highest of its packets; NaN if there are none
     * @param maxDeltaMs the longest time between two packets, of which the second arrived in it; 0 without packets
     */
    public record Figures(
            int packets,
            int duplicates,
            int reordered,
            int late,
            int strays,
            int markers,
            double jitterMs,
            double meanJitterMs,
            double maxJitterMs,
            double maxDeltaMs) {}

    /** Lost and discarded numbers in percent of the expected ones, 0 to 100. */
    public double impairedPercent() {
        return expected == 0 ? 0 : 100.0 * (lost + discarded) / expected;
    }

    /** BurstR of ITU-T G.107 over its lost and discarded numbers. */
    public double burstRatio() {
        double mean = impairedRuns == 0 ? 0 : (double) (lost + discarded) / impairedRuns;
        return Math.max(1, mean * (1 - impairedPercent() / 100));
    }
}
