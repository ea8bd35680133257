package io.offhook.proxy.statistics;

/**
 * Messages that a lane has ready to leave, until it hands them to the system: only then their time in the proxy is known, for
 * all of a burst by one look at the clock. Of the lane's thread.
 */
final class Departures {
    /** What a lane sends in a turn; what is beyond is recorded a little early. */
    private static final int MOST = 512;

    private final MessageKind[] kinds = new MessageKind[MOST];
    private final long[] sinceNs = new long[MOST];
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    boolean isFull() {
        return count == MOST;
    }

    void add(MessageKind kind, long receivedNs) {
        kinds[count] = kind;
        sinceNs[count++] = receivedNs;
    }

    void record(LaneStatistics statistics, long nowNs) {
        for (int i = 0; i < count; i++) {
            statistics.timeInProxy(kinds[i], nowNs - sinceNs[i]);
        }
        count = 0;
    }
}
