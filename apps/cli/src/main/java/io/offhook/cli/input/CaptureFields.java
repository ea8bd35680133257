package io.offhook.cli.input;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.CaptureReport;
import io.offhook.analysis.EncryptedSignalling;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.CaptureLoss;
import io.offhook.report.fields.FieldWriter;
import java.util.List;
import java.util.Locale;

/** The fields of a capture, as docs/OUTPUT.md lists them. */
public final class CaptureFields {
    private CaptureFields() {}

    /** Writes all fields into the open object. */
    public static void write(FieldWriter out, CaptureReport capture, OpenCapture input) {
        out.array("files");
        for (CaptureFile file : input.files()) {
            out.object();
            file(out, file);
            out.field("packets", file.packets()).end();
        }
        out.end();
        out.field("packets", capture.packets());
        content(out, capture);
        counters(out, capture.counters());
        losses(out, capture.losses());
        encryptedSignalling(out, capture.encryptedSignalling());
        AnalysisOptions options = input.analysed();
        SettingsFields.write(out, options == null ? AnalysisOptions.defaults() : options);
        faults(out, input.faults());
    }

    /** Writes the properties of a file, without those of its packets. */
    public static void file(FieldWriter out, CaptureFile file) {
        out.field("path", file.path())
                .field("format", file.format() == null ? null : file.format().label())
                .field("compression", file.compression().label());
        if (file.sizeBytes() < 0) {
            out.nullField("sizeBytes");
        } else {
            out.field("sizeBytes", file.sizeBytes());
        }
        out.field("packetsLeftOut", file.packetsLeftOut()).field("timestampsClamped", file.timestampsClamped());
    }

    public static void content(FieldWriter out, CaptureReport capture) {
        out.field("bytes", capture.bytes());
        if (capture.packets() == 0) {
            out.nullField("firstAt").nullField("lastAt").nullField("durationMs");
        } else {
            out.time("firstAt", capture.firstNs())
                    .time("lastAt", capture.lastNs())
                    .milliseconds("durationMs", capture.durationNs());
        }
        out.array("linkTypes");
        for (int linkType : capture.linkTypes()) {
            out.element(LinkType.name(linkType));
        }
        out.end();
        out.field("sipRequests", capture.sipRequests())
                .field("sipResponses", capture.sipResponses())
                .field("callIds", capture.callIds())
                .field("rtpPackets", capture.rtpPackets())
                .field("rtcpPackets", capture.rtcpPackets());
    }

    public static void counters(FieldWriter out, List<CaptureReport.Counter> counters) {
        out.object("counters");
        for (CaptureReport.Counter counter : counters) {
            out.object(counter.name()).field("count", counter.count());
            place(out, counter);
            out.end();
        }
        out.end();
    }

    private static void place(FieldWriter out, CaptureReport.Counter counter) {
        frames(out, counter.firstFrame(), counter.lastFrame());
        if (counter.hasTimes()) {
            out.time("firstAt", counter.firstNs()).time("lastAt", counter.lastNs());
        } else {
            out.nullField("firstAt").nullField("lastAt");
        }
    }

    private static void frames(FieldWriter out, long first, long last) {
        if (first > 0) {
            out.field("firstFrame", first).field("lastFrame", last);
        } else {
            out.nullField("firstFrame").nullField("lastFrame");
        }
    }

    public static void losses(FieldWriter out, List<CaptureLoss> losses) {
        out.array("losses");
        for (CaptureLoss loss : losses) {
            out.object().field("file", loss.file()).field("packets", loss.packets());
            frames(out, loss.firstFrame(), loss.lastFrame());
            if (loss.firstFrame() > 0) {
                out.time("firstAt", loss.fromNs()).time("lastAt", loss.untilNs());
            } else {
                out.nullField("firstAt").nullField("lastAt");
            }
            out.end();
        }
        out.end();
    }

    public static void encryptedSignalling(FieldWriter out, List<EncryptedSignalling> servers) {
        out.array("encryptedSignalling");
        for (EncryptedSignalling server : servers) {
            out.object()
                    .field("server", server.server().toString())
                    .field("streams", server.streams())
                    .field("firstFrame", server.firstFrame())
                    .field("lastFrame", server.lastFrame())
                    .time("firstAt", server.firstNs())
                    .time("lastAt", server.lastNs())
                    .end();
        }
        out.end();
    }

    public static void faults(FieldWriter out, List<CaptureFault> faults) {
        out.array("faults");
        for (CaptureFault fault : faults) {
            out.object()
                    .field("kind", fault.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                    .field("file", fault.file());
            if (fault.offset() < 0) {
                out.nullField("offset");
            } else {
                out.field("offset", fault.offset());
            }
            out.field("message", fault.message()).end();
        }
        out.end();
    }
}
