package io.offhook.cli.calls;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallReport;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.CaptureFields;
import io.offhook.cli.input.CaptureSummary;
import io.offhook.cli.input.FrameFilter;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.report.fields.CsvColumns;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.FieldWriter;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.io.Writer;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** {@code offhook info FILE...}: summarises each file. With a filter, only files with a selected call are listed. */
public final class InfoCommand implements Command {
    /** Size below which starting further lanes takes longer than they save. */
    private static final long SMALL_FILE_BYTES = 8 << 20;

    /** A file and its analysis. */
    private record Line(
            CaptureFile file, CaptureReport capture, int calls, int registrations, List<CaptureFault> faults) {}

    @Override
    public void describe(CommandSpec spec) {
        InputOptions.describeFiles(spec, 0);
        InputOptions.describeFilter(spec);
        CallFilter.describe(spec);
        KeyOptions.describe(spec);
        OutputOptions.describe(spec);
        InputOptions.describeHeuristic(spec);
        InputOptions.describeLanes(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        CallFilter filter = CallFilter.of(arguments);
        FrameFilter frames = InputOptions.filter(arguments);
        AnalysisOptions options = InputOptions.analysis(arguments);
        List<String> paths = CaptureFiles.expand(InputOptions.files(arguments, 0));
        List<Line> lines = new ArrayList<>();
        List<CaptureFault> faults = new ArrayList<>();
        AtomicInteger done = new AtomicInteger();
        RuntimeException defect = null;
        try (Progress _ =
                Progress.of(() -> "  " + done.get() + " of " + Words.count(paths.size(), "file") + " ", terminal)) {
            for (String path : paths) {
                try (KeyOptions keys = KeyOptions.of(arguments, List.of(path));
                        OpenCapture input = OpenCapture.open(List.of(path), frames, terminal)) {
                    AnalysisOptions fitting = fitting(options, input.size());
                    AnalysisResult result = Analysis.run(input.source(), keys == null ? fitting : keys.in(fitting));
                    faults.addAll(input.faults());
                    defect = defect == null ? result.defect() : defect;
                    if (isWanted(result, filter)) {
                        lines.add(line(result, input));
                    }
                }
                done.incrementAndGet();
            }
        }
        switch (output.format()) {
            case TABLE -> table(lines, paths.size(), output, terminal);
            case JSON -> json(lines, terminal);
            case CSV -> csv(lines, terminal);
        }
        terminal.flush();
        // faults count for files that the filter excluded, too
        return OpenCapture.report(faults, defect, ExitCode.DONE, terminal);
    }

    private static AnalysisOptions fitting(AnalysisOptions options, long size) {
        return size >= 0 && size < SMALL_FILE_BYTES ? options.withLanes(1) : options;
    }

    private static Line line(AnalysisResult result, OpenCapture input) {
        return new Line(
                input.files().getFirst(),
                result.capture(),
                result.calls().size(),
                result.registrations().size(),
                input.faults());
    }

    private static boolean isWanted(AnalysisResult result, CallFilter filter) {
        if (filter.isOpen()) {
            return true;
        }
        filter.beginningAt(result.capture().firstNs());
        for (CallReport call : result.calls()) {
            if (filter.matches(call)) {
                return true;
            }
        }
        return false;
    }

    private static void json(List<Line> lines, Terminal terminal) throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().array("files");
            for (Line line : lines) {
                json.line().object();
                write(json, line);
                CaptureFields.counters(json, line.capture().counters());
                CaptureFields.losses(json, line.capture().losses());
                CaptureFields.encryptedSignalling(json, line.capture().encryptedSignalling());
                CaptureFields.faults(json, line.faults());
                json.end();
            }
            json.line().end().end();
        }
    }

    private static void csv(List<Line> lines, Terminal terminal) throws IOException {
        CsvFields csv = terminal.csv(CsvColumns.FILE);
        for (Line line : lines) {
            write(csv, line);
            csv.array("counters");
            for (CaptureReport.Counter counter : line.capture().counters()) {
                csv.object()
                        .field("name", counter.name())
                        .field("count", counter.count())
                        .end();
            }
            csv.end().array("faults");
            line.faults().forEach(fault -> csv.element(fault.describe()));
            csv.end();
            csv.endRecord();
        }
    }

    private static void write(FieldWriter out, Line line) {
        CaptureFields.file(out, line.file());
        out.field("packets", line.capture().packets());
        CaptureFields.content(out, line.capture());
        out.field("calls", line.calls()).field("registrations", line.registrations());
    }

    private static void table(List<Line> lines, int files, OutputOptions output, Terminal terminal) throws IOException {
        boolean colored = terminal.isColored(output.color());
        if (lines.size() == 1) {
            one(lines.getFirst(), output.times(), terminal, colored);
            return;
        }
        Table table = new Table(List.of(
                Table.Column.text("File", 100, 12),
                Table.Column.text("Format", 40, 8),
                Table.Column.text("Link types", 30, 8),
                Table.Column.number("Packets", 90),
                Table.Column.text("Begins", 52, 10),
                Table.Column.number("Span", 50),
                Table.Column.number("SIP", 80),
                Table.Column.number("Calls", 85),
                Table.Column.number("RTP", 56)));
        long packets = 0;
        long calls = 0;
        for (Line line : lines) {
            CaptureReport capture = line.capture();
            packets += capture.packets();
            calls += line.calls();
            boolean empty = capture.packets() == 0;
            table.row()
                    .cell(line.file().path(), line.faults().isEmpty() ? Style.PLAIN : Style.BAD)
                    .cell(format(line.file()))
                    .cell(linkTypes(capture))
                    .cell(Decimals.grouped(capture.packets()))
                    .cell(empty ? "" : dateTime(capture.firstNs(), output.times()))
                    .cell(empty ? "" : CaptureSummary.span(capture.durationNs()))
                    .cell(Decimals.grouped(capture.sipRequests() + capture.sipResponses()))
                    .cell(Decimals.grouped(line.calls()))
                    .cell(Decimals.grouped(capture.rtpPackets()));
        }
        table.print(terminal, colored);
        String shown = lines.size() == files ? "" : Decimals.grouped(lines.size()) + " of ";
        terminal.out()
                .append("\n" + shown + Words.count(files, "file") + ", " + Words.count(packets, "packet") + ", "
                        + Words.count(calls, "call") + ".\n");
    }

    private static String format(CaptureFile file) {
        String format = file.format() == null ? "unknown" : file.format().label();
        return file.compression() == CaptureCompression.NONE
                ? format
                : format + " in " + file.compression().label();
    }

    private static String linkTypes(CaptureReport capture) {
        List<String> names = new ArrayList<>();
        capture.linkTypes().forEach(linkType -> names.add(LinkType.name(linkType)));
        return String.join(", ", names);
    }

    private static String dateTime(long ns, Times times) {
        LocalDate date = times.date(ns);
        return date + " " + times.timeOfDay(ns);
    }

    /** Prints a single file in full, one line per property. */
    private static void one(Line line, Times times, Terminal terminal, boolean colored) throws IOException {
        CaptureReport capture = line.capture();
        Lines out = new Lines(terminal.out(), colored);
        out.add("File", line.file().path());
        out.add("Format", format(line.file()));
        if (line.file().sizeBytes() >= 0) {
            out.add("Size", Progress.bytes(line.file().sizeBytes()));
        }
        if (capture.packets() == 0 && !line.faults().isEmpty()) {
            return;
        }
        out.add("Link types", linkTypes(capture));
        out.add("Packets", Decimals.grouped(capture.packets()) + ", " + Progress.bytes(capture.bytes()));
        if (capture.packets() > 0) {
            out.add("Begins", times.timeOfDayMicros(capture.firstNs()) + ", " + times.dateLine(capture.firstNs()));
            out.add("Ends", times.timeOfDayMicros(capture.lastNs()) + ", " + times.dateLine(capture.lastNs()));
            out.add("Span", CaptureSummary.span(capture.durationNs()));
        }
        out.add(
                "SIP",
                Words.count(capture.sipRequests(), "request") + ", " + Words.count(capture.sipResponses(), "response")
                        + ", " + Words.count(capture.callIds(), "Call-ID"));
        out.add("Calls", Decimals.grouped(line.calls()));
        out.add("Registrations", Decimals.grouped(line.registrations()));
        out.add(
                "RTP",
                Words.count(capture.rtpPackets(), "packet") + ", RTCP " + Words.count(capture.rtcpPackets(), "packet"));
        if (!capture.encryptedSignalling().isEmpty()) {
            out.add("Encrypted", CaptureSummary.encryptedSignalling(capture));
        }
        for (CaptureReport.Counter counter : capture.counters()) {
            out.add(Words.ofCamelCase(counter.name()), CaptureSummary.count(counter, times));
        }
    }

    /** Prints "Name      text" lines. */
    private record Lines(Writer out, boolean colored) {
        private static final int NAME_COLUMNS = 16;

        void add(String name, String text) throws IOException {
            StringBuilder line = new StringBuilder();
            Style.HEADING.append(line, name, colored);
            line.repeat(' ', Math.max(1, NAME_COLUMNS - name.length())).append(Text.printable(text));
            out.append(line).append('\n');
        }
    }
}
