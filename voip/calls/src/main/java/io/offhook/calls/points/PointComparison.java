package io.offhook.calls.points;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Matches the packets of a stream at two points by sequence number and timestamp. A packet that a point has twice counts
 * once, when it first arrived.
 *
 * <p>The stretch that is compared goes from the first to the last packet that both have, and further where the capture
 * at the other point was running: a stream that stops arriving is lost, one whose capture was ended is not.
 */
public final class PointComparison {
    /** Matches from which two lists are the same stream, if there is no reason to ask for fewer. */
    public static final int LEAST_MATCHES = 32;

    /** Of the packets of the point that has fewer, between the first and the last match. */
    private static final double LEAST_SHARE = 0.8;

    /** A greater gap of numbers is a restart of the stream (RFC 3550, A.1), unless its timestamps prove the loss. */
    private static final int MAX_DROPOUT = 3000;

    private static final double MOST_DEVIATION = 0.1;
    private static final long MOST_MARGIN_NS = 1_000_000_000;

    private final PointPackets first;
    private final PointPackets second;
    private final PacketIndex atFirst;
    private final PacketIndex atSecond;
    /** Places of the matched packets in both lists. */
    private int[] firsts;

    private int[] seconds;

    private PointComparison(PointPackets first, PointPackets second) {
        this.first = first;
        this.second = second;
        atFirst = new PacketIndex(first);
        atSecond = new PacketIndex(second);
        firsts = new int[Math.min(first.count(), second.count())];
        seconds = new int[firsts.length];
        int matched = 0;
        for (int i = 0; i < first.count(); i++) {
            int other = atFirst.isFirst(i) ? atSecond.find(first.identity(i)) : PacketIndex.NONE;
            if (other != PacketIndex.NONE) {
                firsts[matched] = i;
                seconds[matched++] = other;
            }
        }
        firsts = Arrays.copyOf(firsts, matched);
        seconds = Arrays.copyOf(seconds, matched);
    }

    /**
     * Compares two points.
     *
     * @param leastMatches packets that both must have, 1 or more
     * @return null if the points do not have the same stream
     */
    public static @Nullable PointComparison of(PointPackets first, PointPackets second, int leastMatches) {
        PointComparison comparison = new PointComparison(first, second);
        int matched = comparison.matched();
        if (matched < leastMatches) {
            return null;
        }
        SegmentFigures figures = comparison.figures();
        boolean isSame = matched >= LEAST_SHARE * Math.min(figures.present(), figures.arrived());
        return isSame ? comparison : null;
    }

    /** Compares two points of which is known that they have the same stream; null if no packet is at both. */
    static @Nullable PointComparison ofSame(PointPackets first, PointPackets second) {
        PointComparison comparison = new PointComparison(first, second);
        return comparison.matched() == 0 ? null : comparison;
    }

    /** The figures of the segment between the points, from the first to the last packet that both have, on one clock. */
    public SegmentFigures figures() {
        return figures(ClockLine.SAME, CaptureWindow.UNKNOWN, ClockLine.SAME, CaptureWindow.UNKNOWN);
    }

    /**
     * The figures of the segment between the points.
     *
     * @param firstClock of the first point
     * @param firstWindow when the first point captured, on the clock of A
     * @param secondClock of the second point
     * @param secondWindow when the second point captured, on the clock of A
     */
    SegmentFigures figures(
            ClockLine firstClock, CaptureWindow firstWindow, ClockLine secondClock, CaptureWindow secondWindow) {
        long[] delays = delays(firstClock, secondClock);
        long medianNs = ranked(delays, 50);
        // a packet that was faster or slower than most may have passed the other point before or after the capture
        long marginNs = Math.min(delays[delays.length - 1] - delays[0], MOST_MARGIN_NS);
        boolean[] due = due(first, firsts, firstClock, secondWindow.shifted(-medianNs, marginNs));
        boolean[] dueAtFirst = due(second, seconds, secondClock, firstWindow.shifted(medianNs, marginNs));
        long present = count(due, atFirst);
        long extra = 0;
        for (int i = 0; i < dueAtFirst.length; i++) {
            extra += dueAtFirst[i] && atSecond.isFirst(i) && atFirst.find(second.identity(i)) == PacketIndex.NONE
                    ? 1
                    : 0;
        }
        return new SegmentFigures(
                matched(), present, present - matched(), Math.max(0, missing(due) - extra), extra, delay(delays));
    }

    private static long count(boolean[] due, PacketIndex index) {
        long count = 0;
        for (int i = 0; i < due.length; i++) {
            count += due[i] && index.isFirst(i) ? 1 : 0;
        }
        return count;
    }

    /** Which packets of a point the other one should have: those between matches, and those that it would have captured. */
    private static boolean[] due(PointPackets packets, int[] matches, ClockLine clock, CaptureWindow window) {
        int from = packets.count();
        int until = -1;
        for (int match : matches) {
            from = Math.min(from, match);
            until = Math.max(until, match);
        }
        boolean[] due = new boolean[packets.count()];
        for (int i = 0; i < due.length; i++) {
            due[i] = i >= from && i <= until || window.contains(clock.toA(packets.arrivalNs(i)));
        }
        return due;
    }

    /** The sequence numbers that are missing at the first point among those that are due. */
    private long missing(boolean[] due) {
        long[] numbers = new long[due.length];
        int count = 0;
        for (int i = 0; i < due.length; i++) {
            if (due[i] && atFirst.isFirst(i)) {
                numbers[count++] = (long) first.number(i) << 32 | first.timestamp(i) & 0xffff_ffffL;
            }
        }
        Arrays.sort(numbers, 0, count);
        long missing = 0;
        int unit = 0;
        for (int i = 1; i < count; i++) {
            long step = (numbers[i] >> 32) - (numbers[i - 1] >> 32);
            int time = (int) numbers[i] - (int) numbers[i - 1];
            if (step == 1) {
                unit = time;
            } else if (step > 1 && (step <= MAX_DROPOUT || isProven(step, time, unit))) {
                missing += step - 1;
            }
        }
        return missing;
    }

    /** Whether the timestamp stepped as far as so many packets take. */
    private static boolean isProven(long step, int time, int unit) {
        return unit > 0
                && step <= Short.MAX_VALUE
                && Math.abs((time & 0xffff_ffffL) - (double) step * unit) <= MOST_DEVIATION * step * unit;
    }

    /** The differences of arrival on the clock of A, ascending. */
    private long[] delays(ClockLine firstClock, ClockLine secondClock) {
        long[] delays = new long[matched()];
        for (int i = 0; i < delays.length; i++) {
            delays[i] = secondClock.toA(second.arrivalNs(seconds[i])) - firstClock.toA(first.arrivalNs(firsts[i]));
        }
        Arrays.sort(delays);
        return delays;
    }

    /** The median difference of arrival on the clock of A, nanoseconds. */
    long medianNs(ClockLine firstClock, ClockLine secondClock) {
        return ranked(delays(firstClock, secondClock), 50);
    }

    private static SegmentFigures.Delay delay(long[] delays) {
        double p95 = ranked(delays, 95) / 1e6;
        return new SegmentFigures.Delay(
                delays[0] / 1e6,
                ranked(delays, 50) / 1e6,
                p95,
                delays[delays.length - 1] / 1e6,
                p95 - ranked(delays, 5) / 1e6);
    }

    /** The value at a percentile of ascending values, by nearest rank. */
    static long ranked(long[] ascending, int percent) {
        return ascending[Math.max(1, (int) Math.ceil(percent / 100.0 * ascending.length)) - 1];
    }

    /** The number of matched packets. */
    int matched() {
        return firsts.length;
    }

    /** When a matched packet was at the first point, on the clock of that capture. */
    long firstNs(int match) {
        return first.arrivalNs(firsts[match]);
    }

    /** When a matched packet was at the second point, on the clock of that capture. */
    long secondNs(int match) {
        return second.arrivalNs(seconds[match]);
    }
}
