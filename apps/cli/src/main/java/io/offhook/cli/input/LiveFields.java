package io.offhook.cli.input;

import io.offhook.analysis.CaptureReport;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.pcap.CaptureInterface;
import io.offhook.report.fields.FieldWriter;
import java.util.List;

/** The fields of a live capture, as docs/OUTPUT.md lists them. */
public final class LiveFields {
    private LiveFields() {}

    /** Writes all fields into the open object: those of a capture, with interfaces instead of files. */
    public static void write(FieldWriter out, CaptureReport capture, LiveSource source) {
        interfaces(out, source);
        out.field("packets", capture.packets());
        CaptureFields.content(out, capture);
        CaptureFields.counters(out, capture.counters());
        CaptureFields.losses(out, capture.losses());
        CaptureFields.encryptedSignalling(out, capture.encryptedSignalling());
        CaptureFields.faults(out, source.faults());
    }

    /** Writes the counters of each interface. */
    public static void interfaces(FieldWriter out, LiveSource source) {
        out.array("interfaces");
        List<CaptureInterface> interfaces = source.interfaces();
        for (int i = 0; i < interfaces.size(); i++) {
            out.object().field("name", interfaces.get(i).name());
            counts(out, source.counts(i));
            out.end();
        }
        out.end();
    }

    private static void counts(FieldWriter out, LiveCounts counts) {
        out.field("received", counts.received())
                .field("delivered", counts.delivered())
                .field("filtered", counts.filtered())
                .field("kernelDrops", counts.kernelDrops())
                .field("ringDrops", counts.ringDrops())
                .field("ringFreezes", counts.freezes());
    }
}
