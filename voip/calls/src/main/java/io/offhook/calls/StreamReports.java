package io.offhook.calls;

import io.offhook.rtp.CaptureClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reports of the streams of an assembly: those of each call, and those that belong to none.
 *
 * <p>Streams that SDP announces are bound first. The others belong to the only call whose SDP was not captured and whose
 * hosts and time fit, or to none; they must look like RTP, since nothing but their packets says that they are.
 */
final class StreamReports {
    /** The number of consecutive packets that a stream needs to be reported by the heuristic. */
    private static final int BELIEVABLE_PACKETS = 3;

    private final boolean heuristic;
    private final boolean mostlyRtp;
    /** The streams that need no report; null if all do. */
    private final @Nullable CallWatch watch;

    private final StreamBinder binder;
    private final StreamReporter reporter;
    private final ReportCounters counters;
    private final CallAssembly assembly;
    /** Null until an assigned stream asks for it. */
    private @Nullable Map<String, Call> byCallId;

    private final Map<Call, List<StreamReport>> byCall = new HashMap<>();
    private final List<StreamReport> unbound = new ArrayList<>();
    private List<CaptureClock.Step> clockSteps = List.of();
    private long packets;

    /**
     * Makes the reports.
     *
     * @param heuristic whether to report streams that belong to no call
     * @param mostlyRtp whether a single packet makes a stream
     * @param watch knows the streams that need no report; null if all do
     * @param counters of what fails and of what was dropped
     */
    StreamReports(
            CallAssembly assembly,
            StreamReporter reporter,
            boolean heuristic,
            boolean mostlyRtp,
            @Nullable CallWatch watch,
            ReportCounters counters) {
        this.assembly = assembly;
        this.heuristic = heuristic;
        this.mostlyRtp = mostlyRtp;
        this.watch = watch;
        this.reporter = reporter;
        this.counters = counters;
        binder = new StreamBinder(assembly.bindings(), callsWithoutDescription(assembly));
        report(streams(assembly));
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

    private static List<MediaStream> streams(CallAssembly assembly) {
        List<MediaStream> streams = new ArrayList<>();
        for (StreamTable table : assembly.streamTables()) {
            streams.addAll(table.streams());
        }
        streams.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
        return streams;
    }

    private void report(List<MediaStream> streams) {
        if (watch != null) {
            watch.wake(streams, binder);
        }
        clockSteps = StreamEnds.clockSteps(streams);
        counters.clockSteps(clockSteps);
        List<MediaStream> unannounced = new ArrayList<>();
        for (MediaStream stream : streams) {
            counters.dropped(stream);
            if (watch != null && watch.isSettled(stream)) {
                packets += stream.statistics().packets();
                if (watch.isPlain(stream)) {
                    counters.droppedKeys(stream);
                }
            } else {
                try {
                    bind(stream, unannounced);
                } catch (RuntimeException e) { // a bug costs the report of that stream
                    counters.failed(stream.firstFrame(), stream.statistics().firstNs(), e);
                }
            }
        }
        for (MediaStream stream : unannounced) {
            try {
                bindByHosts(stream);
            } catch (RuntimeException e) {
                counters.failed(stream.firstFrame(), stream.statistics().firstNs(), e);
            }
        }
        for (List<StreamReport> reports : byCall.values()) {
            reports.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
        }
    }

    private void bind(MediaStream stream, List<MediaStream> unannounced) {
        List<StreamBinder.Bond> bonds = binder.bind(stream);
        if (bonds.isEmpty()) {
            unannounced.add(stream);
            return;
        }
        attach(stream, bonds);
        packets += stream.statistics().packets();
    }

    /** Binds a stream without SDP, or reports it on its own. */
    private void bindByHosts(MediaStream stream) {
        Call assigned = assigned(stream);
        List<StreamBinder.Bond> bonds = List.of();
        if (assigned != null) {
            bonds = StreamBinder.bindAssigned(stream, assigned);
        } else if (isBelievable(stream)) {
            bonds = binder.bindByHosts(stream);
        }
        attach(stream, bonds);
        boolean reported = heuristic && bonds.isEmpty() && isBelievable(stream);
        if (reported) {
            unbound.add(reporter.report(stream, null));
        }
        packets += reported || !bonds.isEmpty() ? stream.statistics().packets() : 0;
    }

    /** The call that an agent assigned a stream to; null if none did, or the call is unknown. */
    private @Nullable Call assigned(MediaStream stream) {
        String callId = assembly.mediaReports().callId(stream.source(), stream.destination());
        if (callId == null) {
            return null;
        }
        Map<String, Call> known = byCallId;
        if (known == null) {
            known = new HashMap<>();
            for (CallTable table : assembly.callTables()) {
                for (Call call : table.calls()) {
                    known.put(call.callId(), call);
                }
            }
            byCallId = known;
        }
        return known.get(callId);
    }

    private void attach(MediaStream stream, List<StreamBinder.Bond> bonds) {
        StreamReporter.setCodecs(stream, bonds);
        boolean isPlain = false;
        boolean first = true;
        for (StreamBinder.Bond bond : bonds) {
            StreamReport report = reporter.report(stream, bond);
            byCall.computeIfAbsent(bond.call(), call -> new ArrayList<>(2)).add(report);
            isPlain |= first && !report.isEncrypted();
            first = false;
        }
        if (isPlain) {
            counters.droppedKeys(stream);
        }
        if (watch != null) {
            watch.bound(stream, bonds, isPlain);
        }
    }

    /** Whether this is RTP and not random bytes, whose sequence numbers do not follow each other. */
    private boolean isBelievable(MediaStream stream) {
        return (stream.statistics().distinct() >= BELIEVABLE_PACKETS || mostlyRtp)
                && stream.statistics().strays() * 2 < stream.statistics().packets();
    }

    /** Where the clock of the capture was set. */
    List<CaptureClock.Step> clockSteps() {
        return clockSteps;
    }

    /** The streams of each call that has some, in the order of their first frames. */
    Map<Call, List<StreamReport>> byCall() {
        return byCall;
    }

    /** The streams of a call, in the order of their first frames. */
    List<StreamReport> of(Call call) {
        return byCall.getOrDefault(call, List.of());
    }

    /** Streams that belong to no call, in the order of their first frames; empty without the heuristic. */
    List<StreamReport> unbound() {
        return unbound;
    }

    /** The number of packets of the reported streams, each counted once. */
    long packets() {
        return packets;
    }
}
