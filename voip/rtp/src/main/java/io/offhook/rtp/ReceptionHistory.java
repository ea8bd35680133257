package io.offhook.rtp;

import io.offhook.rtp.figures.ReceptionFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

    /** The reports as figures have them. */
    static ReceptionHistory of(ReceptionFigures.History figures) {
        ReceptionHistory history = new ReceptionHistory();
        int reports = Math.min(figures.reports().size(), LIMIT);
        history.arrivals = new long[reports];
        history.rows = new int[reports * WIDTH];
        for (ReceptionFigures.Report report : figures.reports().subList(0, reports)) {
            int row = history.count * WIDTH;
            history.arrivals[history.count++] = report.atNs();
            history.rows[row + LOST] = report.lost();
            history.rows[row + JITTER] = report.jitter();
            history.rows[row + DISCARDED] = report.discarded();
            history.rows[row + MOS_LQ] = report.mosLq();
            history.rows[row + MOS_CQ] = report.mosCq();
            history.rows[row + R_FACTOR] = report.rFactor();
        }
        return history;
    }

    /** @param from the first report that is wanted, 0 to {@link #count} */
    ReceptionFigures.History figures(int from) {
        List<ReceptionFigures.Report> reports = new ArrayList<>(count - from);
        for (int i = from; i < count; i++) {
            int row = i * WIDTH;
            reports.add(new ReceptionFigures.Report(
                    arrivals[i],
                    rows[row + LOST],
                    rows[row + JITTER],
                    rows[row + DISCARDED],
                    rows[row + MOS_LQ],
                    rows[row + MOS_CQ],
                    rows[row + R_FACTOR]));
        }
        return new ReceptionFigures.History(from, reports);
    }

    /** The reports that are kept. */
    int count() {
        return count;
    }

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
