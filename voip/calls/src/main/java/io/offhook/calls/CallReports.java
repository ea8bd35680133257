package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.relay.StreamPassage;
import io.offhook.packet.PlacedCount;
import io.offhook.rtp.CaptureClock;
import io.offhook.rtp.PacketLog;
import io.offhook.rtp.TelephoneEvents;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes reports of an assembly after everything was fed to it: binds streams to calls, and determines the problems of
 * calls.
 */
public final class CallReports {
    /** The number of consecutive packets that a stream needs to be reported by the heuristic. */
    private static final int BELIEVABLE_PACKETS = 3;

    private final CallAssembly assembly;
    private final long captureEndNs;
    private final boolean mostlyRtp;
    /** The calls that need no report; null if all do. */
    private final @Nullable CallWatch watch;

    private final StreamBinder binder;
    private final StreamReporter reporter;
    private final Map<Call, List<StreamReport>> streamsOf = new HashMap<>();
    private final IcmpBinder icmp;
    private @Nullable StreamEnds losses;
    private final List<StreamReport> unbound = new ArrayList<>();
    private final List<CallReport> calls = new ArrayList<>();
    private final PlacedCount refusedJoins = new PlacedCount();
    private final PlacedCount droppedEventPackets = new PlacedCount();
    private final PlacedCount droppedQualityReports = new PlacedCount();
    private final Map<String, List<CallReport.QualityReport>> qualityReports = new HashMap<>();
    private final PlacedCount failedReports = new PlacedCount();
    private @Nullable RuntimeException defect;
    private final PlacedCount droppedHolds = new PlacedCount();
    private final PlacedCount droppedChanges = new PlacedCount();
    private final PlacedCount unloggedPackets = new PlacedCount();
    private final PlacedCount unsampledStreams = new PlacedCount();
    private final PlacedCount droppedPauses = new PlacedCount();
    private List<CaptureClock.Step> clockSteps = List.of();
    private final PlacedCount clockStepCount = new PlacedCount();
    private final PlacedCount droppedLegs = new PlacedCount();
    private long rtpPackets;

    private CallReports(CallAssembly assembly, long captureEndNs, boolean mostlyRtp, @Nullable CallWatch watch) {
        this.assembly = assembly;
        this.mostlyRtp = mostlyRtp;
        this.watch = watch;
        this.captureEndNs = captureEndNs;
        icmp = new IcmpBinder(assembly);
        binder = new StreamBinder(assembly.bindings(), callsWithoutDescription(assembly));
        reporter = new StreamReporter(assembly);
    }

    /**
     * Makes reports of everything that was fed.
     *
     * @param captureEndNs time of the last packet, nanoseconds since the epoch
     * @param heuristic whether to report streams that belong to no call
     * @param mostlyRtp whether most datagrams not otherwise recognized look like RTP: then a single packet makes a
     *     stream
     */
    public static CallReports of(CallAssembly assembly, long captureEndNs, boolean heuristic, boolean mostlyRtp) {
        return new CallReports(assembly, captureEndNs, mostlyRtp, null).make(heuristic);
    }

    /** Reports of the calls that are not settled, in the middle of a capture; the counters are of all. */
    static CallReports watched(
            CallAssembly assembly, long nowNs, boolean heuristic, boolean mostlyRtp, CallWatch watch) {
        return new CallReports(assembly, nowNs, mostlyRtp, watch).make(heuristic);
    }

    private CallReports make(boolean heuristic) {
        bindStreams(heuristic);
        long mediaUntilNs = streamsOf.isEmpty() ? Long.MIN_VALUE : refusedFromNs(assembly);
        List<CallJoins.Reported> reported = new ArrayList<>();
        for (CallTable table : assembly.callTables()) {
            for (CallReport.QualityReport report : table.qualityReports().reports()) {
                qualityReports
                        .computeIfAbsent(report.report().callId(), _ -> new ArrayList<>(1))
                        .add(report);
            }
            droppedQualityReports.add(table.qualityReports().dropped());
        }
        for (CallTable table : assembly.callTables()) {
            for (Call call : table.calls()) {
                countDropped(call);
                if (watch == null || !watch.isSettled(call)) {
                    try {
                        reported.add(new CallJoins.Reported(call, report(call, mediaUntilNs)));
                    } catch (RuntimeException e) { // a bug costs the report of that call
                        failed(call.firstFrame(), call.firstSeenNs(), e);
                    }
                }
            }
        }
        join(reported);
        calls.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
        return this;
    }

    /**
     * Joins the legs of calls. In the middle of a capture each keeps its report, which then names the others: a line that was
     * shown does not disappear.
     */
    private void join(List<CallJoins.Reported> reported) {
        List<CallReport> joined = new ArrayList<>(reported.size());
        try {
            if (!assembly.joins().joins()) {
                reported.forEach(each -> joined.add(each.report()));
            } else if (watch == null) {
                CallJoins joins = CallJoins.of(reported, captureEndNs, reporter);
                joined.addAll(joins.calls());
                joins.countRefused(refusedJoins);
            } else {
                CallJoins.standing(reported, captureEndNs, reporter, watch).forEach(each -> joined.add(each.report()));
            }
        } catch (RuntimeException e) { // a bug costs the joins
            joined.clear();
            failed(0, captureEndNs, e);
            reported.forEach(each -> joined.add(each.report()));
        }
        if (watch != null && !assembly.joins().joins()) {
            reported.forEach(each -> watch.reported(each, List.of(each.call())));
        }
        calls.addAll(joined);
    }

    private void failed(long firstFrame, long firstNs, RuntimeException thrown) {
        failedReports.add(firstFrame, firstNs);
        defect = defect == null ? thrown : defect;
    }

    private void countDropped(Call call) {
        droppedHolds.add(call.media().session().droppedHolds(), call.firstFrame(), call.firstSeenNs());
        droppedChanges.add(call.media().session().droppedChanges(), call.firstFrame(), call.firstSeenNs());
        droppedLegs.add(call.droppedLegs(), call.firstFrame(), call.firstSeenNs());
        droppedEventPackets.add(call.keys().dropped(), call.firstFrame(), call.firstSeenNs());
    }

    /** The time from which media packets were refused: media missing after it may have existed. */
    private static long refusedFromNs(CallAssembly assembly) {
        long fromNs = Long.MAX_VALUE;
        for (StreamTable table : assembly.streamTables()) {
            PlacedCount refused = table.refusedPackets();
            fromNs = refused.count() == 0 ? fromNs : Math.min(fromNs, refused.firstNs());
        }
        return fromNs;
    }

    private static List<Call> callsWithoutDescription(CallAssembly assembly) {
        List<Call> calls = new ArrayList<>();
        for (CallTable table : assembly.callTables()) {
            for (Call call : table.calls()) {
                if (!call.media().session().isDescribed() && call.isAnswered()) {
                    calls.add(call);
                }
            }
        }
        calls.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
        return calls;
    }

    private void bindStreams(boolean heuristic) {
        List<MediaStream> streams = new ArrayList<>();
        for (StreamTable table : assembly.streamTables()) {
            streams.addAll(table.streams());
        }
        streams.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
        if (watch != null) {
            watch.wake(streams, binder);
        }
        clockSteps = StreamEnds.clockSteps(streams);
        clockSteps.forEach(step -> clockStepCount.add(0, step.fromNs()));
        List<MediaStream> homeless = new ArrayList<>();
        for (MediaStream stream : streams) {
            countDroppedPauses(stream);
            if (watch != null && watch.isSettled(stream)) {
                rtpPackets += stream.statistics().packets();
                if (watch.isPlain(stream)) {
                    countDropped(stream);
                }
            } else {
                try {
                    bind(stream, homeless);
                } catch (RuntimeException e) {
                    failed(stream.firstFrame(), stream.statistics().firstNs(), e);
                }
            }
        }
        for (MediaStream stream : homeless) {
            try {
                bindByHosts(stream, heuristic);
            } catch (RuntimeException e) {
                failed(stream.firstFrame(), stream.statistics().firstNs(), e);
            }
        }
        for (List<StreamReport> reports : streamsOf.values()) {
            reports.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
        }
    }

    private void bind(MediaStream stream, List<MediaStream> homeless) {
        List<StreamBinder.Bond> bonds = binder.bind(stream);
        if (bonds.isEmpty()) {
            homeless.add(stream);
            return;
        }
        attach(stream, bonds);
        rtpPackets += stream.statistics().packets();
    }

    /** Binds a stream without SDP, or reports it on its own. */
    private void bindByHosts(MediaStream stream, boolean heuristic) {
        List<StreamBinder.Bond> bonds = isBelievable(stream) ? binder.bindByHosts(stream) : List.of();
        attach(stream, bonds);
        boolean reported = heuristic && bonds.isEmpty() && isBelievable(stream);
        if (reported) {
            unbound.add(reporter.report(stream, null));
        }
        rtpPackets += reported || !bonds.isEmpty() ? stream.statistics().packets() : 0;
    }

    private void attach(MediaStream stream, List<StreamBinder.Bond> bonds) {
        StreamReporter.setCodecs(stream, bonds);
        boolean isPlain = false;
        boolean first = true;
        for (StreamBinder.Bond bond : bonds) {
            StreamReport report = reporter.report(stream, bond);
            streamsOf.computeIfAbsent(bond.call(), call -> new ArrayList<>(2)).add(report);
            isPlain |= first && !report.isEncrypted();
            first = false;
        }
        if (isPlain) {
            countDropped(stream);
        }
        if (watch != null) {
            watch.bound(stream, bonds, isPlain);
        }
    }

    private void countDroppedPauses(MediaStream stream) {
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

    private void countDropped(MediaStream stream) {
        TelephoneEvents events = stream.statistics().telephoneEvents();
        if (events != null) {
            droppedEventPackets.add(
                    events.dropped(), stream.firstFrame(), stream.statistics().firstNs());
        }
    }

    /** Whether this is RTP and not random bytes, whose sequence numbers do not follow each other. */
    private boolean isBelievable(MediaStream stream) {
        return (stream.statistics().distinct() >= BELIEVABLE_PACKETS || mostlyRtp)
                && stream.statistics().strays() * 2 < stream.statistics().packets();
    }

    private CallReport report(Call call, long mediaUntilNs) {
        List<StreamReport> streams = streamsOf.getOrDefault(call, List.of());
        List<IcmpEvent> icmpErrors = icmp.errorsOf(call);
        call.conclude(captureEndNs, lastNs(streams), icmpErrors);
        List<IcmpEvent> harmful = new ArrayList<>(icmpErrors);
        harmful.removeIf(error -> icmp.isHarmless(call, error));
        long endNs = call.endedNs() == Call.NEVER
                ? Math.min(captureEndNs, call.media().takenOverNs())
                : call.endedNs();
        CallReport.Times times = times(call);
        List<CallReport.Hold> holds = call.media().session().holds(endNs);
        boolean showsAudio =
                call.isAnswered() && endNs < mediaUntilNs && call.media().showsAudio();
        List<Problem> audio = showsAudio
                ? new AudioProblems(call, streams, holds, endNs, harmful, losses(), assembly.limits()).list()
                : List.of();
        List<StreamPassage> passages = reporter.passages(streams);
        List<Problem> relays = new ArrayList<>(0);
        if (call.isAnswered()) {
            relays.addAll(reporter.problems().relayLoss(passages, holds));
        }
        if (showsAudio) {
            relays.addAll(StreamProblems.silentRelays(List.of(call), streams, reporter));
        }
        CallProblems problems = new CallProblems(call, times, streams, endNs, assembly.limits());
        Outcome outcome = call.outcome(captureEndNs);
        String codec = call.isAnswered() ? call.media().codec() : null;
        boolean isEncrypted = call.media().session().isEncrypted();
        return new CallReport(
                call.reportedCallId(),
                parties(call.parties()),
                new CallReport.Result(outcome, call.finalStatus(), call.hungUpBy()),
                times,
                signalling(call, outcome),
                new CallReport.Media(
                        codec,
                        isEncrypted,
                        List.copyOf(streams),
                        holds,
                        call.keys().presses(),
                        qualityReports.getOrDefault(call.callId(), List.of()),
                        passages),
                new CallReport.Diagnosis(problems.list(outcome, audio, relays, harmful), List.copyOf(icmpErrors)));
    }

    private static long lastNs(List<StreamReport> streams) {
        long lastNs = Call.NEVER;
        for (StreamReport stream : streams) {
            lastNs = Math.max(lastNs, stream.statistics().lastNs());
        }
        return lastNs;
    }

    /** The only dialog of a call. */
    private static CallReport.Joined alone(Call call, Outcome outcome) {
        List<CallReport.Leg> legs = call.legs();
        CallReport.Dialog dialog = new CallReport.Dialog(
                call.reportedCallId(),
                call.isCallIdPartial(),
                CallReport.Role.ROOT,
                null,
                legs.isEmpty() ? null : legs.getFirst(),
                new CallReport.Result(outcome, call.finalStatus(), call.hungUpBy()),
                times(call));
        return new CallReport.Joined(List.of(dialog), List.of(), List.of());
    }

    private StreamEnds losses() {
        StreamEnds known = losses;
        if (known == null) {
            known = new StreamEnds(assembly, streamsOf, clockSteps);
            losses = known;
        }
        return known;
    }

    private static CallReport.Parties parties(CallParties parties) {
        return new CallReport.Parties(parties.fromUser(), parties.toUser(), parties.fromUri(), parties.toUri());
    }

    private static CallReport.Signalling signalling(Call call, Outcome outcome) {
        CallReport.MessageCounts counts =
                new CallReport.MessageCounts(call.messages(), call.retransmissions(), call.mirrored());
        return new CallReport.Signalling(
                call.transport(),
                counts,
                List.copyOf(call.legs()),
                call.firstFrame(),
                alone(call, outcome),
                call.headers().report(call.isAnswered()),
                call.cutFrames());
    }

    private static CallReport.Times times(Call call) {
        return new CallReport.Times(
                call.firstSeenNs(),
                call.invitedNs(),
                call.progressNs(),
                call.ringingNs(),
                call.answeredNs(),
                call.endedNs(),
                setUpNs(call));
    }

    private static long setUpNs(Call call) {
        long signNs = call.progressNs() != Call.NEVER ? call.progressNs() : call.answeredNs();
        if (signNs == Call.NEVER && !call.isAnswered()) {
            signNs = call.endedNs(); // an answer that was not captured came at an unknown time before the end
        }
        return call.invitedNs() == Call.NEVER || signNs == Call.NEVER ? Call.NEVER : signNs - call.invitedNs();
    }

    /** The calls, in the order of their first frames. */
    public List<CallReport> calls() {
        return calls;
    }

    /** Streams that belong to no call, in the order of their first frames; empty without the heuristic. */
    public List<StreamReport> streams() {
        return unbound;
    }

    /** Registrations, in the order of their first frames. */
    public List<RegistrationTable.Registration> registrations() {
        List<RegistrationTable.Registration> all = new ArrayList<>();
        for (CallTable table : assembly.callTables()) {
            all.addAll(table.registrations().registrations());
        }
        all.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
        return all;
    }

    /** The number of packets of the reported streams, each counted once. */
    public long rtpPackets() {
        return rtpPackets;
    }

    /** The number of SIP requests, retransmissions included. */
    public long sipRequests() {
        return assembly.callTables().stream().mapToLong(CallTable::requests).sum();
    }

    /** The number of SIP responses, retransmissions included. */
    public long sipResponses() {
        return assembly.callTables().stream().mapToLong(CallTable::responses).sum();
    }

    /** The number of distinct Call-IDs. */
    public long callIds() {
        return assembly.callTables().stream().mapToLong(CallTable::callIds).sum();
    }

    /** Calls and streams whose report failed because of a bug in this library; the place is where each began. */
    public PlacedCount failedReports() {
        return failedReports;
    }

    /** RTP packets that were skipped because the statistics failed at them. */
    public PlacedCount failedPackets() {
        PlacedCount sum = new PlacedCount();
        assembly.streamTables().forEach(table -> sum.add(table.failedPackets()));
        return sum;
    }

    /** The exception of one of these failures; null if there was none. */
    public @Nullable RuntimeException defect() {
        RuntimeException first = defect;
        for (StreamTable table : assembly.streamTables()) {
            first = first == null ? table.defect() : first;
        }
        return first;
    }

    /** What was not understood, dropped or evicted, by name, and where. */
    public Map<String, PlacedCount> counters() {
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
        sum(sums, "audioPausesDropped", droppedPauses);
        sum(sums, "clockSteps", clockStepCount);
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
