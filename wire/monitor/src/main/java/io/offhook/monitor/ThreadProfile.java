package io.offhook.monitor;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a thread of a JVM ran and allocated in a time, such as since the watch began, by Flight Recorder.
 *
 * @param samples how often the thread was found running Java code; the JVM looks each 20 ms, at five of those that run, at most
 * @param methods in which it was found, the most frequent first; of a watch ten at most
 * @param allocatedBytes on the heap, exact, between the first and the last report of the JVM, which are some seconds apart
 * @param allocationNs the time between these reports, in nanoseconds; 0 before there are two
 */
public record ThreadProfile(long samples, List<HotMethod> methods, long allocatedBytes, long allocationNs) {
    /** What methods are called that are not told apart. */
    static final String OTHER_METHODS = "(other methods)";

    /** The most methods that are told apart. */
    static final int MOST_METHODS = 1000;

    private static final double NS_A_SECOND = 1e9;

    /** Of a thread that was not seen. */
    public static final ThreadProfile NOTHING = new ThreadProfile(0, List.of(), 0, 0);

    /**
     * A method at the top of a stack.
     *
     * @param name with its class and package, such as {@code java.util.HashMap.getNode}
     * @param samples in which it was there
     */
    public record HotMethod(String name, long samples) {}

    static ThreadProfile of(long samples, Map<String, Long> methods, long allocatedBytes, long allocationNs) {
        List<HotMethod> hot = methods.entrySet().stream()
                .map(entry -> new HotMethod(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingLong((HotMethod method) -> -method.samples())
                        .thenComparing(HotMethod::name))
                .toList();
        return new ThreadProfile(samples, hot, allocatedBytes, allocationNs);
    }

    /** This and what it ran and allocated in another time: of methods, the 1,000 most frequent, and the rest as one. */
    public ThreadProfile plus(ThreadProfile other) {
        Map<String, Long> sums = new HashMap<>();
        methods.forEach(method -> sums.merge(method.name(), method.samples(), Long::sum));
        other.methods.forEach(method -> sums.merge(method.name(), method.samples(), Long::sum));
        return of(
                        samples + other.samples,
                        sums,
                        allocatedBytes + other.allocatedBytes,
                        allocationNs + other.allocationNs)
                .withMost(MOST_METHODS);
    }

    /** The most frequent methods, and the rest as one, {@code (other methods)}, where there are more. */
    public ThreadProfile withMost(int most) {
        if (methods.size() <= most) {
            return this;
        }
        Map<String, Long> kept = new HashMap<>();
        for (int i = 0; i < methods.size(); i++) {
            HotMethod method = methods.get(i);
            kept.merge(i < most - 1 ? method.name() : OTHER_METHODS, method.samples(), Long::sum);
        }
        return of(samples, kept, allocatedBytes, allocationNs);
    }

    /** The part of the samples of the thread that a method has, 0 to 1. */
    public double share(HotMethod method) {
        return samples == 0 ? 0 : (double) method.samples() / samples;
    }

    /** Bytes a second; NaN before there are two reports. */
    public double allocationRate() {
        return allocationNs <= 0 ? Double.NaN : allocatedBytes * NS_A_SECOND / allocationNs;
    }
}
