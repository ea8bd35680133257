package io.offhook.rtp;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The reports about one stream, one by one, 32 octets each. Holds {@value #LIMIT}, as many as a day has at four an interval;
 * later ones count in the totals alone. Single-threaded.
 */
final class ReceptionHistory {
    /** The most reports. */
    static final int LIMIT = 4 * StreamInterval.LIMIT;

    private static final int NONE = -1;
    private static final int LOST = 0;
    private static final int JITTER = 1;
    private static final int DISCARDED = 2;
    private static final int MOS_LQ = 3;
    private static final int MOS_CQ = 4;
    private static final int R_FACTOR = 5;
    private static final int WIDTH = 6;

    private long[] arrivals = new long[4];
    private int[] rows = new int[4 * WIDTH];
    private int count;

    /**
     * Adds a report block.
     *
     * @param fractionLost in 1/256
     * @param jitter in ticks
     */
    void report(long arrivalNs, int fractionLost, long jitter) {
        int row = row(arrivalNs);
        if (row >= 0) {
            rows[row + LOST] = fractionLost;
            rows[row + JITTER] = (int) Math.min(jitter, Integer.MAX_VALUE);
        }
    }

    /** Adds VoIP metrics. */
    void voipMetrics(long arrivalNs, VoipMetrics metrics) {
        int row = row(arrivalNs);
        if (row >= 0) {
            rows[row + DISCARDED] = metrics.discardRate();
            rows[row + MOS_LQ] = metrics.mosLq();
            rows[row + MOS_CQ] = metrics.mosCq();
            rows[row + R_FACTOR] = metrics.rFactor();
        }
    }

    /** The row of the packet that arrived at a time, which is that of the last one or a new one; -1 beyond the limit. */
    private int row(long arrivalNs) {
        // in order even where the clock of the capture stepped back
        long atNs = count == 0 ? arrivalNs : Math.max(arrivalNs, arrivals[count - 1]);
        if (count > 0 && arrivals[count - 1] == atNs) {
            return (count - 1) * WIDTH;
        }
        if (count == LIMIT) {
            return -1;
        }
        if (count == arrivals.length) {
            arrivals = Arrays.copyOf(arrivals, 2 * count);
            rows = Arrays.copyOf(rows, 2 * count * WIDTH);
        }
        arrivals[count] = atNs;
        int row = count++ * WIDTH;
        Arrays.fill(rows, row, row + MOS_LQ, NONE);
        Arrays.fill(rows, row + MOS_LQ, row + WIDTH, VoipMetrics.UNAVAILABLE);
        return row;
    }

    /** What was reported from a time on and before another; null if nothing. */
    @Nullable
    ReceptionInterval between(long fromNs, long untilNs) {
        int reports = 0;
        int lost = NONE;
        int jitter = NONE;
        int discarded = NONE;
        int mosLq = VoipMetrics.UNAVAILABLE;
        int mosCq = VoipMetrics.UNAVAILABLE;
        int rFactor = VoipMetrics.UNAVAILABLE;
        for (int i = firstFrom(fromNs); i < count && arrivals[i] < untilNs; i++) {
            int row = i * WIDTH;
            reports++;
            lost = Math.max(lost, rows[row + LOST]);
            jitter = Math.max(jitter, rows[row + JITTER]);
            discarded = Math.max(discarded, rows[row + DISCARDED]);
            mosLq = Math.min(mosLq, rows[row + MOS_LQ]);
            mosCq = Math.min(mosCq, rows[row + MOS_CQ]);
            rFactor = Math.min(rFactor, rows[row + R_FACTOR]);
        }
        return reports == 0
                ? null
                : new ReceptionInterval(reports, percent(lost), jitter, percent(discarded), mosLq, mosCq, rFactor);
    }

    /** The first report at a time or later. */
    private int firstFrom(long fromNs) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = low + high >>> 1;
            if (arrivals[middle] < fromNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static double percent(int of256) {
        return of256 == NONE ? Double.NaN : of256 * 100.0 / 256;
    }
}
