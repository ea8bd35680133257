package io.offhook.calls.points;

import org.jspecify.annotations.Nullable;

/**
 * Packets or messages that passed two points, all in the same direction on one path.
 *
 * @param path the hosts that they ran between, in an order that does not depend on the direction
 * @param isForward one of the two directions
 * @param call that they belong to; null if none is known
 * @param isFromCaller whether the caller of that call sent them
 * @param order 1 if the first point comes first on their way, -1 if the second does, 0 if that is not known
 * @param isMedia whether they are RTP; SIP may have waited in a proxy between the points
 * @param firstNs when they were at the first point, on the clock of A; not copied
 * @param differenceNs how much later they were at the second point, by its own clock; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // samples are compared by nobody
record ClockSamples(
        String path,
        boolean isForward,
        @Nullable String call,
        boolean isFromCaller,
        int order,
        boolean isMedia,
        long[] firstNs,
        long[] differenceNs) {

    int count() {
        return firstNs.length;
    }

    long startNs() {
        long start = Long.MAX_VALUE;
        for (long ns : firstNs) {
            start = Math.min(start, ns);
        }
        return start;
    }

    long spanNs() {
        long end = Long.MIN_VALUE;
        for (long ns : firstNs) {
            end = Math.max(end, ns);
        }
        return end - startNs();
    }
}
