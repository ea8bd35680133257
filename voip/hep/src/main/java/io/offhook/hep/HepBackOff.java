package io.offhook.hep;

/** How long to wait before connecting again: 100 ms, then twice as long after each failure, up to 30 s. */
final class HepBackOff {
    private static final long FIRST_NS = 100_000_000L;
    private static final long LONGEST_NS = 30_000_000_000L;

    private long waitNs;
    private long untilNs;
    private boolean isWaiting;

    void failed(long nowNs) {
        waitNs = waitNs == 0 ? FIRST_NS : Math.min(2 * waitNs, LONGEST_NS);
        untilNs = nowNs + waitNs;
        isWaiting = true;
    }

    /** A packet got through: the next failure is a first one. */
    void succeeded() {
        waitNs = 0;
    }

    boolean isOver(long nowNs) {
        if (isWaiting && nowNs - untilNs >= 0) {
            isWaiting = false;
        }
        return !isWaiting;
    }
}
