package io.offhook.rtp;

import io.offhook.rtp.figures.ParticipantFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A count that RTCP reports again and again, by time: packets sent (SR), or the highest sequence number received (RR).
 * Holds {@value #LIMIT} reports; beyond that every second one is dropped, and later ones are thinned likewise.
 *
 * <p>Owned by its {@link RtcpReports}; single-threaded.
 */
public final class ReportedCounts {
    /** The most reports kept. */
    public static final int LIMIT = 256;

    private long startNs;
    /** Milliseconds since the first report, and the count, in turn. */
    private int[] reports = {};

    private int end;
    private int step = 1;
    private int seen;

    ReportedCounts() {}

    /** The counts as figures have them, to which none may be added. */
    static ReportedCounts of(ParticipantFigures.Counted figures) {
        ReportedCounts counts = new ReportedCounts();
        counts.startNs = figures.startNs();
        counts.reports = new int[2 * figures.reports().size()];
        for (ParticipantFigures.CountAt report : figures.reports()) {
            counts.reports[counts.end++] = report.ms();
            counts.reports[counts.end++] = report.count();
        }
        return counts;
    }

    ParticipantFigures.Counted figures() {
        List<ParticipantFigures.CountAt> all = new ArrayList<>(end / 2);
        for (int i = 0; i < end; i += 2) {
            all.add(new ParticipantFigures.CountAt(reports[i], reports[i + 1]));
        }
        return new ParticipantFigures.Counted(startNs, all);
    }

    void add(long arrivalNs, long count) {
        if (seen == 0) {
            startNs = arrivalNs;
        }
        if (seen++ % step != 0) {
            return;
        }
        if (end == 2 * LIMIT) {
            thinOut();
            if ((seen - 1) % step != 0) {
                return;
            }
        }
        if (end == reports.length) {
            reports = Arrays.copyOf(reports, Math.max(8, end * 2));
        }
        reports[end] = Math.clamp((arrivalNs - startNs) / 1_000_000, 0, Integer.MAX_VALUE);
        reports[end + 1] = (int) count;
        end += 2;
    }

    private void thinOut() {
        for (int i = 0; i < LIMIT / 2; i++) {
            reports[2 * i] = reports[4 * i];
            reports[2 * i + 1] = reports[4 * i + 1];
        }
        end = LIMIT;
        step *= 2;
    }

    /**
     * By how much the count grew from the first to the last report between two times, modulo 2^32.
     *
     * @param fromNs nanoseconds since the epoch
     * @param untilNs nanoseconds since the epoch
     * @return -1 with fewer than two reports
     */
    public long growth(long fromNs, long untilNs) {
        int first = -1;
        int last = -1;
        for (int i = 0; i < end; i += 2) {
            long atNs = startNs + reports[i] * 1_000_000L;
            if (atNs >= fromNs && atNs <= untilNs) {
                first = first < 0 ? i : first;
                last = i;
            }
        }
        return first == last ? -1 : reports[last + 1] - reports[first + 1] & 0xffff_ffffL;
    }
}
