package io.offhook.calls.points;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Matches the packets of a stream at two points by sequence number and timestamp. A packet that a point has twice counts
 * once, when it first arrived.
 */
public final class PointComparison {
    /** Matches from which two lists are the same stream, if there is no reason to ask for fewer. */
    public static final int LEAST_MATCHES = 32;

    /** Of the packets of the point that has fewer, in the common range. */
    private static final double LEAST_SHARE = 0.8;

    /** A greater gap of numbers is a restart of the stream (RFC 3550, A.1), not a loss. */
    private static final long MAX_DROPOUT = 3000;

    private final long[] firstNs;
    private final long[] secondNs;
    private final SegmentFigures figures;

    private PointComparison(long[] firstNs, long[] secondNs, SegmentFigures figures) {
        this.firstNs = firstNs;
        this.secondNs = secondNs;
        this.figures = figures;
    }

    /**
     * Compares two points.
     *
     * @param leastMatches packets that both must have, 1 or more
     * @return null if the points do not have the same stream
     */
    public static @Nullable PointComparison of(PointPackets first, PointPackets second, int leastMatches) {
        Map<Long, Integer> atFirst = distinct(first);
        Map<Long, Integer> atSecond = distinct(second);
        long[] firstNs = new long[Math.min(atFirst.size(), atSecond.size())];
        long[] secondNs = new long[firstNs.length];
        int matched = 0;
        long from = Long.MAX_VALUE;
        long until = Long.MIN_VALUE;
        for (int i = 0; i < first.count(); i++) {
            Integer other = atSecond.get(first.identity(i));
            if (other != null && isDistinct(atFirst, first, i)) {
                firstNs[matched] = first.arrivalNs(i);
                secondNs[matched++] = second.arrivalNs(other);
                from = Math.min(from, first.number(i));
                until = Math.max(until, first.number(i));
            }
        }
        if (matched < leastMatches) {
            return null;
        }
        long[] numbers = numbers(first, atFirst, from, until);
        long extra = extra(first, second, atFirst, from, until);
        if (matched < LEAST_SHARE * Math.min(numbers.length, matched + extra)) {
            return null;
        }
        firstNs = Arrays.copyOf(firstNs, matched);
        secondNs = Arrays.copyOf(secondNs, matched);
        return new PointComparison(
                firstNs,
                secondNs,
                new SegmentFigures(
                        matched,
                        numbers.length,
                        numbers.length - matched,
                        missing(numbers),
                        extra,
                        delay(firstNs, secondNs)));
    }

    private static Map<Long, Integer> distinct(PointPackets packets) {
        Map<Long, Integer> indexes = HashMap.newHashMap(packets.count());
        for (int i = 0; i < packets.count(); i++) {
            indexes.putIfAbsent(packets.identity(i), i);
        }
        return indexes;
    }

    private static boolean isDistinct(Map<Long, Integer> indexes, PointPackets packets, int i) {
        Integer index = indexes.get(packets.identity(i));
        return index != null && index == i;
    }

    /** The numbers of a range, each once, ascending. */
    private static long[] numbers(PointPackets packets, Map<Long, Integer> indexes, long from, long until) {
        long[] numbers = new long[indexes.size()];
        int count = 0;
        for (int i : indexes.values()) {
            long number = packets.number(i);
            if (number >= from && number <= until) {
                numbers[count++] = number;
            }
        }
        numbers = Arrays.copyOf(numbers, count);
        Arrays.sort(numbers);
        return numbers;
    }

    private static long missing(long[] numbers) {
        long missing = 0;
        for (int i = 1; i < numbers.length; i++) {
            long step = numbers[i] - numbers[i - 1];
            missing += step > 1 && step <= MAX_DROPOUT ? step - 1 : 0;
        }
        return missing;
    }

    /** The packets of the second point within the range that the first lacks. */
    private static long extra(
            PointPackets first, PointPackets second, Map<Long, Integer> atFirst, long from, long until) {
        Map<Long, Integer> atSecond = distinct(second);
        long extra = 0;
        long cycles = 0;
        boolean isAligned = false;
        for (int i = 0; i < second.count(); i++) {
            Integer other = atFirst.get(second.identity(i));
            if (other != null) {
                // a capture that began before the numbers wrapped counts another cycle
                cycles = first.number(other) - second.number(i);
                isAligned = true;
            } else if (isAligned && isDistinct(atSecond, second, i)) {
                long number = second.number(i) + cycles;
                extra += number >= from && number <= until ? 1 : 0;
            }
        }
        return extra;
    }

    private static SegmentFigures.Delay delay(long[] firstNs, long[] secondNs) {
        long[] differences = new long[firstNs.length];
        for (int i = 0; i < differences.length; i++) {
            differences[i] = secondNs[i] - firstNs[i];
        }
        Arrays.sort(differences);
        double p95 = ranked(differences, 95) / 1e6;
        return new SegmentFigures.Delay(
                ranked(differences, 50) / 1e6,
                p95,
                differences[differences.length - 1] / 1e6,
                p95 - ranked(differences, 5) / 1e6);
    }

    /** The value at a percentile of ascending values, by nearest rank. */
    static long ranked(long[] ascending, int percent) {
        return ascending[Math.max(1, (int) Math.ceil(percent / 100.0 * ascending.length)) - 1];
    }

    /** The figures of the segment between the points. */
    public SegmentFigures figures() {
        return figures;
    }

    /** The number of matched packets. */
    int matched() {
        return firstNs.length;
    }

    long firstNs(int match) {
        return firstNs[match];
    }

    /** How much later a matched packet was at the second point, nanoseconds; across clocks with their offset. */
    long differenceNs(int match) {
        return secondNs[match] - firstNs[match];
    }
}
