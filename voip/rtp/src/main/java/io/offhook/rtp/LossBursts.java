package io.offhook.rtp;

import io.offhook.rtp.figures.LossFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A histogram of bursts: runs of consecutive packets that were lost, discarded, or either, by length.
 *
 * <p>A burst is delimited by other packets on both sides, within one run of the sender. Up to {@value #MAX_LENGTHS}
 * different lengths are kept; bursts of further lengths count only in the totals and in {@link #unlisted()}. Owned by
 * the caller; single-threaded.
 */
public final class LossBursts {
    /** The most different lengths in a histogram. */
    public static final int MAX_LENGTHS = 64;

    private static final int[] NO_LENGTHS = {};
    private static final int FIRST_LENGTHS = 4;

    /** No bursts; not to be added to. */
    static final LossBursts NONE = new LossBursts();

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
        length = NO_LENGTHS;
        count = NO_LENGTHS;
    }

    private LossBursts(LossBursts other) {
        length = other.lengths == 0 ? NO_LENGTHS : other.length.clone();
        count = other.lengths == 0 ? NO_LENGTHS : other.count.clone();
        lengths = other.lengths;
        bursts = other.bursts;
        packets = other.packets;
        longest = other.longest;
        unlisted = other.unlisted;
        openEnd = other.openEnd;
        openLength = other.openLength;
    }

    /** The bursts as figures have them. */
    static LossBursts of(LossFigures.Bursts figures) {
        LossBursts bursts = new LossBursts();
        bursts.lengths = figures.lengths().size();
        bursts.length = new int[bursts.lengths];
        bursts.count = new int[bursts.lengths];
        for (int i = 0; i < bursts.lengths; i++) {
            bursts.length[i] = figures.lengths().get(i).packets();
            bursts.count[i] = figures.lengths().get(i).count();
        }
        bursts.bursts = figures.bursts();
        bursts.packets = figures.packets();
        bursts.longest = figures.longest();
        bursts.unlisted = figures.unlisted();
        return bursts;
    }

    /** The bursts that are closed. */
    LossFigures.Bursts figures() {
        List<LossFigures.Length> all = new ArrayList<>(lengths);
        for (int i = 0; i < lengths; i++) {
            all.add(new LossFigures.Length(length[i], count[i]));
        }
        return new LossFigures.Bursts(all, bursts, packets, longest, unlisted);
    }

    /** Counts packets from sequence number {@code first} on; calls must be in ascending order. */
    void add(long first, int packets) {
        if (first != openEnd) {
            close();
        }
        openLength += packets;
        openEnd = first + packets;
    }

    /** Ends the open burst, if there is one. */
    void close() {
        if (openLength > 0) {
            burst(openLength);
        }
        openLength = 0;
        openEnd = Long.MIN_VALUE;
    }

    LossBursts copy() {
        return new LossBursts(this);
    }

    /** Counts a burst of one packet whose number does not matter. */
    void single() {
        burst(1);
    }

    private void burst(int burstLength) {
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
            int room = Math.max(FIRST_LENGTHS, lengths * 2);
            length = Arrays.copyOf(length, room);
            count = Arrays.copyOf(count, room);
        }
        System.arraycopy(length, at, length, at + 1, lengths - at);
        System.arraycopy(count, at, count, at + 1, lengths - at);
        length[at] = burstLength;
        count[at] = 1;
        lengths++;
    }

    /** The number of different lengths that {@link #length(int)} and {@link #count(int)} cover. */
    public int lengths() {
        return lengths;
    }

    /** The i-th shortest length, in packets. */
    public int length(int i) {
        return length[i];
    }

    /** The number of bursts of the i-th shortest length. */
    public int count(int i) {
        return count[i];
    }

    /** The number of bursts of exactly this length. */
    public int countOfLength(int packets) {
        int at = Arrays.binarySearch(length, 0, lengths, packets);
        return at < 0 ? 0 : count[at];
    }

    /** The number of bursts of any length. */
    public long bursts() {
        return bursts;
    }

    /** The packets of all bursts. */
    public long packets() {
        return packets;
    }

    /** The length of the longest burst, in packets; 0 without bursts. */
    public int longest() {
        return longest;
    }

    /** The number of bursts whose length is not in the histogram. */
    public int unlisted() {
        return unlisted;
    }

    /** The mean length of a burst, in packets; 0 without bursts. */
    public double meanLength() {
        return bursts == 0 ? 0 : (double) packets / bursts;
    }

    /** For example "1x5 2x3": five single losses, three pairs. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lengths; i++) {
            text.append(i == 0 ? "" : " ").append(length[i]).append('x').append(count[i]);
        }
        return text.toString();
    }
}
