package io.offhook.analysis;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A TCP connection of a {@linkplain Pipeline#traced() traced} pipeline: the numbers of its frames, including frames
 * without payload and those of earlier connections on the same ports. It grows during the run.
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

    /** Drops the frames: there are too many, or the connection carries something other than SIP. */
    void forget() {
        isForgotten = true;
        count = 0;
        frames = new long[0];
    }

    /** Whether all its frames are known. False if it has more than 65,536 or carries something other than SIP. */
    public boolean isWhole() {
        return !isForgotten;
    }

    /** Reports the numbers of its frames so far; none if it is not {@linkplain #isWhole() whole}. */
    public void frames(LongConsumer to) {
        for (int i = 0; i < count; i++) {
            to.accept(frames[i]);
        }
    }
}
