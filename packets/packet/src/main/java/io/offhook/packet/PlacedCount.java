package io.offhook.packet;

/**
 * How often something happened, and where in the capture: the first and the last frame that it happened at, the earliest
 * and the latest time.
 *
 * <p>Counts of several lanes {@linkplain #add(PlacedCount) add up} to the same in whatever order. Adding allocates
 * nothing. Single-threaded.
 */
public final class PlacedCount {
    private long count;
    private long firstFrame;
    private long lastFrame;
    private long firstNs;
    private long lastNs;

    /** Nothing happened so far. */
    public PlacedCount() {}

    /** Counts one at a frame: its number, 1-based, and its time, nanoseconds since the epoch. */
    public void add(long frameNumber, long timestampNs) {
        add(1, frameNumber, timestampNs);
    }

    /** Counts so many (of bytes, say) at a frame; 0 leaves no trace. */
    public void add(long amount, long frameNumber, long timestampNs) {
        add(amount, frameNumber, frameNumber, timestampNs, timestampNs);
    }

    /** Counts what was counted elsewhere, too. */
    public void add(PlacedCount other) {
        add(other.count, other.firstFrame, other.lastFrame, other.firstNs, other.lastNs);
    }

    /** Counts so many that happened between two frames, and between two times. */
    public void add(long amount, long firstFrame, long lastFrame, long firstNs, long lastNs) {
        if (amount == 0) {
            return;
        }
        boolean isFirst = count == 0;
        count += amount;
        this.firstFrame = isFirst ? firstFrame : Math.min(this.firstFrame, firstFrame);
        this.lastFrame = isFirst ? lastFrame : Math.max(this.lastFrame, lastFrame);
        this.firstNs = isFirst ? firstNs : Math.min(this.firstNs, firstNs);
        this.lastNs = isFirst ? lastNs : Math.max(this.lastNs, lastNs);
    }

    /** How many there were. */
    public long count() {
        return count;
    }

    /** The lowest number of a frame that it happened at; 0 where it never happened. */
    public long firstFrame() {
        return firstFrame;
    }

    /** The highest number of such a frame; 0 where it never happened. */
    public long lastFrame() {
        return lastFrame;
    }

    /** The earliest time at which it happened, nanoseconds since the epoch; 0 where it never happened. */
    public long firstNs() {
        return firstNs;
    }

    /** The latest time at which it happened; 0 where it never happened. */
    public long lastNs() {
        return lastNs;
    }

    /** "3 in frames 17 to 230". */
    @Override
    public String toString() {
        return count + " in frames " + firstFrame + " to " + lastFrame;
    }
}
