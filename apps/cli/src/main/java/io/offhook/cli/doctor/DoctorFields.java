package io.offhook.cli.doctor;

import io.offhook.cli.terminal.Terminal;
import io.offhook.doctor.DoctorReport;
import io.offhook.doctor.Finding;
import io.offhook.doctor.Loss;
import io.offhook.doctor.PortWatch;
import io.offhook.doctor.QueueLevel;
import io.offhook.doctor.Remedy;
import io.offhook.doctor.Unread;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.FieldWriter;
import io.offhook.report.fields.JsonFields;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The fields of a doctor report, for programs. */
public final class DoctorFields {
    /** The columns of CSV. */
    public static final List<String> COLUMNS = List.of(
            ("severity id subject text setting.name setting.now setting.advised" + " setting.unit why source remedies")
                    .split(" ", -1));

    private DoctorFields() {}

    /** {@code WOULD_LOSE} as {@code would-lose}. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static void json(DoctorReport report, Terminal terminal) throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().field("mustChange", report.mustChange()).array("findings");
            for (Finding finding : report.findings()) {
                json.line().object();
                write(json, finding);
                json.array("remedies");
                for (Remedy remedy : finding.remedies()) {
                    json.object()
                            .field("command", remedy.command())
                            .field("sysctl", remedy.sysctl())
                            .field("value", remedy.sysctl() == null ? null : remedy.value())
                            .end();
                }
                json.end().end();
            }
            json.line().end().array("unread");
            for (Unread unread : report.unread()) {
                json.line()
                        .object()
                        .field("what", unread.what())
                        .field("path", unread.path())
                        .field("reason", unread.reason())
                        .field("remedy", unread.remedy().isEmpty() ? null : unread.remedy())
                        .end();
            }
            json.line().end().end();
        }
    }

    static void csv(DoctorReport report, Terminal terminal) throws IOException {
        CsvFields csv = terminal.csv(COLUMNS);
        for (Finding finding : report.findings()) {
            write(csv, finding);
            csv.array("remedies");
            finding.remedies().forEach(remedy -> csv.element(remedy.command()));
            csv.end();
            csv.endRecord();
        }
    }

    private static void write(FieldWriter out, Finding finding) {
        out.field("severity", word(finding.severity()))
                .field("id", finding.id())
                .field("subject", finding.subject())
                .field("text", finding.text());
        Finding.Setting setting = finding.setting();
        if (setting == null) {
            out.noObject("setting");
        } else {
            out.object("setting")
                    .field("name", setting.name())
                    .field("now", setting.now())
                    .field("advised", setting.advised())
                    .field("unit", setting.unit())
                    .end();
        }
        out.field("why", finding.why()).field("source", finding.source());
    }

    /** Writes a line of {@code --watch}. */
    static void look(
            long atNs, List<Loss> losses, List<QueueLevel> queues, @Nullable PortWatch ports, Terminal terminal)
            throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().time("at", atNs);
            json.array("losses");
            for (Loss loss : losses) {
                json.object()
                        .field("cause", word(loss.cause()))
                        .field("subject", loss.subject())
                        .field("counters", loss.counters())
                        .field("grown", loss.grown())
                        .field("total", loss.total())
                        .field("waiting", loss.waiting())
                        .field("limit", loss.limit())
                        .end();
            }
            json.end().array("queues");
            for (QueueLevel queue : queues) {
                json.object()
                        .field("subject", queue.subject())
                        .field("before", queue.before())
                        .field("waiting", queue.waiting())
                        .field("limit", queue.limit())
                        .field("unit", queue.unit())
                        .end();
            }
            json.end();
            if (ports != null) {
                PortFields.sockets(json, ports);
            }
            json.end();
        }
    }
}
