package io.offhook.analysis;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A TCP connection of a {@linkplain Pipeline#traced() traced} pipeline: the numbers of its frames, those without bytes and
 * those of earlier connections on the same ports included. It grows as long as the run goes on.
 */
public final class TracedConnection {
    private long[] frames = new long[8];
    private int count;
    private boolean isForgotten;

    TracedConnection() {}

    void add(long frame) {
        if (count == frames.length) {
            frames = Arrays.copyOf(frames, count * 2);
        }
        frames[count++] = frame;
    }

    int count() {
        return count;
    }

    /** Its frames are too many, or it carries something else than SIP. */
    void forget() {
        isForgotten = true;
        count = 0;
        frames = new long[0];
    }

    /** Whether all its frames are known: not of one with more than 65,536, nor of one that carries something else too. */
    public boolean isWhole() {
        return !isForgotten;
    }

    /** Reports the numbers of its frames so far; none where it is not {@linkplain #isWhole() whole}. */
    public void frames(LongConsumer to) {
        for (int i = 0; i < count; i++) {
            to.accept(frames[i]);
        }
    }
}
