package io.offhook.cli.rewrite;

import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.input.CaptureFields;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.packet.edit.PacketAnonymizer;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.file.CaptureRewriteReport;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.FieldWriter;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.List;

/** The final report of {@code convert}, {@code merge} and {@code split}. */
public final class RewriteOutput {
    /** The columns of CSV. */
    public static final List<String> COLUMNS =
            List.of(("path format compression files bytes packetsRead packetsWritten packetsLeftOut packetsCut"
                            + " timestampsClamped timestampsCut blocksWritten blocksLeftOut optionsLeftOut"
                            + " packetsAnonymised packetsBlanked packetsUnknown faults")
                    .split(" ", -1));

    private RewriteOutput() {}

    static void print(RewriteRun.Result result, OutputOptions output, Terminal terminal) throws IOException {
        switch (output.format()) {
            case TABLE -> text(result, terminal);
            case JSON -> json(result, terminal);
            case CSV -> csv(result, terminal);
        }
    }

    private static void json(RewriteRun.Result result, Terminal terminal) throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().object("written");
            write(json, result);
            json.end().line().array("read");
            for (CaptureFile file : result.inputs()) {
                json.line().object();
                CaptureFields.file(json, file);
                json.field("packets", file.packets()).end();
            }
            json.line().end();
            CaptureFields.faults(json, result.faults());
            json.end();
        }
    }

    private static void csv(RewriteRun.Result result, Terminal terminal) throws IOException {
        CsvFields csv = terminal.csv(COLUMNS);
        write(csv, result);
        csv.array("faults");
        result.faults().forEach(fault -> csv.element(fault.describe()));
        csv.end();
        csv.endRecord();
    }

    private static void write(FieldWriter out, RewriteRun.Result result) {
        CaptureRewriteReport report = result.report();
        out.field("path", result.target().toString())
                .field("format", report.format().label())
                .field("compression", result.target().compression().label())
                .field("files", report.files())
                .field("bytes", report.bytes())
                .field("packetsRead", report.packets().read())
                .field("packetsWritten", report.packets().written())
                .field("packetsLeftOut", report.packets().leftOut())
                .field("packetsCut", report.packets().cut())
                .field("timestampsClamped", report.timestamps().clamped())
                .field("timestampsCut", report.timestamps().cut())
                .field("blocksWritten", report.blocks().written())
                .field("blocksLeftOut", report.blocks().leftOut())
                .field("optionsLeftOut", report.blocks().optionsLeftOut());
        PacketAnonymizer anonymizer = result.anonymizer();
        if (anonymizer == null) {
            out.nullField("packetsAnonymised").nullField("packetsBlanked").nullField("packetsUnknown");
        } else {
            out.field("packetsAnonymised", anonymizer.packetsChanged())
                    .field("packetsBlanked", anonymizer.packetsBlanked())
                    .field("packetsUnknown", anonymizer.packetsUnknown());
        }
    }

    private static void text(RewriteRun.Result result, Terminal terminal) throws IOException {
        CaptureRewriteReport report = result.report();
        boolean isAll = report.packets().written() == report.packets().read();
        String packets = (isAll ? "" : Decimals.grouped(report.packets().written()) + " of ")
                + Words.count(report.packets().read(), "packet");
        String where = report.files() == 1 ? "" : Words.count(report.files(), "file") + " named as ";
        StringBuilder text = new StringBuilder();
        text.append(packets)
                .append(" written to ")
                .append(where)
                .append(Text.printable(result.target().toString()))
                .append(" (")
                .append(report.format().label())
                .append(", ")
                .append(Progress.bytes(report.bytes()))
                .append(result.target().compression() == CaptureCompression.NONE ? "" : " before compression")
                .append(").\n");
        count(
                text,
                report.packets().leftOut(),
                "packet",
                "left out, of interfaces that are not described or flows beyond the last file");
        count(text, report.packets().cut(), "packet", "longer than the format takes cut");
        count(text, report.timestamps().clamped(), "timestamp", "beyond the format's range set to its end");
        count(text, report.timestamps().cut(), "timestamp", "cut to microseconds; --to nsecpcap keeps nanoseconds");
        boolean isAnonymous = result.anonymizer() != null;
        String why = isAnonymous ? ", or which may tell addresses" : "";
        count(
                text,
                report.blocks().leftOut(),
                "block",
                "left out, for which there is no place in what was written" + why);
        count(text, report.blocks().optionsLeftOut(), "option", "left out, which must or can not be copied" + why);
        anonymous(text, result);
        terminal.out().append(text);
    }

    private static void anonymous(StringBuilder text, RewriteRun.Result result) {
        PacketAnonymizer anonymizer = result.anonymizer();
        RewriteSelection selection = result.selection();
        if (anonymizer == null || selection == null) {
            return;
        }
        text.append("Addresses changed in ")
                .append(Words.count(anonymizer.packetsChanged(), "packet"))
                .append(".\n");
        count(text, anonymizer.packetsBlanked(), "packet", "blanked from a broken header on");
        count(text, anonymizer.packetsUnknown(), "packet", "of protocols that are not known left as they are");
        if (selection.keepsPayload()) {
            text.append(
                    "Payloads (SIP, DNS, DHCP...) still hold addresses and names; --headers-only leaves them out.\n");
        }
    }

    private static void count(StringBuilder text, long count, String noun, String what) {
        if (count > 0) {
            text.append(Words.count(count, noun)).append(' ').append(what).append(".\n");
        }
    }
}
