package io.offhook.calls;

import io.offhook.calls.event.SipPacket;
import io.offhook.packet.PlacedCount;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.VoiceQualityReport;
import java.util.ArrayList;
import java.util.List;

/**
 * Voice quality reports of phones (RFC 6035). They come in dialogs of their own, often after the call, and name it. Keeps a
 * limited number, and counts the others.
 */
final class QualityReportTable {
    private final List<CallReport.QualityReport> reports = new ArrayList<>();
    private final int max;
    private final PlacedCount dropped = new PlacedCount();

    QualityReportTable(int max) {
        this.max = max;
    }

    /** Notes a message, if it carries a report. */
    void accept(SipMessageView message, SipPacket packet) {
        VoiceQualityReport report = VoiceQualityReport.of(message);
        if (report == null) {
            return;
        }
        if (reports.size() == max) {
            dropped.add(packet.frameNumber(), packet.timestampNs());
        } else {
            reports.add(new CallReport.QualityReport(packet.timestampNs(), packet.source(), report));
        }
    }

    /** Keeps what somebody else measured of a call. */
    void add(CallReport.QualityReport report, long frameNumber) {
        if (reports.size() == max) {
            dropped.add(frameNumber, report.atNs());
        } else {
            reports.add(report);
        }
    }

    List<CallReport.QualityReport> reports() {
        return reports;
    }

    PlacedCount dropped() {
        return dropped;
    }
}
