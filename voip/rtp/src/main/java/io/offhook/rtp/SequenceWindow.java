package io.offhook.rtp;

import java.util.Arrays;

/**
 * Which of the last {@value #SIZE} sequence numbers of a run have arrived. A number that leaves the window without
 * having arrived is lost for good and is reported to the {@link LossBursts}.
 *
 * <p>Numbers are extended (RFC 3550, A.1) and may be negative. The caller passes in the lowest and highest number of
 * the run; the window stores bits only.
 */
final class SequenceWindow {
    /** The numbers in the window, including the highest; a power of two. Ten seconds at 50 packets per second. */
    static final int SIZE = 512;

    private final long[] arrived = new long[SIZE / Long.SIZE];
    private final LossBursts bursts = new LossBursts();

    /** Clears the window and starts a run of which every number from {@code lowest} to {@code highest} has arrived. */
    void reset(long lowest, long highest) {
        Arrays.fill(arrived, 0);
        for (long number = Math.max(lowest, highest - SIZE + 1); number <= highest; number++) {
            add(number);
        }
    }

    boolean contains(long number) {
        return (arrived[word(number)] & 1L << number) != 0;
    }

    void add(long number) {
        arrived[word(number)] |= 1L << number;
    }

    private void remove(long number) {
        arrived[word(number)] &= ~(1L << number);
    }

    /** Advances to the number after the highest: the case of a stream in order. */
    void advanceByOne(long lowest, long highest) {
        long next = highest + 1;
        if (!contains(next) && next - SIZE >= lowest) {
            bursts.lose(next - SIZE, 1);
        }
        add(next);
    }

    /** Advances to {@code next}, which has arrived; the numbers between it and the highest have not. */
    void advance(long lowest, long highest, long next) {
        long leaving = Math.min(next - SIZE, highest);
        for (long number = Math.max(lowest, highest - SIZE + 1); number <= leaving; number++) {
            if (!contains(number)) {
                bursts.lose(number, 1);
            }
        }
        if (next - SIZE > highest) {
            bursts.lose(highest + 1, (int) (next - SIZE - highest));
            Arrays.fill(arrived, 0);
        } else {
            for (long number = highest + 1; number < next; number++) {
                remove(number);
            }
        }
        add(next);
    }

    /** Ends the run: numbers that have not arrived are lost. */
    void closeRun(long lowest, long highest) {
        settle(bursts, lowest, highest);
    }

    /** The losses so far, including those within the window, as if no further packet arrived. */
    LossBursts settled(long lowest, long highest) {
        LossBursts settled = bursts.copy();
        settle(settled, lowest, highest);
        return settled;
    }

    private void settle(LossBursts to, long lowest, long highest) {
        for (long number = Math.max(lowest, highest - SIZE + 1); number <= highest; number++) {
            if (!contains(number)) {
                to.lose(number, 1);
            }
        }
        to.close();
    }

    private static int word(long number) {
        return (int) (number >> 6) & SIZE / Long.SIZE - 1;
    }
}
