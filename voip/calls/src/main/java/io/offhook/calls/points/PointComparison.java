package io.offhook.calls.points;

import io.offhook.calls.relay.PacketPairs;
import io.offhook.calls.relay.SegmentFigures;
import io.offhook.calls.relay.StreamPassage;
import io.offhook.rtp.PacketLog;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Compares the packets of a stream at two points, as {@link PacketPairs} pairs them, on the clocks of two captures.
 *
 * <p>The stretch that is compared goes from the first to the last packet that both have, and further where the capture
 * at the other point was running: a stream that stops arriving is lost, one whose capture was ended is not.
 */
public final class PointComparison {
    /** Matches from which two lists are the same stream, if there is no reason to ask for fewer. */
    public static final int LEAST_MATCHES = 32;

    private static final long MOST_MARGIN_NS = 1_000_000_000;

    private final PacketLog first;
    private final PacketLog second;
    private final PacketPairs pairs;
    private final StreamPassage.Level level;

    private PointComparison(PacketLog first, PacketLog second, PacketPairs pairs, StreamPassage.Level level) {
        this.first = first;
        this.second = second;
        this.pairs = pairs;
        this.level = level;
    }

    /**
     * Compares two points by numbers and timestamps.
     *
     * @param leastMatches packets that both must have, 1 or more
     * @return null if the points do not have the same stream
     */
    public static @Nullable PointComparison of(PacketLog first, PacketLog second, int leastMatches) {
        PacketPairs pairs = PacketPairs.exact(first, second);
        return pairs.isEnough(leastMatches)
                ? new PointComparison(first, second, pairs, StreamPassage.Level.EXACT)
                : null;
    }

    /**
     * Compares two points by payloads.
     *
     * @return null if the points do not have the same payloads
     */
    public static @Nullable PointComparison rewritten(PacketLog first, PacketLog second) {
        PacketPairs pairs = PacketPairs.rewritten(first, second);
        return pairs == null ? null : new PointComparison(first, second, pairs, StreamPassage.Level.REWRITTEN);
    }

    /** Compares two points of which is known that they have the same stream; null if no packet is at both. */
    static @Nullable PointComparison ofSame(PacketLog first, PacketLog second) {
        PacketPairs pairs = PacketPairs.exact(first, second);
        return pairs.count() == 0
                ? rewritten(first, second)
                : new PointComparison(first, second, pairs, StreamPassage.Level.EXACT);
    }

    /** By what the stream is the same at both points. */
    public StreamPassage.Level level() {
        return level;
    }

    /** The figures of the segment between the points, from the first to the last packet that both have, on one clock. */
    public SegmentFigures figures() {
        return pairs.figures();
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
        long medianNs = SegmentFigures.ranked(delays, 50);
        // a packet that was faster or slower than most may have passed the other point before or after the capture
        long marginNs = Math.min(delays[delays.length - 1] - delays[0], MOST_MARGIN_NS);
        CaptureWindow atSecond = secondWindow.shifted(-medianNs, marginNs);
        CaptureWindow atFirst = firstWindow.shifted(medianNs, marginNs);
        return pairs.figures(
                delays,
                i -> atSecond.contains(firstClock.toA(first.arrivalNs(i))),
                i -> atFirst.contains(secondClock.toA(second.arrivalNs(i))));
    }

    /** The differences of arrival on the clock of A, ascending. */
    private long[] delays(ClockLine firstClock, ClockLine secondClock) {
        long[] delays = new long[matched()];
        for (int i = 0; i < delays.length; i++) {
            delays[i] = secondClock.toA(secondNs(i)) - firstClock.toA(firstNs(i));
        }
        Arrays.sort(delays);
        return delays;
    }

    /** The median difference of arrival on the clock of A, nanoseconds. */
    long medianNs(ClockLine firstClock, ClockLine secondClock) {
        return SegmentFigures.ranked(delays(firstClock, secondClock), 50);
    }

    /** The number of matched packets. */
    int matched() {
        return pairs.count();
    }

    /** The timestamps from one matched packet to another. */
    int ticksBetween(int one, int other) {
        return first.timestamp(pairs.first(other)) - first.timestamp(pairs.first(one));
    }

    /** When a matched packet was at the first point, on the clock of that capture. */
    long firstNs(int match) {
        return first.arrivalNs(pairs.first(match));
    }

    /** When a matched packet was at the second point, on the clock of that capture. */
    long secondNs(int match) {
        return second.arrivalNs(pairs.second(match));
    }
}
