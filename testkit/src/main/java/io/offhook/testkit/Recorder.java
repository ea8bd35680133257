package io.offhook.testkit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the frames of a capture, in any order, and hands them out by time. Single-threaded. */
public final class Recorder {
    private final long resolutionNs;
    private final List<Frame> frames = new ArrayList<>();
    private int nextIdentification = 1;

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
        frames.add(new Frame(time, linkType, frame, frame.length));
        return time;
    }

    /** Identifications go round 1 to 65535, so that fragments of different packets are told apart. */
    int nextIdentification() {
        int id = nextIdentification;
        nextIdentification = id == 0xffff ? 1 : id + 1;
        return id;
    }

    public int size() {
        return frames.size();
    }

    /** All frames by time; those of one time in the order in which they were added. */
    public List<Frame> frames() {
        List<Frame> sorted = new ArrayList<>(frames);
        sorted.sort(Comparator.comparingLong(Frame::timestampNs));
        return sorted;
    }
}
