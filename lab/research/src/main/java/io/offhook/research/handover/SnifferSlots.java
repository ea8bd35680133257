package io.offhook.research.handover;

/**
 * {@link CaptureSlots}, for a trace that ends: its packets come once each, by the clock, and of those that find no slot free
 * it is known which they were. For one thread.
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

    /** All slots are free, and the trace begins. */
    void start(long nowNs, double packetsPerSecond) {
        packetsPerNs = packetsPerSecond / 1e9;
        startNs = nowNs;
        due = 0;
        arrived = 0;
        released = 0;
        lostSaid = 0;
    }

    /** Whether a packet is waiting, once those have come that are due. */
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

    /** Whether all have come, and none is waiting. */
    boolean isOver() {
        return due == SnifferTrace.PACKETS && arrived == released;
    }

    /** Which packet of the trace waits longest. */
    int first() {
        return kept[released & CaptureSlots.COUNT - 1];
    }

    /** Frees its slot; ask {@link #isWaiting} first, with the same time, for what came before that. */
    void release() {
        released++;
    }

    int arrived() {
        return arrived;
    }

    /** Packets that found no slot. */
    int lost() {
        return due - arrived;
    }

    /** What those would have said to who looks for RTP. */
    long lostSaid() {
        return lostSaid;
    }
}
