package io.offhook.cli.capture;

import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.input.CaptureFields;
import io.offhook.cli.input.LaneOptions;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.live.LanePlacement;
import io.offhook.live.LiveCounts;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureCompression;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.FieldWriter;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.List;

/** Prints the final report of {@code offhook capture} as text, JSON or CSV. */
public final class CaptureStatisticsOutput {
    /** The columns of CSV. */
    public static final List<String> COLUMNS = List.of(
            ("path format compression files bytes startAt endAt durationMs endedBy packetBytes received captured"
                            + " written filtered kernelDrops ringDrops diskDrops ringFreezes interfaces faults")
                    .split(" ", -1));

    private CaptureStatisticsOutput() {}

    /**
     * Prints the report.
     *
     * @param lanes the placement of lanes; empty unless requested
     * @param isOnError whether text goes to standard error, because packets go to standard output
     */
    public static void print(
            CaptureStatistics statistics,
            List<LanePlacement.Lane> lanes,
            OutputOptions output,
            boolean isOnError,
            Terminal terminal)
            throws IOException {
        switch (output.format()) {
            case TABLE -> {
                StringBuilder text = new StringBuilder(text(statistics));
                LaneOptions.text(lanes, text);
                if (isOnError) {
                    terminal.err().print(text);
                } else {
                    terminal.out().append(text);
                }
            }
            case JSON -> json(statistics, lanes, terminal);
            case CSV -> csv(statistics, terminal);
        }
    }

    private static void json(CaptureStatistics statistics, List<LanePlacement.Lane> lanes, Terminal terminal)
            throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().object("captured");
            write(json, statistics);
            json.end().line().array("interfaces");
            for (CaptureStatistics.Interface one : statistics.interfaces()) {
                LiveCounts counts = one.counts();
                json.line()
                        .object()
                        .field("name", one.name())
                        .field("linkType", LinkType.name(one.linkType()))
                        .field("received", counts.received())
                        .field("captured", one.captured())
                        .field("filtered", counts.filtered())
                        .field("kernelDrops", counts.kernelDrops())
                        .field("ringDrops", counts.ringDrops())
                        .field("diskDrops", one.diskDrops())
                        .field("ringFreezes", counts.freezes())
                        .end();
            }
            json.line().end();
            LaneOptions.write(json, lanes);
            CaptureFields.faults(json, statistics.faults());
            json.end();
        }
    }

    private static void csv(CaptureStatistics statistics, Terminal terminal) throws IOException {
        CsvFields csv = terminal.csv(COLUMNS);
        write(csv, statistics);
        csv.array("interfaces");
        statistics.interfaces().forEach(one -> csv.element(one.name()));
        csv.end().array("faults");
        statistics.faults().forEach(fault -> csv.element(fault.describe()));
        csv.end();
        csv.endRecord();
    }

    private static void write(FieldWriter out, CaptureStatistics statistics) {
        LiveCounts counts = statistics.counts();
        out.field("path", statistics.path())
                .field("format", statistics.format().label())
                .field("compression", statistics.compression().label())
                .field("files", statistics.files())
                .field("bytes", statistics.fileBytes())
                .time("startAt", statistics.startNs())
                .time("endAt", statistics.endNs())
                .milliseconds("durationMs", statistics.endNs() - statistics.startNs())
                .field("endedBy", statistics.endedBy().toString())
                .field("packetBytes", statistics.packetBytes())
                .field("received", counts.received())
                .field("captured", statistics.captured())
                .field("written", statistics.written())
                .field("filtered", counts.filtered())
                .field("kernelDrops", counts.kernelDrops())
                .field("ringDrops", counts.ringDrops())
                .field("diskDrops", statistics.diskDrops())
                .field("ringFreezes", counts.freezes());
    }

    private static String text(CaptureStatistics statistics) {
        String files = statistics.files() == 1 ? "" : Words.count(statistics.files(), "file") + " named as ";
        return Words.count(statistics.written(), "packet") + " written to " + files
                + Text.printable(statistics.path()) + " (" + statistics.format().label() + ", "
                + Progress.bytes(statistics.fileBytes())
                + (statistics.compression() == CaptureCompression.NONE ? "" : " before compression") + ") in "
                + Times.delay(statistics.endNs() - statistics.startNs()) + ".\n"
                + Words.count(statistics.counts().received(), "packet") + " received; "
                + CaptureStatus.drops(statistics.counts(), statistics.diskDrops()) + ".\n";
    }
}
