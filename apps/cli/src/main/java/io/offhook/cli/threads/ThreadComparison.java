package io.offhook.cli.threads;

import io.offhook.monitor.LaneUse;
import io.offhook.monitor.StateTimes;
import io.offhook.monitor.ThreadUse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Threads of two recordings, matched by name: those of a pool, whose names differ in numbers only, together. The largest
 * difference in time on a processor and in run queues comes first.
 */
final class ThreadComparison {
    /** From here on a difference stands out: a share of a processor. */
    static final double MUCH = 0.01;

    private static final double NS_A_SECOND = 1e9;

    private ThreadComparison() {}

    /**
     * What the threads of one name did in one recording.
     *
     * @param threads how many there were, those that ended, too
     * @param cpu the processors that they had together, in the mean of the whole recording
     * @param user the part in user mode
     * @param system the part in system mode
     * @param peak the highest mean of 15 seconds of one of them
     * @param runQueue how many of them waited for a processor, in the mean; NaN if that is not known
     * @param voluntary switches a second by which they gave a processor up
     * @param involuntary switches a second by which one was taken away
     * @param migrations moves a second to another processor; NaN if that is not known
     * @param states how long they were in the states of Java, together; no time if they run no Java code
     * @param duty of those that are lanes, the part of their time in which they had work; NaN if none is
     */
    record Side(
            int threads,
            double cpu,
            double user,
            double system,
            double peak,
            double runQueue,
            double voluntary,
            double involuntary,
            double migrations,
            StateTimes states,
            double duty) {
        static Side of(List<ThreadTotals.Total> threads, long lengthNs) {
            ThreadUse sum = new ThreadUse(0, 0, 0, 0, 0, 0, 0);
            double peak = 0;
            StateTimes states = StateTimes.NONE;
            LaneUse lane = new LaneUse(0, 0, 0, 0, 0, 0, 0);
            for (ThreadTotals.Total thread : threads) {
                sum = sum.plus(thread.use());
                states = states.plus(thread.states());
                lane = lane.plus(thread.lane());
                peak = Math.max(peak, thread.peak());
            }
            double ns = lengthNs;
            double seconds = ns / NS_A_SECOND;
            return new Side(
                    threads.size(),
                    (sum.userNs() + sum.systemNs()) / ns,
                    sum.userNs() / ns,
                    sum.systemNs() / ns,
                    peak,
                    sum.waitedNs() < 0 ? Double.NaN : sum.waitedNs() / ns,
                    sum.voluntarySwitches() / seconds,
                    sum.involuntarySwitches() / seconds,
                    sum.migrations() < 0 ? Double.NaN : sum.migrations() / seconds,
                    states,
                    lane.duty());
        }
    }

    /**
     * Threads of one name.
     *
     * @param name {@code #} stands for numbers, if they differ
     */
    record Pair(String name, Side a, Side b) {
        /** By how much they differ: processors had, and wanted. */
        double difference() {
            double runQueue = Math.abs(b.runQueue - a.runQueue);
            return Math.abs(b.cpu - a.cpu) + (Double.isNaN(runQueue) ? 0 : runQueue);
        }

        private double switches() {
            return Math.abs(b.voluntary - a.voluntary) + Math.abs(b.involuntary - a.involuntary);
        }
    }

    static List<Pair> of(ComparedRecording a, ComparedRecording b) {
        Map<String, List<ThreadTotals.Total>> ofA = byPattern(a);
        Map<String, List<ThreadTotals.Total>> ofB = byPattern(b);
        List<Pair> pairs = new ArrayList<>();
        Map<String, List<ThreadTotals.Total>> all = new LinkedHashMap<>(ofA);
        ofB.forEach(all::putIfAbsent);
        for (String pattern : all.keySet()) {
            List<ThreadTotals.Total> inA = ofA.getOrDefault(pattern, List.of());
            List<ThreadTotals.Total> inB = ofB.getOrDefault(pattern, List.of());
            pairs.add(new Pair(name(pattern, inA, inB), Side.of(inA, a.lengthNs()), Side.of(inB, b.lengthNs())));
        }
        pairs.sort(Comparator.comparingDouble(Pair::difference)
                .thenComparingDouble(Pair::switches)
                .reversed());
        return pairs;
    }

    private static Map<String, List<ThreadTotals.Total>> byPattern(ComparedRecording recording) {
        Map<String, List<ThreadTotals.Total>> threads = new LinkedHashMap<>();
        for (ThreadTotals.Total thread : recording.threads()) {
            threads.computeIfAbsent(pattern(thread.name()), _ -> new ArrayList<>())
                    .add(thread);
        }
        return threads;
    }

    /** "pool-1-thread-7" as "pool-#-thread-#". */
    static String pattern(String name) {
        return name.replaceAll("[0-9]+", "#");
    }

    private static String name(String pattern, List<ThreadTotals.Total> a, List<ThreadTotals.Total> b) {
        List<ThreadTotals.Total> all = new ArrayList<>(a);
        all.addAll(b);
        String first = all.getFirst().name();
        return all.stream().allMatch(thread -> thread.name().equals(first)) ? first : pattern;
    }
}
