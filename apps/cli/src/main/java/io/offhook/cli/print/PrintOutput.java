package io.offhook.cli.print;

import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.terminal.AddressColumns;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.packet.fields.PacketDump;
import io.offhook.packet.fields.PacketSummary;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.report.fields.CsvFields;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** Packets in one of the formats of {@code offhook print}, written as they arrive. */
sealed interface PrintOutput {

    /** Writes one packet. */
    void print(PrintedFrame frame, PacketWalker walker, PacketSummary summary) throws IOException;

    /** Passes buffered output on, because the next packet may take long to arrive. */
    default void flush() {}

    /** Ends the output and writes what is buffered; the caller flushes the terminal. */
    void end();

    /** Lines for people, each optionally followed by all fields or the bytes. */
    final class Lines implements PrintOutput {
        private static final int NUMBER_WIDTH = 6;
        private static final int PROTOCOL_WIDTH = 5;
        /** The number, the time, the arrow, the protocol, and a few columns of what follows. */
        private static final int WITHOUT_ADDRESSES = 43;
        /** Narrower lines lack microseconds and length. */
        private static final int WIDTH_WITH_LENGTH = 90;

        private final Writer out;
        private final OutputOptions options;
        private final boolean isVerbose;
        private final boolean isHex;
        private final boolean colored;
        private final boolean isUnicode;
        private final int width;
        private final AddressColumns addresses;
        private final PacketDump dump = new PacketDump();
        private final StringBuilder text = new StringBuilder(512);
        private final PrintFields fields;

        Lines(Terminal terminal, OutputOptions options, boolean isVerbose, boolean isHex) {
            this.out = terminal.out();
            this.options = options;
            this.isVerbose = isVerbose;
            this.isHex = isHex;
            this.colored = terminal.isColored(options.color());
            this.isUnicode = terminal.isUnicode();
            this.width = terminal.width();
            addresses = new AddressColumns(width - WITHOUT_ADDRESSES, isUnicode);
            fields = new PrintFields(text, colored, terminal.isUnicode());
        }

        @Override
        public void print(PrintedFrame frame, PacketWalker walker, PacketSummary summary) throws IOException {
            text.setLength(0);
            line(frame, summary);
            if (isVerbose) {
                dump.describe(walker, summary, fields);
            }
            if (isHex) {
                PrintHex.append(text, walker.segment(), walker.frameOffset(), frame.capturedLength());
            }
            if (isVerbose || isHex) {
                text.append('\n');
            }
            out.append(text);
        }

        private void line(PrintedFrame frame, PacketSummary summary) {
            boolean isWide = width >= WIDTH_WITH_LENGTH;
            right(Long.toString(frame.number()), NUMBER_WIDTH);
            text.append("  ")
                    .append(
                            isWide
                                    ? options.times().timeOfDayMicros(frame.timestampNs())
                                    : options.times().timeOfDay(frame.timestampNs()))
                    .append("  ");
            addresses.append(text, summary.source(), summary.destination());
            text.append("  ");
            int start = text.length();
            text.append(summary.protocol())
                    .repeat(' ', Math.max(0, PROTOCOL_WIDTH - summary.protocol().length()));
            if (isWide) {
                right(Integer.toString(frame.wireLength()), 5);
            }
            text.append("  ");
            int room = width - text.length();
            if (colored) {
                StringBuilder protocol = new StringBuilder();
                style(summary.protocol()).append(protocol, summary.protocol(), true);
                text.replace(start, start + summary.protocol().length(), protocol.toString());
            }
            if (!isVerbose && room < summary.info().length()) {
                text.append(Text.cut(summary.info().toString(), Math.max(4, room), isUnicode ? "…" : "~"));
            } else {
                text.append(summary.info());
            }
            text.append('\n');
        }

        private static Style style(String protocol) {
            return switch (protocol) {
                case "SIP" -> Style.HEADING;
                case "RTCP" -> Style.NOTE;
                case "ICMP", "ICMPv6" -> Style.WARNING;
                default -> Style.PLAIN;
            };
        }

        private void right(String cell, int columns) {
            text.repeat(' ', Math.max(0, columns - cell.length())).append(cell);
        }

        @Override
        public void end() {
            // the lines are out
        }
    }

    /** One JSON object per line, with all layers. */
    final class Json implements PrintOutput {
        private final PrintJson json;
        private final PacketDump dump = new PacketDump();

        Json(Terminal terminal, boolean withPayload) throws IOException {
            json = new PrintJson(terminal.bytes(), withPayload, terminal.timeForm());
        }

        @Override
        public void print(PrintedFrame frame, PacketWalker walker, PacketSummary summary) {
            json.begin(frame, summary);
            dump.describe(walker, summary, json);
            json.end(PrintCommand.stopLabel(walker));
        }

        @Override
        public void flush() {
            json.flush();
        }

        @Override
        public void end() {
            json.close();
        }
    }

    /** CSV, with the columns of a line. */
    final class Csv implements PrintOutput {
        private final CsvFields csv;

        Csv(Terminal terminal) throws IOException {
            csv = terminal.csv(List.of("frame", "time", "source", "destination", "protocol", "length", "info"));
        }

        @Override
        public void print(PrintedFrame frame, PacketWalker walker, PacketSummary summary) throws IOException {
            csv.field("frame", frame.number());
            csv.time("time", frame.timestampNs());
            csv.field("source", summary.source());
            csv.field("destination", summary.destination());
            csv.field("protocol", summary.protocol());
            csv.field("length", frame.wireLength());
            csv.field("info", summary.info().toString());
            csv.endRecord();
        }

        @Override
        public void end() {
            // the lines are out
        }
    }
}
