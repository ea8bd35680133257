package io.offhook.cli.screen;

import io.offhook.calls.RatedInterval;
import io.offhook.calls.StreamReport;
import io.offhook.cli.calls.CallsTable;
import io.offhook.cli.calls.StreamLines;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;
import io.offhook.report.StreamFields;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import io.offhook.rtp.PlayoutSummary;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.StreamInterval;
import io.offhook.rtp.quality.Quality;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A stream as its page shows it: what it is, its figures, and its intervals over time. Made at once, as the statistics of a call
 * that goes on keep changing.
 *
 * @param head what it is: direction, SSRC, codec, addresses
 * @param figures in one sentence each
 * @param rows what is drawn over time
 * @param seconds from the first interval to the end of the last
 */
record StreamPicture(String head, List<String> figures, List<Row> rows, long seconds) {
    private static final double BEST_MOS = 4.5;
    private static final double WORST_MOS = 1;
    private static final int LABEL_WIDTH = 16;
    private static final int RANGE_WIDTH = 22;
    private static final int WIDEST_INTERVAL = 8;

    /**
     * Values over time.
     *
     * @param label what they are
     * @param values one each interval; NaN for none
     * @param isLowWorse whether low ones are bad
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Row(String label, double[] values, boolean isLowWorse) {}

    /** Takes over what is shown of a stream. */
    static StreamPicture of(StreamReport stream) {
        String direction = StreamFields.direction(stream);
        String codec = stream.codec() == null ? "type " + stream.payloadType() : Text.printable(stream.codec());
        String head = (direction == null ? "" : direction + "  ") + codec + "  " + stream.source() + " -> "
                + stream.destination() + "  " + StreamFields.ssrc(stream);
        List<RatedInterval> intervals = List.copyOf(stream.intervals());
        List<Row> rows = new ArrayList<>();
        if (!intervals.isEmpty()) {
            rows.add(row("Lost %", intervals, rated -> percent(rated.interval().lost(), rated.interval())));
            rows.add(row(
                    "Too late %", intervals, rated -> percent(rated.interval().discarded(), rated.interval())));
            rows.add(row("Jitter ms", intervals, StreamPicture::jitterMs));
            double[] mos = values(intervals, StreamPicture::mos);
            rows.add(new Row("MOS", mos, true));
        }
        long ns = 0;
        if (!intervals.isEmpty()) {
            StreamInterval last = intervals.getLast().interval();
            ns = last.startNs()
                    + last.durationNs()
                    - intervals.getFirst().interval().startNs();
        }
        return new StreamPicture(head, figures(stream), List.copyOf(rows), Math.round(ns / 1e9));
    }

    private static Row row(String label, List<RatedInterval> intervals, ToDoubleFunction<RatedInterval> value) {
        return new Row(label, values(intervals, value), false);
    }

    private static double[] values(List<RatedInterval> intervals, ToDoubleFunction<RatedInterval> value) {
        return intervals.stream().mapToDouble(value).toArray();
    }

    private static double percent(long part, StreamInterval interval) {
        return interval.expected() == 0 ? Double.NaN : 100.0 * part / interval.expected();
    }

    private static double jitterMs(RatedInterval rated) {
        StreamInterval.Figures figures = rated.interval().figures();
        return figures == null ? Double.NaN : figures.maxJitterMs();
    }

    private static double mos(RatedInterval rated) {
        return rated.rating() instanceof Quality quality ? quality.mos() : Double.NaN;
    }

    private static List<String> figures(StreamReport stream) {
        RtpStream statistics = stream.statistics();
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(Words.count(statistics.packets(), "packet"))
                .append(", ")
                .append(Decimals.grouped(statistics.lost()))
                .append(" lost (")
                .append(Decimals.text(statistics.lostPercent(), 1))
                .append(" %), ")
                .append(Decimals.grouped(statistics.duplicates()))
                .append(" twice, ")
                .append(Decimals.grouped(statistics.reordered() + statistics.late()))
                .append(" late");
        if (statistics.isJitterKnown()) {
            line.append(", jitter ")
                    .append(Decimals.text(statistics.meanJitterMs(), 1))
                    .append(" ms, at most ")
                    .append(Decimals.text(statistics.maxJitterMs(), 1))
                    .append(" ms");
        }
        lines.add(line.toString());
        PlayoutSummary playout = stream.playout();
        if (playout != null) {
            lines.add("the jitter buffer threw away " + Decimals.grouped(playout.discarded()) + " ("
                    + Decimals.text(playout.discardPercent(), 1) + " %), which came too late to be played");
        }
        Quality quality = stream.quality();
        if (quality != null) {
            lines.add("MOS " + CallsTable.mos(quality));
        }
        String digits = StreamLines.digits(stream);
        if (!digits.isEmpty()) {
            lines.add("keys " + Text.printable(digits));
        }
        return List.copyOf(lines);
    }

    /** The lines of the page, with escape sequences of {@link Style#append}. */
    List<String> lines(int width, boolean unicode) {
        List<String> lines = new ArrayList<>();
        lines.add(styled(Style.HEADING, Text.cut(head, width, unicode ? "…" : "~")));
        for (String figure : figures) {
            for (String part : Text.wrap(figure, width - 2)) {
                lines.add("  " + part);
            }
        }
        int room = Math.max(1, width - LABEL_WIDTH - RANGE_WIDTH);
        for (Row row : rows) {
            lines.add(line(row, room, unicode));
        }
        if (!rows.isEmpty()) {
            int drawn = drawn(rows.getFirst().values().length, room);
            String end = Times.duration(seconds * 1_000_000_000L);
            lines.add(styled(
                    Style.FAINT,
                    " ".repeat(LABEL_WIDTH) + "0" + " ".repeat(Math.max(1, drawn - 1 - end.length())) + end));
        }
        return lines;
    }

    private static int drawn(int values, int room) {
        return Math.min(room, values * Math.clamp(room / Math.max(1, values), 1, WIDEST_INTERVAL));
    }

    private String line(Row row, int room, boolean unicode) {
        double low = row.isLowWorse() ? WORST_MOS : 0;
        double high = row.isLowWorse() ? BEST_MOS : greatest(row.values());
        double[] widened = widened(row.values(), room);
        String drawn = Sparkline.of(widened, room, low, high, row.isLowWorse(), unicode);
        StringBuilder line = new StringBuilder("  ");
        Style.FAINT.append(line, row.label(), true);
        line.repeat(' ', Math.max(1, LABEL_WIDTH - 2 - row.label().length()));
        boolean isBad =
                row.isLowWorse() ? least(row.values()) < 3.6 : !row.label().startsWith("Jitter") && high > 0;
        (isBad ? Style.BAD : Style.GOOD).append(line, drawn, true);
        line.append(' ').append(range(row));
        return line.toString();
    }

    /** Few intervals are drawn several signs wide. */
    private static double[] widened(double[] values, int room) {
        int each = values.length == 0 ? 1 : Math.clamp(room / values.length, 1, WIDEST_INTERVAL);
        double[] widened = new double[values.length * each];
        for (int i = 0; i < widened.length; i++) {
            widened[i] = values[i / each];
        }
        return widened;
    }

    private static String range(Row row) {
        double least = least(row.values());
        double greatest = greatest(row.values());
        if (Double.isNaN(least) || Double.isNaN(greatest)) {
            return "unknown";
        }
        return Decimals.text(least, 1) + " to " + Decimals.text(greatest, 1);
    }

    private static double least(double[] values) {
        double least = Double.NaN;
        for (double value : values) {
            least = Double.isNaN(least) || value < least ? value : least;
        }
        return least;
    }

    private static double greatest(double[] values) {
        double greatest = Double.NaN;
        for (double value : values) {
            greatest = Double.isNaN(greatest) || value > greatest ? value : greatest;
        }
        return greatest;
    }

    private static String styled(Style style, String text) {
        StringBuilder line = new StringBuilder();
        style.append(line, text, true);
        return line.toString();
    }
}
