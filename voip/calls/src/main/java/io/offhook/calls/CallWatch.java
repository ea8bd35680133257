package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Polls a live assembly and reports the calls that changed.
 *
 * <p>A call that is over and has been silent for {@link #SETTLE_NS}, its media included, is settled: it is reported
 * once more, and skipped from then on unless another packet of it arrives. A look therefore costs time in proportion to
 * the running calls.
 *
 * <p>Single-threaded; the assembly must not be fed during a look.
 */
public final class CallWatch {
    /** Longer than packets take that were on their way when the call ended. */
    private static final long SETTLE_NS = 5_000_000_000L;

    private final CallAssembly assembly;
    private final boolean joinsLegs;
    private final Map<Call, Told> announced = new HashMap<>();
    private final Map<MediaStream, Settled> settled = new HashMap<>();
    /** The streams of the current look that settle with their calls. */
    private final Map<MediaStream, Settled> bound = new HashMap<>();

    /** Each once, though several legs of a call may have one report. */
    private final List<CallReport> changed = new ArrayList<>();

    private final Set<CallReport> known = Collections.newSetFromMap(new IdentityHashMap<>());
    private long nowNs;
    private int look;

    /** What was last reported of a call. */
    private static final class Told {
        @Nullable
        Standing standing;
        /** The number of its messages when it settled; -1 if it has not. */
        int settledMessages = -1;
        /** The legs of the same call, itself included, and those that it became: they settle together. */
        List<Call> legs = List.of();
        /** The last arrival of its media, or {@link Call#NEVER}. */
        long mediaNs = Call.NEVER;

        int look;
    }

    /** A stream of settled calls; plain if it is not encrypted. */
    private record Settled(long packets, boolean isPlain, List<Call> calls) {}

    /** A problem without its time and value, which always change, and with reporter and message of its cause only. */
    private record Complaint(
            Problem.Kind kind,
            @Nullable ProblemSide side,
            @Nullable Endpoint reporter,
            IcmpEvent.@Nullable Message message) {
        static Complaint of(Problem problem) {
            IcmpEvent cause = problem.icmp();
            return new Complaint(
                    problem.kind(),
                    problem.side(),
                    cause == null ? null : cause.reporter(),
                    cause == null ? null : cause.message());
        }
    }

    /** What is reported again when it changes. */
    private record Standing(
            Outcome outcome,
            long ringingNs,
            long answeredNs,
            long endedNs,
            List<Complaint> problems,
            List<String> dialogs,
            List<CallReport.Relation> relations,
            boolean settled) {
        static Standing of(CallReport report, boolean settled) {
            List<Complaint> kinds = new ArrayList<>();
            for (Problem problem : report.problems()) {
                kinds.add(Complaint.of(problem));
            }
            return new Standing(
                    report.outcome(),
                    report.times().ringingNs(),
                    report.times().answeredNs(),
                    report.times().endedNs(),
                    kinds,
                    callIds(report),
                    report.joined().relations(),
                    settled);
        }
    }

    private static List<String> callIds(CallReport report) {
        List<String> callIds = new ArrayList<>(report.dialogs().size());
        for (CallReport.Dialog dialog : report.dialogs()) {
            callIds.add(dialog.callId());
        }
        return callIds;
    }

    /** Creates a watch that has not looked yet; each leg of a call is reported for itself. */
    public CallWatch(CallAssembly assembly) {
        this(assembly, false);
    }

    /**
     * Creates a watch that has not looked yet.
     *
     * @param joinsLegs whether the legs of a call are one report, that of the first of them; otherwise each has its own
     */
    public CallWatch(CallAssembly assembly, boolean joinsLegs) {
        this.assembly = assembly;
        this.joinsLegs = joinsLegs;
    }

    boolean joinsLegs() {
        return joinsLegs;
    }

    /**
     * Makes reports of the calls that are not settled, as they stand; {@link #changed()} returns those that changed.
     *
     * @param nowNs the current time, nanoseconds since the epoch
     * @param heuristic whether to report streams that belong to no call
     * @param mostlyRtp as for {@link CallReports#of}
     */
    public CallReports look(long nowNs, boolean heuristic, boolean mostlyRtp) {
        this.nowNs = nowNs;
        look++;
        changed.clear();
        known.clear();
        bound.clear();
        CallReports reports = CallReports.watched(assembly, nowNs, heuristic, mostlyRtp, this);
        bound.forEach((stream, as) -> {
            if (areSettled(as.calls())) {
                settled.put(stream, as);
            }
        });
        announced.values().removeIf(gone -> gone.look != look);
        return reports;
    }

    /** The calls that are new, have progressed, have other problems, or have settled since the look before. */
    public List<CallReport> changed() {
        return List.copyOf(changed);
    }

    /**
     * Called before a look: unsettles the calls of streams with new packets, and all other calls of their streams.
     *
     * @param streams all streams kept
     */
    void wake(List<MediaStream> streams, StreamBinder binder) {
        Map<MediaStream, Settled> before = new HashMap<>(settled);
        settled.clear();
        for (MediaStream stream : streams) {
            Settled last = before.get(stream);
            if (last != null && last.packets() == stream.statistics().packets()) {
                settled.put(stream, last);
            } else {
                unsettle(stream, binder);
            }
        }
        boolean more = true;
        while (more) {
            more = settled.values().removeIf(this::isAwake);
        }
    }

    private void unsettle(MediaStream stream, StreamBinder binder) {
        try {
            binder.bind(stream).forEach(bond -> unsettle(bond.call()));
        } catch (RuntimeException _) {
            // fails once more, and is counted, when the stream is bound for its report
        }
    }

    private boolean isAwake(Settled stream) {
        if (areSettled(stream.calls())) {
            return false;
        }
        stream.calls().forEach(this::unsettle);
        return true;
    }

    private void unsettle(Call call) {
        Told last = announced.get(call);
        if (last != null) {
            last.settledMessages = -1;
        }
    }

    private boolean areSettled(List<Call> calls) {
        for (Call call : calls) {
            if (!isSettled(call)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a call needs no report; asked in each look as long as the call is kept. */
    boolean isSettled(Call call) {
        Told last = announced.get(call);
        if (last == null || last.settledMessages != call.messages()) {
            return false;
        }
        for (Call leg : last.legs) {
            Told other = announced.get(leg);
            if (other != null && other.settledMessages != leg.messages()) {
                return false;
            }
        }
        last.look = look;
        return true;
    }

    boolean isSettled(MediaStream stream) {
        return settled.containsKey(stream);
    }

    /** Whether a settled stream is not encrypted. */
    boolean isPlain(MediaStream stream) {
        Settled known = settled.get(stream);
        return known != null && known.isPlain();
    }

    /** Records the calls that a stream belongs to, which may be none. */
    void bound(MediaStream stream, List<StreamBinder.Bond> bonds, boolean isPlain) {
        List<Call> calls = new ArrayList<>(bonds.size());
        for (StreamBinder.Bond bond : bonds) {
            calls.add(bond.call());
            Told last = announced.computeIfAbsent(bond.call(), call -> new Told());
            last.look = look;
            last.mediaNs = Math.max(last.mediaNs, stream.lastArrivalNs());
            last.settledMessages = -1;
        }
        if (!calls.isEmpty()) {
            bound.put(stream, new Settled(stream.statistics().packets(), isPlain, List.copyOf(calls)));
        }
    }

    /**
     * Records the report of a call, after all its streams were bound.
     *
     * @param legs those of the same call, itself included, and the calls that it became
     */
    void reported(CallJoins.Reported reported, List<Call> legs) {
        Call call = reported.call();
        Told last = announced.computeIfAbsent(call, c -> new Told());
        last.look = look;
        boolean settles = true;
        for (Call leg : legs) {
            settles &= isQuiet(leg);
        }
        last.legs = settles && legs.size() > 1 ? List.copyOf(legs) : List.of();
        last.settledMessages = settles ? call.messages() : -1;
        Standing standing = Standing.of(reported.report(), settles);
        if (!standing.equals(last.standing)) {
            last.standing = standing;
            if (known.add(reported.report())) {
                changed.add(reported.report());
            }
        }
    }

    private boolean isQuiet(Call call) {
        Told last = announced.get(call);
        long mediaNs = last == null ? Call.NEVER : last.mediaNs;
        return call.isOver() && nowNs - Math.max(call.lastSeenNs(), mediaNs) > SETTLE_NS;
    }
}
