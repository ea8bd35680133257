package io.offhook.cli.replay;

import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.input.CaptureFields;
import io.offhook.cli.input.LaneOptions;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Rates;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.LanePlacement;
import io.offhook.live.SendCounts;
import io.offhook.live.replay.ReplayOptions;
import io.offhook.live.replay.ReplayReport;
import io.offhook.live.replay.ReplayReport.End;
import io.offhook.live.replay.ReplaySpeed.Kind;
import io.offhook.pcap.CaptureFault;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.FieldWriter;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.List;

/** The final report of {@code replay}: requested and achieved speed, packets, and losses. */
public final class ReplayOutput {
    /** The columns of CSV. */
    public static final List<String> COLUMNS = List.of(("files interface asked.multiplier asked.packetsPerSecond"
                    + " asked.bitsPerSecond asked.passes asked.packets asked.durationMs end passes durationMs"
                    + " packetsRead packetsFiltered packetsCutShort packetsPadded packetsOffered packetsSent bytesSent"
                    + " packetsPerSecond bitsPerSecond lateMs refused.tooLong refused.tooShort refused.otherLinkType"
                    + " refused.interfaceDown refused.stalled refused.malformed busy driverDrops faults")
            .split(" ", -1));

    /**
     * The content of the report.
     *
     * @param files the files that were read
     * @param driverDrops packets of all senders that the driver dropped meanwhile; -1 if unknown
     * @param lanes the placement of lanes; empty unless requested
     */
    public record Result(
            List<String> files,
            NetworkDevice device,
            ReplayOptions options,
            ReplayReport report,
            long driverDrops,
            List<LanePlacement.Lane> lanes,
            List<CaptureFault> faults) {}

    private ReplayOutput() {}

    public static void print(Result result, OutputOptions output, Terminal terminal) throws IOException {
        switch (output.format()) {
            case TABLE -> text(result, terminal);
            case JSON -> json(result, terminal);
            case CSV -> csv(result, terminal);
        }
    }

    private static void json(Result result, Terminal terminal) throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().object("replay");
            write(json, result);
            json.end();
            LaneOptions.write(json, result.lanes());
            CaptureFields.faults(json, result.faults());
            json.end();
        }
    }

    private static void csv(Result result, Terminal terminal) throws IOException {
        CsvFields csv = terminal.csv(COLUMNS);
        write(csv, result);
        csv.array("faults");
        result.faults().forEach(fault -> csv.element(fault.describe()));
        csv.end();
        csv.endRecord();
    }

    private static void write(FieldWriter out, Result result) {
        ReplayReport report = result.report();
        SendCounts counts = report.counts();
        out.array("files");
        result.files().forEach(out::element);
        out.end().field("interface", result.device().name()).object("asked");
        asked(out, result.options());
        out.end()
                .field("end", label(report.end()))
                .field("passes", report.passes())
                .milliseconds("durationMs", report.durationNs())
                .field("packetsRead", report.read())
                .field("packetsFiltered", report.filtered())
                .field("packetsCutShort", report.cutShort())
                .field("packetsPadded", report.padded())
                .field("packetsOffered", counts.offered())
                .field("packetsSent", counts.sent())
                .field("bytesSent", counts.sentBytes())
                .field("packetsPerSecond", report.framesPerSecond(), 4)
                .field("bitsPerSecond", report.bitsPerSecond(), 4);
        if (result.options().speed().kind() == Kind.TOP) {
            out.nullField("lateMs");
        } else {
            out.milliseconds("lateMs", report.lateNs());
        }
        out.object("refused")
                .field("tooLong", counts.tooLong())
                .field("tooShort", counts.tooShort())
                .field("otherLinkType", counts.otherLinkType())
                .field("interfaceDown", counts.interfaceDown())
                .field("stalled", counts.stalled())
                .field("malformed", counts.malformed())
                .end()
                .field("busy", counts.busy());
        if (result.driverDrops() < 0) {
            out.nullField("driverDrops");
        } else {
            out.field("driverDrops", result.driverDrops());
        }
    }

    private static void asked(FieldWriter out, ReplayOptions options) {
        Kind kind = options.speed().kind();
        speed(out, "multiplier", kind == Kind.RECORDED, options);
        speed(out, "packetsPerSecond", kind == Kind.FRAMES, options);
        speed(out, "bitsPerSecond", kind == Kind.BITS, options);
        limit(out, "passes", options.passes());
        limit(out, "packets", options.frames());
        if (options.durationNs() == 0) {
            out.nullField("durationMs");
        } else {
            out.milliseconds("durationMs", options.durationNs());
        }
    }

    private static void speed(FieldWriter out, String name, boolean isIt, ReplayOptions options) {
        if (isIt) {
            out.field(name, options.speed().value(), 6);
        } else {
            out.nullField(name);
        }
    }

    private static void limit(FieldWriter out, String name, long value) {
        if (value == 0) {
            out.nullField(name);
        } else {
            out.field(name, value);
        }
    }

    /** The label of an end, as listed in docs/OUTPUT.md. */
    private static String label(End end) {
        return switch (end) {
            case NOT_YET -> "not yet";
            case DONE -> "done";
            case FRAMES -> "packets";
            case DURATION -> "duration";
            case STOPPED -> "stopped";
            case INTERFACE_GONE -> "interface gone";
            case NOTHING -> "nothing to send";
        };
    }

    private static void text(Result result, Terminal terminal) throws IOException {
        ReplayReport report = result.report();
        SendCounts counts = report.counts();
        String name = Text.printable(result.device().name());
        StringBuilder text = new StringBuilder();
        boolean isAll = counts.sent() == report.read();
        text.append(isAll ? "" : Decimals.grouped(counts.sent()) + " of ")
                .append(Words.count(report.read(), "packet"))
                .append(" (")
                .append(Progress.bytes(counts.sentBytes()))
                .append(") sent to ")
                .append(name)
                .append(" in ")
                .append(Decimals.text(report.durationNs() / 1e9, 3))
                .append(" s")
                .append(passes(result))
                .append(".\nAsked for: ")
                .append(asked(result.options()))
                .append(". Reached: ")
                .append(Rates.text(report.framesPerSecond(), report.bitsPerSecond()))
                .append(".\n");
        if (result.options().speed().kind() != Kind.TOP && counts.sent() > 0) {
            text.append("At worst a packet was sent ")
                    .append(Decimals.text(report.lateNs() / 1e6, 3))
                    .append(" ms after it was due.\n");
        }
        count(text, report.filtered(), "left out by the filter");
        count(text, report.cutShort(), "left out, which were not captured whole; --pad fills them up with zeros");
        count(text, report.padded(), "filled up with zeros, which were not captured whole");
        count(
                text,
                counts.tooLong(),
                "refused: longer than " + name + " takes (MTU "
                        + result.device().mtu() + ")");
        count(text, counts.tooShort(), "refused: shorter than a link header");
        count(text, counts.otherLinkType(), "refused: of a link type that is not that of " + name);
        count(text, counts.interfaceDown(), "refused: " + name + " was down, or has disappeared");
        count(text, counts.stalled(), "refused: the driver took nothing for a second");
        count(text, counts.malformed(), "refused by the kernel");
        count(text, result.driverDrops(), "dropped meanwhile by the driver of " + name + ", of all who send there");
        if (report.end() == End.NOTHING || counts.offered() == 0) {
            text.append("There was nothing to send.\n");
        }
        terminal.out().append(text);
        LaneOptions.text(result.lanes(), terminal.out());
    }

    private static String passes(Result result) {
        return result.options().passes() == 1
                ? ""
                : "; whole passes: " + Decimals.grouped(result.report().passes());
    }

    private static String asked(ReplayOptions options) {
        double value = options.speed().value();
        return switch (options.speed().kind()) {
            case RECORDED -> value == 1 ? "as recorded" : Decimals.shortest(value, 6) + " times the recorded speed";
            case FRAMES -> Rates.packets(value);
            case BITS -> Rates.bits(value);
            case TOP -> "top speed";
        };
    }

    private static void count(StringBuilder text, long count, String what) {
        if (count > 0) {
            text.append(Words.count(count, "packet")).append(' ').append(what).append(".\n");
        }
    }
}
