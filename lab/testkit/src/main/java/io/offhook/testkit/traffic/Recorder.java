package io.offhook.testkit.traffic;

import java.util.ArrayList;
import java.util.List;

/** Collects the frames of a capture, in any order, and hands them out by time. Single-threaded. */
public final class Recorder {
    private final long resolutionNs;
    private final FrameStore frames = new FrameStore();
    private int nextIdentification = 1;
    private long latestNs;

    /** @param resolutionNs to which times are rounded down: 1000 for captures with microseconds, else 1 */
    public Recorder(long resolutionNs) {
        this.resolutionNs = resolutionNs;
    }

    /** The time that a packet of {@code timeNs} will have in the capture. */
    public long quantize(long timeNs) {
        return timeNs - Math.floorMod(timeNs, resolutionNs);
    }

    /** Adds a frame; returns its time in the capture. */
    public long add(long timeNs, int linkType, byte[] frame) {
        long time = quantize(timeNs);
        frames.add(time, linkType, frame);
        latestNs = Math.max(latestNs, time);
        return time;
    }

    /** Identifications cycle from 1 to 65535, which distinguishes fragments of different packets. */
    int nextIdentification() {
        int id = nextIdentification;
        nextIdentification = id == 0xffff ? 1 : id + 1;
        return id;
    }

    /** The time of the last frame by time; 0 without any. */
    long latestNs() {
        return latestNs;
    }

    public int size() {
        return frames.count();
    }

    /** All frames by time; those of one time in the order in which they were added. */
    public List<Frame> frames() {
        return new ArrayList<>(frames.byTime());
    }

    /** Like {@link #frames}, but creates each frame on access: for captures larger than the heap. */
    List<Frame> framesOnce() {
        return frames.byTime();
    }
}
