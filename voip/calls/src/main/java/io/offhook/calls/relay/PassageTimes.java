package io.offhook.calls.relay;

import io.offhook.rtp.PacketLog;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The packets of a stream at two points, each number compared: what arrived, and how long it took. Over the range from the
 * first to the last number that was captured at both; of copies the first counts.
 *
 * @param present numbers captured at the first point
 * @param lost of these, not captured at the second, and of a payload type that the second has
 * @param lostBefore numbers that the first point lacks
 * @param extra numbers that only the second has
 * @param stripped of those present, not captured at the second, whose payload type it never has
 * @param medianMs the median of the time from the first to the second, by nearest rank
 * @param p95Ms its 95th percentile
 * @param maxMs the longest
 * @param spreadMs the 95th percentile less the 5th
 */
public record PassageTimes(
        long present,
        long lost,
        long lostBefore,
        long extra,
        long stripped,
        double medianMs,
        double p95Ms,
        double maxMs,
        double spreadMs) {

    private static boolean isWhole(PacketLog log) {
        return !log.isSample() && log.dropped() == 0;
    }

    /** Compares what was logged at two points; null if a log is not there or not complete, or they have nothing in common. */
    static @Nullable PassageTimes of(StreamPoint from, StreamPoint to) {
        PacketLog before = from.log();
        PacketLog after = to.log();
        return before == null || after == null ? null : of(from, to, PacketPairs.exact(before, after));
    }

    /**
     * The figures of pairs; null if a log is not complete.
     *
     * @param pairs packets of the logs of both points
     */
    static @Nullable PassageTimes of(StreamPoint from, StreamPoint to, PacketPairs pairs) {
        PacketLog before = from.log();
        PacketLog after = to.log();
        if (before == null || after == null || !isWhole(before) || !isWhole(after) || pairs.count() == 0) {
            return null;
        }
        double[] delays = new double[pairs.count()];
        int first = before.size();
        int last = -1;
        int firstAfter = after.size();
        int lastAfter = -1;
        for (int i = 0; i < delays.length; i++) {
            delays[i] = pairs.delayNs(i) / 1e6;
            first = Math.min(first, pairs.first(i));
            last = Math.max(last, pairs.first(i));
            firstAfter = Math.min(firstAfter, pairs.second(i));
            lastAfter = Math.max(lastAfter, pairs.second(i));
        }
        Arrays.sort(delays);
        boolean[] hasType = new boolean[128];
        for (int i = 0; i < after.size(); i++) {
            hasType[after.payloadType(i)] = true;
        }
        long present = 0;
        long missing = 0;
        long stripped = 0;
        long[] numbers = numbers(before);
        long lowest = Long.MAX_VALUE;
        long highest = Long.MIN_VALUE;
        for (int i = first; i <= last; i++) {
            if (pairs.isFirstOfFirst(i)) {
                boolean isMissing = !pairs.isPassedOn(i);
                present++;
                missing += isMissing ? 1 : 0;
                stripped += isMissing && !hasType[before.payloadType(i)] ? 1 : 0;
                lowest = Math.min(lowest, numbers[i]);
                highest = Math.max(highest, numbers[i]);
            }
        }
        boolean[] known = pairs.isKnown();
        long extra = 0;
        for (int i = firstAfter; i <= lastAfter; i++) {
            extra += pairs.isFirstOfSecond(i) && !known[i] ? 1 : 0;
        }
        return new PassageTimes(
                present,
                missing - stripped,
                Math.max(0, highest - lowest + 1 - present),
                extra,
                stripped,
                rank(delays, 0.5),
                rank(delays, 0.95),
                delays[delays.length - 1],
                rank(delays, 0.95) - rank(delays, 0.05));
    }

    /** The sequence numbers of all packets, without their cycles. */
    private static long[] numbers(PacketLog log) {
        long[] numbers = new long[log.size()];
        long highest = log.size() == 0 ? 0 : log.sequenceNumber(0);
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = highest + (short) (log.sequenceNumber(i) - highest);
            highest = Math.max(highest, numbers[i]);
        }
        return numbers;
    }

    /** The nearest rank. */
    private static double rank(double[] sorted, double share) {
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }
}
