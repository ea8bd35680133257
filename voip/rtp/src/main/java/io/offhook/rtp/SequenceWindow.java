package io.offhook.rtp;

import java.util.Arrays;

/**
 * Which of the last {@value #SIZE} sequence numbers of a run have arrived, when, and which of them the jitter buffer
 * discarded. What became of a number is settled when it leaves the window, and is reported to the {@link Impairments}.
 *
 * <p>Numbers are extended (RFC 3550, A.1) and may be negative. The caller passes in the lowest and highest number of
 * the run; the window stores bits only.
 */
final class SequenceWindow {
    /** The numbers in the window, including the highest; a power of two. Ten seconds at 50 packets per second. */
    static final int SIZE = 512;

    private static final int MASK = SIZE - 1;

    private final long[] arrived = new long[SIZE / Long.SIZE];
    private final long[] discarded = new long[SIZE / Long.SIZE];
    /** The interval in which each number arrived. */
    private final char[] intervals = new char[SIZE];

    private final Impairments impairments = new Impairments();

    /**
     * Clears the window and starts a run of which every number from {@code lowest} to {@code highest} has arrived.
     *
     * @param interval that the first of them is taken to have arrived in
     */
    void reset(long lowest, long highest, int interval) {
        Arrays.fill(arrived, 0);
        Arrays.fill(discarded, 0);
        for (long number = Math.max(lowest, highest - SIZE + 1); number <= highest; number++) {
            add(number, interval);
        }
    }

    boolean contains(long number) {
        return (arrived[word(number)] & 1L << number) != 0;
    }

    /** Adds a number that arrived in an interval, 0 to 65535. */
    void add(long number, int interval) {
        arrived[word(number)] |= 1L << number;
        intervals[(int) number & MASK] = (char) interval;
    }

    /** Marks a number that arrived in an interval as discarded by the jitter buffer; one that has left the window counts by itself. */
    void discard(long number, long highest, int interval) {
        if (number > highest - SIZE && contains(number)) {
            discarded[word(number)] |= 1L << number;
            intervals[(int) number & MASK] = (char) interval; // where the window is younger, it does not know
        } else {
            impairments.discardedAfterAll(interval);
        }
    }

    private void remove(long number) {
        arrived[word(number)] &= ~(1L << number);
    }

    /** Advances to the number after the highest: the case of a stream in order. */
    void advanceByOne(long lowest, long highest, int interval) {
        long leaving = highest + 1 - SIZE;
        if (leaving >= lowest) {
            leave(leaving);
        }
        add(highest + 1, interval);
    }

    /** Advances to {@code next}, which has arrived; the numbers between it and the highest have not. */
    void advance(long lowest, long highest, long next, int interval) {
        long leaving = Math.min(next - SIZE, highest);
        for (long number = Math.max(lowest, highest - SIZE + 1); number <= leaving; number++) {
            leave(number);
        }
        if (next - SIZE > highest) {
            impairments.lost(highest + 1, (int) (next - SIZE - highest));
            Arrays.fill(arrived, 0);
        } else {
            for (long number = highest + 1; number < next; number++) {
                remove(number);
            }
        }
        add(next, interval);
    }

    /** A number leaves the window: what became of it is settled. */
    private void leave(long number) {
        if (!contains(number)) {
            impairments.lost(number, 1);
        } else if ((discarded[word(number)] & 1L << number) != 0) {
            impairments.discarded(number, intervals[(int) number & MASK]);
            discarded[word(number)] &= ~(1L << number);
        } else if (impairments.isOpen()) {
            impairments.captured(intervals[(int) number & MASK]);
        }
    }

    /** Ends the run: numbers that have not arrived are lost. */
    void closeRun(long lowest, long highest) {
        settle(impairments, lowest, highest);
    }

    /** What became of all numbers so far, including those within the window, as if no further packet arrived. */
    Impairments settled(long lowest, long highest) {
        Impairments settled = impairments.copy();
        settle(settled, lowest, highest);
        return settled;
    }

    private void settle(Impairments to, long lowest, long highest) {
        for (long number = Math.max(lowest, highest - SIZE + 1); number <= highest; number++) {
            if ((number & Long.SIZE - 1) == 0
                    && number + Long.SIZE <= highest
                    && !to.isOpen()
                    && isClean(word(number))) {
                number += Long.SIZE - 1; // as nearly all of them
            } else if (!contains(number)) {
                to.lost(number, 1);
            } else if ((discarded[word(number)] & 1L << number) != 0) {
                to.discarded(number, intervals[(int) number & MASK]);
            } else {
                to.captured(intervals[(int) number & MASK]);
            }
        }
        to.closeRun(lowest, highest);
    }

    private boolean isClean(int word) {
        return arrived[word] == -1 && discarded[word] == 0;
    }

    private static int word(long number) {
        return (int) (number >> 6) & SIZE / Long.SIZE - 1;
    }
}
