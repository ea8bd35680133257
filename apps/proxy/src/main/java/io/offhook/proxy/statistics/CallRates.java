package io.offhook.proxy.statistics;

/**
 * Call attempts over time: of the last seconds, and of an hour. BHCA, busy hour call attempts, is the most in any 60 minutes
 * since the start; before an hour has passed, it is what was counted so far. For one thread.
 */
final class CallRates {
    private static final int HOUR = 3600;

    /** The total at the end of each second of the last hour. */
    private final long[] totals = new long[HOUR + 1];

    private long seconds;
    private long busiest;

    /** Called once a second with all attempts since the start. */
    void second(long total) {
        seconds++;
        totals[(int) (seconds % totals.length)] = total;
        busiest = Math.max(busiest, lastHour());
    }

    /** Attempts a second, over at most so many last seconds. */
    double perSecond(int most) {
        long over = Math.min(most, seconds);
        return over == 0 ? 0 : (double) since(over) / over;
    }

    long lastHour() {
        return since(Math.min(HOUR, seconds));
    }

    long busiestHour() {
        return busiest;
    }

    private long since(long ago) {
        return totals[(int) (seconds % totals.length)] - totals[(int) ((seconds - ago) % totals.length)];
    }
}
