package io.offhook.packet;

/**
 * A counter with its place in the capture: the first and last frame, and the earliest and latest time, of the counted
 * events.
 *
 * <p>Counts of several lanes {@linkplain #add(PlacedCount) add up} to the same result in any order. Adding allocates
 * nothing. Single-threaded.
 */
public final class PlacedCount {
    private long count;
    private long firstFrame;
    private long lastFrame;
    private long firstNs;
    private long lastNs;

    /** Creates a counter at 0. */
    public PlacedCount() {}

    /** Counts one event at a frame: its number, 1-based, and its time, in nanoseconds since the epoch. */
    public void add(long frameNumber, long timestampNs) {
        add(1, frameNumber, timestampNs);
    }

    /** Counts several (bytes, for example) at a frame; 0 has no effect. */
    public void add(long amount, long frameNumber, long timestampNs) {
        add(amount, frameNumber, frameNumber, timestampNs, timestampNs);
    }

    /** Adds another counter. */
    public void add(PlacedCount other) {
        add(other.count, other.firstFrame, other.lastFrame, other.firstNs, other.lastNs);
    }

    /** Counts several events between two frames and two times. */
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

    /** The number of events. */
    public long count() {
        return count;
    }

    /** The lowest frame number of an event; 0 without events. */
    public long firstFrame() {
        return firstFrame;
    }

    /** The highest frame number of an event; 0 without events. */
    public long lastFrame() {
        return lastFrame;
    }

    /** The time of the earliest event, in nanoseconds since the epoch; 0 without events. */
    public long firstNs() {
        return firstNs;
    }

    /** The time of the latest event, in nanoseconds since the epoch; 0 without events. */
    public long lastNs() {
        return lastNs;
    }

    /** "3 in frames 17 to 230". */
    @Override
    public String toString() {
        return count + " in frames " + firstFrame + " to " + lastFrame;
    }
}
