package io.offhook.calls;

import io.offhook.calls.event.MediaReport;
import io.offhook.packet.Endpoint;
import io.offhook.packet.PlacedCount;
import io.offhook.sip.VoiceQualityReport;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What others report of media: figures that they measured, and which call the media between two endpoints belongs to. Keeps
 * limited numbers of both: further figures are dropped, and the assignment that was made first gives way; both are counted.
 */
final class MediaReportTable {
    /** Who sends media to whom. */
    private record Way(Endpoint source, Endpoint destination) {
        // written out as in Endpoint

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Way that && source.equals(that.source) && destination.equals(that.destination);
        }

        @Override
        public int hashCode() {
            return source.hashCode() * 31 + destination.hashCode();
        }
    }

    private final QualityReportTable figures;
    private final Map<Way, String> calls = new LinkedHashMap<>();
    private final int mostWays;
    private final PlacedCount evicted = new PlacedCount();

    MediaReportTable(int mostReports, int mostWays) {
        figures = new QualityReportTable(mostReports);
        this.mostWays = mostWays;
    }

    void accept(MediaReport report) {
        String callId = report.callId();
        if (callId == null) {
            return; // no call can show it
        }
        Way way = new Way(report.source(), report.destination());
        String known = calls.putIfAbsent(way, callId);
        if (known != null && !known.equals(callId)) {
            calls.remove(way); // ports are used again: the newest call counts, and is the last to give way
            calls.put(way, callId);
        } else if (known == null && calls.size() > mostWays) {
            calls.remove(calls.keySet().iterator().next());
            evicted.add(report.frameNumber(), report.timestampNs());
        }
        if (report.figures().isKnown()) {
            figures.add(
                    new CallReport.QualityReport(report.timestampNs(), report.source(), of(callId, report.figures())),
                    report.frameNumber());
        }
    }

    private static VoiceQualityReport of(String callId, MediaReport.Figures of) {
        VoiceQualityReport.Metrics local = VoiceQualityReport.Metrics.ofNetwork(
                of.lossPercent(), of.roundTripMs(), of.jitterMs(), of.rFactor(), of.mos());
        return new VoiceQualityReport(callId, VoiceQualityReport.Kind.INTERVAL, local, null);
    }

    /** The Call-ID that the media from one endpoint to another was assigned to; null if it was to none. */
    @Nullable
    String callId(Endpoint source, Endpoint destination) {
        return calls.isEmpty() ? null : calls.get(new Way(source, destination));
    }

    boolean hasAssignments() {
        return !calls.isEmpty();
    }

    QualityReportTable figures() {
        return figures;
    }

    /** Assignments that gave way, at the reports that needed their room. */
    PlacedCount evicted() {
        return evicted;
    }
}
