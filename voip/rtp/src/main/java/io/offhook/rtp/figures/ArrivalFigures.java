package io.offhook.rtp.figures;

/**
 * When the packets of a stream arrived, and what their headers had.
 *
 * @param times of the first and last packets
 * @param deltas from one packet to the next
 * @param headers of the first and last packets
 * @param payloadOctets in all packets, without padding
 * @param markers packets with the marker bit
 * @param fractions what a receiver would report each five seconds
 */
public record ArrivalFigures(
        Times times, Deltas deltas, Headers headers, long payloadOctets, int markers, Fractions fractions) {
    /**
     * Arrivals in nanoseconds since the epoch.
     *
     * @param firstNs of the first packet
     * @param lastNs of the last packet
     * @param lastUniqueNs of the last packet that was not mirrored
     */
    public record Times(long firstNs, long lastNs, long lastUniqueNs) {}

    /**
     * Nanoseconds between packets that follow each other, mirrored ones left out.
     *
     * @param minNs the shortest; Long.MAX_VALUE below two packets
     * @param maxNs the longest
     * @param openMaxNs the longest since the open interval began
     */
    public record Deltas(long minNs, long maxNs, long openMaxNs) {}

    /**
     * Headers of RTP.
     *
     * @param firstTimestamp of the first packet, 32 bits
     * @param lastTimestamp of the last packet that was not mirrored, 32 bits
     * @param lastNumber the sequence number of the last packet, 0 to 65535
     */
    public record Headers(int firstTimestamp, int lastTimestamp, int lastNumber) {}

    /**
     * The "fraction lost" of RFC 3550, A.3, in 1/256.
     *
     * @param last of the last closed interval; -1 before the first was closed
     * @param max the highest; -1 likewise
     */
    public record Fractions(int last, int max) {}
}
