package io.offhook.rtp.figures;

/**
 * The packets and sequence numbers of a stream, counted.
 *
 * @param packets all that were captured
 * @param numbers those expected
 * @param odd packets that are not simply the next one
 * @param restarts how often the sender began anew with other numbers
 * @param longestHole the longest stretch of numbers that were missing when it showed
 */
public record SequenceFigures(long packets, Numbers numbers, Odd odd, int restarts, Hole longestHole) {
    /**
     * Numbers, extended by their cycles.
     *
     * @param expected from the lowest to the highest, over all runs of the sender
     * @param expectedSinceFirst likewise, from the number of the first packet on (RFC 3550, A.3)
     * @param lowest of the current run; may be negative
     * @param highest of the current run
     */
    public record Numbers(long expected, long expectedSinceFirst, long lowest, long highest) {}

    /**
     * Packets of each kind.
     *
     * @param duplicates whose number had been captured
     * @param mirrored those of them that are copies by the capture
     * @param reordered new ones behind a higher number
     * @param late too far behind
     * @param strays with a distant number that nothing confirmed
     */
    public record Odd(int duplicates, int mirrored, int reordered, int late, int strays) {}

    /**
     * A hole.
     *
     * @param numbers how many; 0 if there was none
     * @param fromNs the arrival of the packet before it, nanoseconds since the epoch
     */
    public record Hole(int numbers, long fromNs) {}
}
