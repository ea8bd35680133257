package io.offhook.rtp.figures;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the receiver of a stream reports about it, as {@code io.offhook.rtp.ReceptionSummary} has it.
 *
 * @param subject what it is about
 * @param lost by its report blocks
 * @param jitter by its report blocks
 * @param received highest sequence numbers, report by report
 * @param metrics the last VoIP metrics; null if there were none
 * @param worst of all VoIP metrics
 * @param history reports one by one; null if only totals are kept
 */
public record ReceptionFigures(
        Subject subject,
        Lost lost,
        Jitter jitter,
        ParticipantFigures.Counted received,
        @Nullable MetricsFigures metrics,
        Worst worst,
        @Nullable History history) {

    /** The same without the reports that another update had, joined with those. */
    ReceptionFigures behind(List<Report> earlier) {
        History later = history;
        if (later == null || later.from() == 0 && earlier.isEmpty()) {
            return this;
        }
        List<Report> all = new ArrayList<>(earlier.size() + later.reports().size());
        long fromNs = later.from() == 0
                ? Long.MIN_VALUE
                : later.reports().isEmpty()
                        ? Long.MAX_VALUE
                        : later.reports().getFirst().atNs();
        for (Report report : earlier) {
            if (report.atNs() < fromNs) {
                all.add(report);
            }
        }
        all.addAll(later.reports());
        return withHistory(new History(0, all));
    }

    private ReceptionFigures withHistory(History other) {
        return new ReceptionFigures(subject, lost, jitter, received, metrics, worst, other);
    }

    /**
     * A stream and who reports on it.
     *
     * @param ssrc of the stream, 32 bits, unsigned
     * @param reporterSsrc of the last reporter, likewise
     * @param firstNs the first report, nanoseconds since the epoch
     * @param lastNs the last report
     */
    public record Subject(long ssrc, long reporterSsrc, long firstNs, long lastNs) {}

    /**
     * Losses by report blocks.
     *
     * @param reports how many blocks
     * @param fraction of the last one, in 1/256
     * @param maxFraction the highest
     * @param fractionSum of all
     * @param cumulative packets, by the last one
     * @param highestNumber of the last one: cycles, and the sequence number in the lower 16 bits
     */
    public record Lost(
            long reports, int fraction, int maxFraction, long fractionSum, int cumulative, long highestNumber) {}

    /**
     * Jitter by report blocks, in ticks of the stream's clock.
     *
     * @param last of the last one
     * @param max the highest
     * @param sum of all
     */
    public record Jitter(long last, long max, double sum) {}

    /**
     * The lowest of all VoIP metrics; 127 if there is none.
     *
     * @param mosLq listening quality, times ten
     * @param mosCq conversational quality, times ten
     * @param rFactor 0 to 100
     */
    public record Worst(int mosLq, int mosCq, int rFactor) {}

    /**
     * Reports one by one.
     *
     * @param from the index of the first one here; if it is 0, these are all
     * @param reports by time, each later than the one before
     */
    public record History(int from, List<Report> reports) {
        /** Copies the list. */
        public History {
            reports = List.copyOf(reports);
        }
    }

    /**
     * What one packet reported.
     *
     * @param atNs its arrival, nanoseconds since the epoch
     * @param lost in 1/256; -1 without a report block
     * @param jitter in ticks; -1 likewise
     * @param discarded in 1/256; -1 without VoIP metrics
     * @param mosLq times ten; 127 if there is none
     * @param mosCq likewise
     * @param rFactor 0 to 100; 127 if there is none
     */
    public record Report(long atNs, int lost, int jitter, int discarded, int mosLq, int mosCq, int rFactor) {}
}
