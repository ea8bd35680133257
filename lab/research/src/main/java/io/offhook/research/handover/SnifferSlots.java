package io.offhook.research.handover;

/**
 * {@link CaptureSlots} for a finite trace: each packet arrives once, by the clock, and it is known which packets found no
 * free slot. For one thread.
 */
final class SnifferSlots {
    private final SnifferTrace trace;
    private final int[] kept = new int[CaptureSlots.COUNT];
    private double packetsPerNs;
    private long startNs;
    private int due;
    private int arrived;
    private int released;
    private long lostSaid;

    SnifferSlots(SnifferTrace trace) {
        this.trace = trace;
    }

    /** Frees all slots; the trace begins. */
    void start(long nowNs, double packetsPerSecond) {
        packetsPerNs = packetsPerSecond / 1e9;
        startNs = nowNs;
        due = 0;
        arrived = 0;
        released = 0;
        lostSaid = 0;
    }

    /** Returns whether a packet is waiting, after due packets have arrived. */
    boolean isWaiting(long nowNs) {
        int dueNow = (int) Math.min((nowNs - startNs) * packetsPerNs, SnifferTrace.PACKETS);
        int end = Math.min(dueNow, due + CaptureSlots.COUNT - (arrived - released));
        while (due < end) {
            kept[arrived++ & CaptureSlots.COUNT - 1] = due++;
        }
        lostSaid += trace.said(due, dueNow);
        due = dueNow;
        return arrived > released;
    }

    /** Returns whether all packets have arrived, and none is waiting. */
    boolean isOver() {
        return due == SnifferTrace.PACKETS && arrived == released;
    }

    /** Returns the index in the trace of the packet that has waited longest. */
    int first() {
        return kept[released & CaptureSlots.COUNT - 1];
    }

    /** Frees its slot; call {@link #isWaiting} first, with the same time, for packets that arrived before. */
    void release() {
        released++;
    }

    int arrived() {
        return arrived;
    }

    /** Returns the number of packets that found no free slot. */
    int lost() {
        return due - arrived;
    }

    /** Returns what these packets would have added to the sum. */
    long lostSaid() {
        return lostSaid;
    }
}
