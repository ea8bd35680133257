package io.offhook.analysis;

import io.offhook.packet.FrameBatch;

/** The first and the last packet of a capture, in the order of the source, and the latest time. */
final class CaptureSpan {
    private long packets;
    private long lastNumber;
    private long firstNs;
    private long lastNs;
    private long latestNs = Long.MIN_VALUE;

    void add(FrameBatch batch) {
        if (batch.count() == 0) {
            return;
        }
        if (packets == 0) {
            firstNs = batch.timestampNs(0);
        }
        packets += batch.count();
        lastNumber = batch.number(batch.count() - 1);
        lastNs = batch.timestampNs(batch.count() - 1);
    }

    /** Notes the latest time of a batch. */
    void latest(long batchNs) {
        latestNs = Math.max(latestNs, batchNs);
    }

    /** The number of the last packet in the source, where a filter may have left out others; 0 before there is one. */
    long lastNumber() {
        return lastNumber;
    }

    boolean isEmpty() {
        return packets == 0;
    }

    /** The time of the first packet, nanoseconds since the epoch. */
    long firstNs() {
        return firstNs;
    }

    /** The time of the last packet in the order of the source. */
    long lastNs() {
        return lastNs;
    }

    /** The latest time of any packet: the "end of the capture" for a call that is still up. */
    long latestNs() {
        return latestNs;
    }
}
