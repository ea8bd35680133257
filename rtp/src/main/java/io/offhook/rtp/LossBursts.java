package io.offhook.rtp;

import java.util.Arrays;

/**
 * Runs of lost packets: how many packets each run had, and how many runs of each length there were.
 *
 * <p>A run is a series of lost packets with a received one on either side, within one run of the sender. Up to
 * {@value #MAX_LENGTHS} different lengths are kept; runs of further lengths count in the totals and in
 * {@link #unlisted()} only. Owned by who asked for it; single-threaded.
 */
public final class LossBursts {
    /** The most different lengths that one histogram holds. */
    public static final int MAX_LENGTHS = 64;

    private int[] length;
    private int[] count;
    private int lengths;
    private long bursts;
    private long packets;
    private int longest;
    private int unlisted;
    private long openEnd = Long.MIN_VALUE;
    private int openLength;

    LossBursts() {
        length = new int[4];
        count = new int[4];
    }

    private LossBursts(LossBursts other) {
        length = other.length.clone();
        count = other.count.clone();
        lengths = other.lengths;
        bursts = other.bursts;
        packets = other.packets;
        longest = other.longest;
        unlisted = other.unlisted;
        openEnd = other.openEnd;
        openLength = other.openLength;
    }

    /** Numbers from {@code first} on are lost for good; calls come in ascending order. */
    void lose(long first, int packets) {
        if (first != openEnd) {
            close();
        }
        openLength += packets;
        openEnd = first + packets;
    }

    /** Ends the run that is open, if any. */
    void close() {
        if (openLength > 0) {
            add(openLength);
        }
        openLength = 0;
        openEnd = Long.MIN_VALUE;
    }

    LossBursts copy() {
        return new LossBursts(this);
    }

    private void add(int burstLength) {
        bursts++;
        packets += burstLength;
        longest = Math.max(longest, burstLength);
        int at = Arrays.binarySearch(length, 0, lengths, burstLength);
        if (at >= 0) {
            count[at]++;
        } else if (lengths == MAX_LENGTHS) {
            unlisted++;
        } else {
            insert(-at - 1, burstLength);
        }
    }

    private void insert(int at, int burstLength) {
        if (lengths == length.length) {
            length = Arrays.copyOf(length, lengths * 2);
            count = Arrays.copyOf(count, lengths * 2);
        }
        System.arraycopy(length, at, length, at + 1, lengths - at);
        System.arraycopy(count, at, count, at + 1, lengths - at);
        length[at] = burstLength;
        count[at] = 1;
        lengths++;
    }

    /** How many different lengths {@link #length(int)} and {@link #count(int)} tell of. */
    public int lengths() {
        return lengths;
    }

    /** The i-th shortest length, in packets. */
    public int length(int i) {
        return length[i];
    }

    /** How many runs had the i-th shortest length. */
    public int count(int i) {
        return count[i];
    }

    /** How many runs were exactly so long. */
    public int countOfLength(int packets) {
        int at = Arrays.binarySearch(length, 0, lengths, packets);
        return at < 0 ? 0 : count[at];
    }

    /** Runs of any length. */
    public long bursts() {
        return bursts;
    }

    /** Lost packets of all runs. */
    public long packets() {
        return packets;
    }

    /** Packets of the longest run, 0 without loss. */
    public int longest() {
        return longest;
    }

    /** Runs whose length found no place in the histogram. */
    public int unlisted() {
        return unlisted;
    }

    /** Packets lost in one go, on average; 0 without loss. */
    public double meanLength() {
        return bursts == 0 ? 0 : (double) packets / bursts;
    }

    /** "1x5 2x3": five single losses, three pairs. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lengths; i++) {
            text.append(i == 0 ? "" : " ").append(length[i]).append('x').append(count[i]);
        }
        return text.toString();
    }
}
