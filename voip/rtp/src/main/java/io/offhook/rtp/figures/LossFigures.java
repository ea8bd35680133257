package io.offhook.rtp.figures;

import java.util.List;

/**
 * What became of the numbers of a stream, as if no further packet arrived.
 *
 * @param lost bursts of lost numbers
 * @param discarded bursts of numbers that the jitter buffer discarded
 * @param impaired bursts of numbers that were either
 * @param groups bursts and gaps (RFC 3611, 4.7.2)
 */
public record LossFigures(Bursts lost, Bursts discarded, Bursts impaired, Groups groups) {
    /**
     * A histogram of bursts.
     *
     * @param lengths ascending, at most 64
     * @param bursts of any length
     * @param packets of all of them
     * @param longest in packets; 0 without bursts
     * @param unlisted bursts whose length is not in the list
     */
    public record Bursts(List<Length> lengths, long bursts, long packets, int longest, int unlisted) {
        /** Copies the list. */
        public Bursts {
            lengths = List.copyOf(lengths);
        }
    }

    /**
     * Bursts of one length.
     *
     * @param packets the length
     * @param count how many
     */
    public record Length(int packets, int count) {}

    /**
     * Groups of lost or discarded numbers with fewer than 16 good ones between them.
     *
     * @param bursts groups of two or more
     * @param burstPackets the numbers from the first to the last of each
     * @param burstImpaired those of them that were lost or discarded
     * @param gaps stretches before, between and behind bursts
     * @param gapImpaired numbers outside of bursts that were lost or discarded
     * @param packets all numbers
     */
    public record Groups(
            long bursts, long burstPackets, long burstImpaired, long gaps, long gapImpaired, long packets) {}
}
