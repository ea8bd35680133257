package io.offhook.rtp;

import java.util.Arrays;

/**
 * Which of the last {@value #SIZE} sequence numbers of a run have arrived. A number that leaves the window without
 * having arrived is lost for good and goes to the {@link LossBursts}.
 *
 * <p>Numbers are extended ones (RFC 3550, A.1) and may be negative. The stream knows the lowest and highest of its run
 * and passes them in; the window keeps bits only.
 */
final class SequenceWindow {
    /** Numbers that it spans, the highest included; a power of two. At 50 packets a second, ten seconds. */
    static final int SIZE = 512;

    private final long[] arrived = new long[SIZE / Long.SIZE];
    private final LossBursts bursts = new LossBursts();

    /** Forgets all and starts with a run of which every number from {@code lowest} to {@code highest} has arrived. */
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

    /** Moves on to the number that follows the highest: the case of a stream in order. */
    void advanceByOne(long lowest, long highest) {
        long next = highest + 1;
        if (!contains(next) && next - SIZE >= lowest) {
            bursts.lose(next - SIZE, 1);
        }
        add(next);
    }

    /** Moves on to {@code next}, which has arrived; what lies between it and the highest has not. */
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

    /** The run is over: what has not arrived is lost. */
    void closeRun(long lowest, long highest) {
        settle(bursts, lowest, highest);
    }

    /** The losses up to now, those within the window too, as if no more packet came. */
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
