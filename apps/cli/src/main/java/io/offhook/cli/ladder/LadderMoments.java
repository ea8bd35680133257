package io.offhook.cli.ladder;

import io.offhook.calls.RatedInterval;
import io.offhook.calls.StreamReport;
import io.offhook.cli.terminal.Style;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import io.offhook.rtp.ReceptionInterval;
import io.offhook.rtp.StreamInterval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What happened to media between the messages of a ladder: stretches that lost packets, what far ends reported by RTCP, and
 * where a stream ended. Known to the five seconds of an interval.
 */
final class LadderMoments {
    /** Further ones are left to the page of the stream. */
    private static final int MOST_A_STREAM = 40;

    private LadderMoments() {}

    /** The ladder with those rows; their times put them in place. */
    static Ladder in(Ladder ladder, List<StreamReport> streams, LadderColumns columns) {
        List<LadderRow> added = new ArrayList<>();
        for (StreamReport stream : streams) {
            List<LadderRow> rows = new ArrayList<>();
            for (RatedInterval rated : stream.intervals()) {
                lost(rows, stream, rated.interval(), columns);
                reported(rows, stream, rated, columns);
            }
            added.addAll(rows.size() > MOST_A_STREAM ? rows.subList(0, MOST_A_STREAM) : rows);
            added.add(end(stream, columns));
        }
        added.sort(Comparator.comparingLong(LadderRow::timestampNs));
        return new Ladder(columns.names(), merged(ladder.rows(), added));
    }

    /** Added rows come before the first row that is later; the order of the others stays. */
    private static List<LadderRow> merged(List<LadderRow> rows, List<LadderRow> added) {
        List<LadderRow> merged = new ArrayList<>(rows.size() + added.size());
        int next = 0;
        for (LadderRow row : rows) {
            while (next < added.size() && added.get(next).timestampNs() < row.timestampNs()) {
                merged.add(added.get(next++));
            }
            merged.add(row);
        }
        merged.addAll(added.subList(next, added.size()));
        return merged;
    }

    private static void lost(
            List<LadderRow> rows, StreamReport stream, StreamInterval interval, LadderColumns columns) {
        if (interval.lost() + interval.discarded() == 0) {
            return;
        }
        List<String> figures = new ArrayList<>();
        if (interval.lost() > 0) {
            figures.add(Decimals.grouped(interval.lost()) + " lost");
        }
        if (interval.discarded() > 0) {
            figures.add(Decimals.grouped(interval.discarded()) + " too late");
        }
        String label = String.join(", ", figures) + " in " + Decimals.shortest(interval.durationNs() / 1e9, 1) + " s";
        rows.add(row(stream, interval.startNs(), label, Style.BAD, columns));
    }

    private static void reported(
            List<LadderRow> rows, StreamReport stream, RatedInterval rated, LadderColumns columns) {
        ReceptionInterval farEnd = rated.farEnd();
        if (farEnd == null || Double.isNaN(farEnd.lostPercent())) {
            return;
        }
        boolean isBad = farEnd.lostPercent() >= 1;
        String label = "RTCP: far end lost " + Decimals.text(farEnd.lostPercent(), 1) + " %";
        long atNs = rated.interval().startNs() + rated.interval().durationNs();
        // what the receiver says goes the other way
        rows.add(new LadderRow(
                0,
                atNs,
                columns.ofMedia(stream.destination()),
                columns.ofMedia(stream.source()),
                true,
                label,
                isBad ? Style.BAD : Style.FAINT,
                List.of()));
    }

    private static LadderRow end(StreamReport stream, LadderColumns columns) {
        String label = "RTP ends after " + Words.count(stream.statistics().packets(), "packet");
        return row(stream, stream.statistics().lastNs(), label, Style.FAINT, columns);
    }

    private static LadderRow row(StreamReport stream, long atNs, String label, Style style, LadderColumns columns) {
        return new LadderRow(
                0,
                atNs,
                columns.ofMedia(stream.source()),
                columns.ofMedia(stream.destination()),
                true,
                label,
                style,
                List.of());
    }
}
