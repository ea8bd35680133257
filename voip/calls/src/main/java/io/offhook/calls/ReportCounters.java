package io.offhook.calls;

import io.offhook.packet.PlacedCount;
import io.offhook.rtp.CaptureClock;
import io.offhook.rtp.PacketLog;
import io.offhook.rtp.TelephoneEvents;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What reports lack, by cause: what the limits of single calls and streams dropped, which is summed while reports are
 * made, what the tables evicted, and what a bug cost. Nothing is lost in silence.
 */
final class ReportCounters {
    private final PlacedCount refusedJoins = new PlacedCount();
    private final PlacedCount droppedEventPackets = new PlacedCount();
    private final PlacedCount droppedQualityReports = new PlacedCount();
    private final PlacedCount droppedHolds = new PlacedCount();
    private final PlacedCount droppedChanges = new PlacedCount();
    private final PlacedCount unloggedPackets = new PlacedCount();
    private final PlacedCount unsampledStreams = new PlacedCount();
    private final PlacedCount droppedPauses = new PlacedCount();
    private final PlacedCount droppedLegs = new PlacedCount();
    private final PlacedCount clockSteps = new PlacedCount();
    private final PlacedCount failedReports = new PlacedCount();
    private @Nullable RuntimeException defect;

    /** Counts what the limits of a call dropped. */
    void dropped(Call call) {
        droppedHolds.add(call.media().session().droppedHolds(), call.firstFrame(), call.firstSeenNs());
        droppedChanges.add(call.media().session().droppedChanges(), call.firstFrame(), call.firstSeenNs());
        droppedLegs.add(call.droppedLegs(), call.firstFrame(), call.firstSeenNs());
        droppedEventPackets.add(call.keys().dropped(), call.firstFrame(), call.firstSeenNs());
    }

    /** Counts what the limits of a stream dropped, but for its keys. */
    void dropped(MediaStream stream) {
        PacketLog log = stream.log();
        if (log != null && log.isSample()) {
            unsampledStreams.add(
                    log.dropped(), stream.firstFrame(), stream.statistics().firstNs());
        } else if (log != null) {
            unloggedPackets.add(
                    log.dropped(), stream.firstFrame(), stream.statistics().firstNs());
        }
        droppedPauses.add(
                stream.statistics().audioPausesDropped(),
                stream.firstFrame(),
                stream.statistics().firstNs());
    }

    /** Counts packets of keys (RFC 4733) beyond the limit of a stream; only where they are not encrypted. */
    void droppedKeys(MediaStream stream) {
        TelephoneEvents events = stream.statistics().telephoneEvents();
        if (events != null) {
            droppedEventPackets.add(
                    events.dropped(), stream.firstFrame(), stream.statistics().firstNs());
        }
    }

    /** Counts where the clock of the capture was set. */
    void clockSteps(List<CaptureClock.Step> steps) {
        for (CaptureClock.Step step : steps) {
            clockSteps.add(0, step.fromNs());
        }
    }

    /** Counts what the limit of a table of quality reports dropped. */
    void dropped(QualityReportTable reports) {
        droppedQualityReports.add(reports.dropped());
    }

    /** Counts the dialogs that are calls of their own by a limit alone. */
    void refused(CallJoins joins) {
        joins.countRefused(refusedJoins);
    }

    /** Counts a report that a bug cost; the first exception is kept. */
    void failed(long firstFrame, long firstNs, RuntimeException thrown) {
        failedReports.add(firstFrame, firstNs);
        defect = defect == null ? thrown : defect;
    }

    /** Calls and streams without a report, because making it failed. */
    PlacedCount failedReports() {
        return failedReports;
    }

    /** The exception of the first of these failures; null if there was none. */
    @Nullable
    RuntimeException defect() {
        return defect;
    }

    /** What was not understood, dropped or evicted, by name (docs/OUTPUT.md), and where. */
    Map<String, PlacedCount> byName(CallAssembly assembly) {
        Map<String, PlacedCount> sums = new LinkedHashMap<>();
        for (CallTable table : assembly.callTables()) {
            sum(sums, "sipMalformed", table.malformed());
            sum(sums, "sipTruncated", table.truncated());
            sum(sums, "sipWithoutCallId", table.withoutCallId());
            sum(sums, "sipHeadersDropped", table.headersDropped());
            sum(sums, "sipRetransmissions", table.retransmissions());
            sum(sums, "sipMirrored", table.mirrored());
            sum(sums, "mediaBindingsDropped", table.fresh().dropped());
            sum(sums, "callsEvicted", table.evictedCalls());
            sum(sums, "runningCallsEvicted", table.evictedRunning());
            sum(sums, "otherDialogsEvicted", table.evictedOthers());
            sum(sums, "registrationsEvicted", table.registrations().evicted());
        }
        for (StreamTable table : assembly.streamTables()) {
            sum(sums, "rtpCandidatesEvicted", table.evictedCandidates());
            sum(sums, "rtpCandidatePacketsEvicted", table.evictedPackets());
            sum(sums, "rtpStreamsEvicted", table.evictedStreams());
            sum(sums, "rtpPacketsRefused", table.refusedPackets());
        }
        sum(sums, "mediaBindingsDropped", assembly.bindings().dropped());
        sum(sums, "rtcpMirrored", assembly.rtcpTable().mirrored());
        sum(sums, "rtcpConversationsEvicted", assembly.rtcpTable().gone());
        sum(sums, "rtcpUndecodable", assembly.rtcpTable().undecodable());
        sum(sums, "rtcpMalformed", assembly.rtcpTable().malformed());
        sum(sums, "rtcpSourcesEvicted", assembly.rtcpTable().evicted());
        sum(sums, "telephoneEventPacketsDropped", droppedEventPackets);
        sum(sums, "qualityReportsDropped", droppedQualityReports);
        sum(sums, "mediaAssignmentsEvicted", assembly.mediaReports().evicted());
        sum(sums, "audioPausesDropped", droppedPauses);
        sum(sums, "clockSteps", clockSteps);
        sum(sums, "passagePacketsDropped", unloggedPackets);
        sum(sums, "payloadSamplesDropped", unsampledStreams);
        sum(sums, "callHoldsDropped", droppedHolds);
        sum(sums, "callChangesDropped", droppedChanges);
        sum(sums, "callLegsDropped", droppedLegs);
        sum(sums, "joinsRefused", refusedJoins);
        sum(sums, "icmpErrors", assembly.icmpErrors().seen());
        sum(sums, "icmpErrorsDropped", assembly.icmpErrors().dropped());
        return sums;
    }

    private static void sum(Map<String, PlacedCount> sums, String name, PlacedCount count) {
        sums.computeIfAbsent(name, n -> new PlacedCount()).add(count);
    }
}
