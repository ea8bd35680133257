package io.offhook.cli.calls;

import io.offhook.calls.FarEnd;
import io.offhook.calls.StreamReport;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.packet.SafeText;
import io.offhook.report.StreamFields;
import io.offhook.report.text.Decimals;
import io.offhook.rtp.PlayoutSummary;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.quality.Quality;
import io.offhook.rtp.quality.Rating;
import io.offhook.rtp.tones.AudioKeys;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The table of a call's streams below its ladder. */
public final class StreamLines {
    private static final double HEARD_LOSS_PERCENT = 1;

    private StreamLines() {}

    public static void print(List<StreamReport> streams, Terminal terminal, boolean colored) throws IOException {
        if (streams.isEmpty()) {
            return;
        }
        Table table = new Table(List.of(
                Table.Column.text("Stream", 90, 11),
                Table.Column.text("Source", 55, 15),
                Table.Column.text("Destination", 55, 15),
                Table.Column.text("SSRC", 40, 10),
                Table.Column.text("Codec", 70, 4),
                Table.Column.number("Packets", 80),
                Table.Column.number("Lost", 85),
                Table.Column.number("Twice", 30),
                Table.Column.number("Late", 30),
                Table.Column.number("Too late", 74),
                Table.Column.number("Jitter ms", 75),
                Table.Column.number("Max", 35),
                Table.Column.number("Gap ms", 45),
                Table.Column.text("Digits", 50, 4),
                Table.Column.text("Far end", 20, 8)));
        for (StreamReport stream : streams) {
            add(table, stream);
        }
        table.print(terminal, colored);
        ratings(streams, terminal);
    }

    private static void add(Table table, StreamReport stream) {
        String direction = StreamFields.direction(stream);
        Table.Row row = table.row().cell(direction == null ? "" : direction);
        identity(row, stream);
        figures(row, stream).cell(digits(stream)).cell(farEnd(stream.farEnd()));
    }

    /** The cells that identify a stream: source, destination, SSRC, codec. */
    static Table.Row identity(Table.Row row, StreamReport stream) {
        return row.cell(stream.source().toString())
                .cell(stream.destination().toString())
                .cell(StreamFields.ssrc(stream))
                .cell(stream.codec() == null ? "type " + stream.payloadType() : stream.codec());
    }

    /** The cells of our own figures, from packets to the longest gap. */
    static Table.Row figures(Table.Row row, StreamReport stream) {
        RtpStream statistics = stream.statistics();
        PlayoutSummary playout = stream.playout();
        boolean isTimed = statistics.isJitterKnown();
        return row.cell(Decimals.grouped(statistics.packets()))
                .cell(
                        lost(statistics.lost(), statistics.lostPercent()),
                        statistics.lostPercent() >= HEARD_LOSS_PERCENT ? Style.BAD : Style.PLAIN)
                .cell(Decimals.grouped(statistics.duplicates()))
                .cell(Decimals.grouped(statistics.reordered() + statistics.late()))
                .cell(
                        playout == null ? "" : lost(playout.discarded(), playout.discardPercent()),
                        playout != null && playout.discardPercent() >= HEARD_LOSS_PERCENT ? Style.BAD : Style.PLAIN)
                .cell(isTimed ? Decimals.text(statistics.meanJitterMs(), 2) : "")
                .cell(isTimed ? Decimals.text(statistics.maxJitterMs(), 2) : "")
                .cell(Decimals.text(statistics.maxDeltaMs(), 1));
    }

    /** "12 (0.4 %)". */
    static String lost(long lost, double percent) {
        return Decimals.grouped(lost) + " (" + Decimals.text(percent, 1) + " %)";
    }

    /** The DTMF digits of a stream, "12#, 4 in the audio"; empty if there are none or they cannot be decoded. */
    public static String digits(StreamReport stream) {
        String digits = stream.digits();
        String events = digits == null ? "" : digits;
        AudioKeys keys = stream.audioKeys();
        if (keys == null || keys.keys().isEmpty()) {
            return events;
        }
        String more = keys.dropped() == 0 ? "" : " and " + Decimals.grouped(keys.dropped()) + " more";
        return (events.isEmpty() ? "" : events + ", ") + keys.digits() + more + " in the audio";
    }

    private static String farEnd(@Nullable FarEnd farEnd) {
        if (farEnd == null) {
            return "";
        }
        List<String> words = new ArrayList<>();
        words.add(Decimals.text(farEnd.lostPercent(), 1) + " % lost");
        if (Double.isFinite(farEnd.jitterMs())) {
            words.add("jitter " + Decimals.text(farEnd.jitterMs(), 1) + " ms");
        }
        if (Double.isFinite(farEnd.roundTripMs())) {
            words.add("round trip " + Decimals.text(farEnd.roundTripMs(), 0) + " ms");
        }
        return String.join(", ", words);
    }

    /** "MOS 3.16 nb (...); played from an adaptive buffer of 120 ms: 3 (0.8 %) too late; by the loss of the network alone MOS 3.29 nb". */
    private static String rating(StreamReport stream) {
        String shown = switch (stream.shownRating()) {
            case Quality quality -> quality.toString();
            case Rating.Unrated unrated -> "no MOS, " + unrated.reason();
        };
        PlayoutSummary playout = stream.playout();
        if (playout == null) {
            return shown;
        }
        String buffer = playout.buffer().kind().name().toLowerCase(Locale.ROOT);
        String late = lost(playout.discarded(), playout.discardPercent());
        String alone = stream.rating() instanceof Quality quality
                ? "; by the loss of the network alone MOS " + (quality.isEstimate() ? "~" : "")
                        + Decimals.text(quality.mos(), 2) + " "
                        + quality.scale().abbreviation()
                : "";
        return shown + "; " + buffer + " buffer of "
                + Decimals.text(playout.buffer().sizeMs(), 0) + " ms, " + late + " too late" + alone;
    }

    /** Prints the MOS of each stream with its inputs, or the reason why there is none. */
    private static void ratings(List<StreamReport> streams, Terminal terminal) throws IOException {
        Writer out = terminal.out();
        int width = terminal.helpWidth();
        for (StreamReport stream : streams) {
            String direction = StreamFields.direction(stream);
            String subject = (direction == null ? "" : direction + " ") + StreamFields.ssrc(stream) + ": ";
            for (String line : Text.wrap(SafeText.safe(subject + rating(stream)), width)) {
                out.append(line).append('\n');
            }
        }
    }
}
