package io.offhook.analysis;

import io.offhook.packet.PlacedCount;
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
    private boolean isOther;
    /** Its packets. */
    private final PlacedCount packets = new PlacedCount();

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

    PlacedCount packets() {
        return packets;
    }

    /** Whether it carries something other than SIP. */
    boolean isOther() {
        return isOther;
    }

    /**
     * Drops the frames.
     *
     * @param isOther whether the connection carries something other than SIP, else there are too many
     */
    void forget(boolean isOther) {
        isForgotten = true;
        this.isOther |= isOther;
        count = 0;
        frames = new long[0];
    }

    /**
     * Whether all its frames are known. False if it reached a limit (more than 65,536 frames, for example) or carries
     * something other than SIP.
     */
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
