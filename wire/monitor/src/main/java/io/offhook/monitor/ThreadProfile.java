package io.offhook.monitor;

import java.util.List;

/**
 * What a thread of a JVM ran and allocated since the watch began, by Flight Recorder.
 *
 * @param samples how often the thread was found running Java code; the JVM looks each 20 ms, at five of those that run, at most
 * @param methods in which it was found, the most frequent first, ten at most
 * @param allocatedBytes on the heap, exact, between the first and the last report of the JVM, which are some seconds apart
 * @param allocationNs the time between these reports, in nanoseconds; 0 before there are two
 */
public record ThreadProfile(long samples, List<HotMethod> methods, long allocatedBytes, long allocationNs) {
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

    /** The part of the samples of the thread that a method has, 0 to 1. */
    public double share(HotMethod method) {
        return samples == 0 ? 0 : (double) method.samples() / samples;
    }

    /** Bytes a second; NaN before there are two reports. */
    public double allocationRate() {
        return allocationNs <= 0 ? Double.NaN : allocatedBytes * NS_A_SECOND / allocationNs;
    }
}
