package io.offhook.calls.statistics;

import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What many calls have in common. All lists have the most frequent first, equals in the order of their names.
 *
 * @param figures of all calls
 * @param busyHour the hour with the most attempts; null if no INVITE was captured
 * @param outcomes how the calls ended
 * @param statuses final responses to INVITEs; calls without one do not count
 * @param causes causes of Q.850 in Reason headers
 * @param codecs agreed by SDP; calls without one do not count
 * @param software User-Agent and Server of callers and callees, a call with the same on both sides once
 * @param trunks by signalling address, those with the most calls first
 */
public record CallStatistics(
        CallFigures figures,
        @Nullable BusyHour busyHour,
        List<Tally<Outcome>> outcomes,
        List<Tally<Integer>> statuses,
        List<Tally<Integer>> causes,
        List<Tally<String>> codecs,
        List<Tally<String>> software,
        List<TrunkFigures> trunks) {

    /**
     * How many calls have something in common.
     *
     * @param what they have in common
     * @param calls the number of calls
     * @param <T> its type
     */
    public record Tally<T>(T what, int calls) {}

    /** An address and its part in a call. */
    private record Trunk(String address, boolean isReceiver) {}

    /** The statistics of these calls. */
    public static CallStatistics of(List<CallReport> calls) {
        Counts<Outcome> outcomes = new Counts<>();
        Counts<Integer> statuses = new Counts<>();
        Counts<Integer> causes = new Counts<>();
        Counts<String> codecs = new Counts<>();
        Counts<String> software = new Counts<>();
        Map<Trunk, List<CallReport>> byTrunk = new HashMap<>();
        for (CallReport call : calls) {
            outcomes.add(call.outcome());
            statuses.add(call.finalStatus() == 0 ? null : call.finalStatus());
            int cause = call.headers().reason().q850Cause();
            causes.add(cause < 0 ? null : cause);
            codecs.add(call.codec());
            String caller = call.headers().callerSoftware();
            String callee = call.headers().calleeSoftware();
            software.add(caller);
            software.add(callee != null && callee.equals(caller) ? null : callee);
            for (Trunk trunk : trunks(call)) {
                byTrunk.computeIfAbsent(trunk, key -> new ArrayList<>()).add(call);
            }
        }
        return new CallStatistics(
                CallFigures.of(calls),
                BusyHour.of(calls),
                outcomes.list(),
                statuses.list(),
                causes.list(),
                codecs.list(),
                software.list(),
                figures(byTrunk));
    }

    /** Each address once for each part, however many hops begin or end there. */
    private static Set<Trunk> trunks(CallReport call) {
        Set<Trunk> trunks = new HashSet<>();
        for (CallReport.Leg leg : call.legs()) {
            trunks.add(new Trunk(leg.source().addressText(), false));
            trunks.add(new Trunk(leg.destination().addressText(), true));
        }
        return trunks;
    }

    private static List<TrunkFigures> figures(Map<Trunk, List<CallReport>> byTrunk) {
        List<TrunkFigures> figures = new ArrayList<>();
        byTrunk.forEach((trunk, calls) ->
                figures.add(new TrunkFigures(trunk.address, trunk.isReceiver, CallFigures.of(calls))));
        figures.sort(
                Comparator.comparingInt((TrunkFigures trunk) -> -trunk.figures().calls())
                        .thenComparing(TrunkFigures::address)
                        .thenComparing(TrunkFigures::isReceiver));
        return List.copyOf(figures);
    }

    /** Counts by what is counted, in its order. */
    private static final class Counts<T extends Comparable<? super T>> {
        private final Map<T, Integer> byWhat = new TreeMap<>();

        /** @param what null for nothing */
        void add(@Nullable T what) {
            if (what != null) {
                byWhat.merge(what, 1, Integer::sum);
            }
        }

        List<Tally<T>> list() {
            List<Tally<T>> tallies = new ArrayList<>();
            byWhat.forEach((what, calls) -> tallies.add(new Tally<>(what, calls)));
            tallies.sort(Comparator.comparingInt(tally -> -tally.calls));
            return List.copyOf(tallies);
        }
    }
}
