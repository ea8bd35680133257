package io.offhook.calls.relay;

import io.offhook.rtp.PacketLog;
import io.offhook.rtp.RtpStream;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The packets of one stream at two points, each with itself. Of copies the first counts.
 *
 * <p>A stream that is passed on as it is has the same numbers and timestamps at both. One that a relay sends as its own is
 * found by its payloads: those that occur once at each point say by how much the timestamps differ (the relay's clock), and then every packet
 * is the one with that timestamp and the same payload. Silence, tones and what else repeats itself so finds its place, but
 * proves nothing.
 */
public final class PacketPairs {
    /** The fewest telling payloads that have to be the same, in the same order. */
    public static final int FEWEST_PAYLOADS = 50;

    /** Of the packets of the point that has fewer, between the first and the last pair. */
    private static final double LEAST_SHARE = 0.8;

    private static final double MOST_DEVIATION = 0.1;

    private final PacketLog first;
    private final PacketLog second;
    private final PacketIndex atFirst;
    private final PacketIndex atSecond;
    /** Places of the pairs in both logs, in the order of the first. */
    private int[] firsts;

    private int[] seconds;

    private PacketPairs(PacketLog first, PacketLog second, long[] firstIds, long[] secondIds) {
        this.first = first;
        this.second = second;
        atFirst = new PacketIndex(firstIds);
        atSecond = new PacketIndex(secondIds);
        firsts = new int[Math.min(firstIds.length, secondIds.length)];
        seconds = new int[firsts.length];
        int count = 0;
        for (int i = 0; i < firstIds.length; i++) {
            int other = atFirst.isFirst(i) ? atSecond.find(firstIds[i]) : PacketIndex.NONE;
            if (other != PacketIndex.NONE) {
                firsts[count] = i;
                seconds[count++] = other;
            }
        }
        firsts = Arrays.copyOf(firsts, count);
        seconds = Arrays.copyOf(seconds, count);
    }

    /** By number and timestamp: for streams that are passed on as they are. */
    public static PacketPairs exact(PacketLog first, PacketLog second) {
        return new PacketPairs(first, second, numbered(first), numbered(second));
    }

    private static long[] numbered(PacketLog log) {
        long[] ids = new long[log.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = id(log.timestamp(i), log.sequenceNumber(i));
        }
        return ids;
    }

    private static long id(int timestamp, int rest) {
        return (long) timestamp << 32 | rest & 0xffff_ffffL;
    }

    /**
     * By payload: for streams that a relay sends on as its own.
     *
     * @return null unless {@link #FEWEST_PAYLOADS} telling payloads are the same in the same order, in runs in which the
     *     timestamps differ by the same amount, and 80 % of the packets of the point with fewer are at both
     */
    public static @Nullable PacketPairs rewritten(PacketLog first, PacketLog second) {
        RelayClock clock = RelayClock.of(first, second);
        if (clock == null) {
            return null;
        }
        long[] firstIds = new long[first.size()];
        for (int i = 0; i < firstIds.length; i++) {
            firstIds[i] = id(first.timestamp(i) + clock.ticksAt(i), first.print(i));
        }
        long[] secondIds = new long[second.size()];
        for (int i = 0; i < secondIds.length; i++) {
            secondIds[i] = id(second.timestamp(i), second.print(i));
        }
        PacketPairs pairs = new PacketPairs(first, second, firstIds, secondIds);
        return pairs.isEnough(FEWEST_PAYLOADS) ? pairs : null;
    }

    /** Whether there are so many pairs, and 80 % of the packets of the point with fewer are in one. */
    public boolean isEnough(int fewest) {
        return count() >= fewest
                && count() >= LEAST_SHARE * Math.min(uniqueBetween(firsts, atFirst), uniqueBetween(seconds, atSecond));
    }

    private static int uniqueBetween(int[] places, PacketIndex index) {
        int from = Integer.MAX_VALUE;
        int until = -1;
        for (int place : places) {
            from = Math.min(from, place);
            until = Math.max(until, place);
        }
        int count = 0;
        for (int i = from; i <= until; i++) {
            count += index.isFirst(i) ? 1 : 0;
        }
        return count;
    }

    /** Packets that both points have. */
    public int count() {
        return firsts.length;
    }

    /** The place of the first packet of a pair in the log of the first point. */
    public int first(int pair) {
        return firsts[pair];
    }

    /** The place of the second packet of a pair in the log of the second point. */
    public int second(int pair) {
        return seconds[pair];
    }

    /** By how much the timestamp of a packet at the second point is ahead of that at the first. */
    int ticksAhead(int pair) {
        return second.timestamp(seconds[pair]) - first.timestamp(firsts[pair]);
    }

    /** Likewise its number. */
    int numbersAhead(int pair) {
        return second.sequenceNumber(seconds[pair]) - first.sequenceNumber(firsts[pair]);
    }

    /** From the first point to the second, in nanoseconds. */
    public long delayNs(int pair) {
        return second.arrivalNs(seconds[pair]) - first.arrivalNs(firsts[pair]);
    }

    /** The median of the time from the first to the second, by nearest rank; there has to be a pair. */
    public long medianNs() {
        return SegmentFigures.ranked(delays(), 50);
    }

    private long[] delays() {
        long[] delays = new long[count()];
        for (int i = 0; i < delays.length; i++) {
            delays[i] = delayNs(i);
        }
        Arrays.sort(delays);
        return delays;
    }

    /** What happened between the points, from the first to the last pair; there has to be one. */
    public SegmentFigures figures() {
        return figures(delays(), _ -> false, _ -> false);
    }

    /**
     * What happened between the points, from the first to the last pair and beyond; there has to be one.
     *
     * @param delays of all pairs, in nanoseconds, ascending
     * @param isDueAtSecond whether the second point should have a packet of the first one that is beyond the pairs
     * @param isDueAtFirst likewise the first point one of the second
     */
    public SegmentFigures figures(long[] delays, IntPredicate isDueAtSecond, IntPredicate isDueAtFirst) {
        boolean[] due = due(firsts, first.size(), isDueAtSecond);
        boolean[] dueAtFirst = due(seconds, second.size(), isDueAtFirst);
        boolean[] isPassedOn = payloadTypesPassedOn();
        long present = 0;
        long stripped = 0;
        for (int i = 0; i < due.length; i++) {
            if (due[i] && atFirst.isFirst(i)) {
                present++;
                stripped += isPassedOn[first.payloadType(i)] ? 0 : 1;
            }
        }
        boolean[] isPaired = new boolean[second.size()];
        for (int place : seconds) {
            isPaired[place] = true;
        }
        long extra = 0;
        for (int i = 0; i < dueAtFirst.length; i++) {
            extra += dueAtFirst[i] && atSecond.isFirst(i) && !isPaired[i] ? 1 : 0;
        }
        return new SegmentFigures(
                count(),
                present,
                present - count() - stripped,
                missing(due),
                extra,
                stripped,
                SegmentFigures.Delay.of(delays));
    }

    /** By the payload types at the first point; a relay may give packets another one. */
    private boolean[] payloadTypesPassedOn() {
        boolean[] isPassedOn = new boolean[128];
        for (int i = 0; i < second.size(); i++) {
            isPassedOn[second.payloadType(i)] = true;
        }
        for (int place : firsts) {
            isPassedOn[first.payloadType(place)] = true;
        }
        return isPassedOn;
    }

    /** Which packets of a point the other one should have: those between pairs, and those that it would have captured. */
    private static boolean[] due(int[] pairs, int size, IntPredicate isDue) {
        int from = size;
        int until = -1;
        for (int pair : pairs) {
            from = Math.min(from, pair);
            until = Math.max(until, pair);
        }
        boolean[] due = new boolean[size];
        for (int i = 0; i < size; i++) {
            due[i] = i >= from && i <= until || isDue.test(i);
        }
        return due;
    }

    /** The sequence numbers that are missing at the first point among those that are due. */
    private long missing(boolean[] due) {
        long[] all = first.numbers();
        long[] numbers = new long[due.length];
        int count = 0;
        for (int i = 0; i < due.length; i++) {
            if (due[i] && atFirst.isFirst(i)) {
                numbers[count++] = all[i] << 32 | first.timestamp(i) & 0xffff_ffffL;
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
            } else if (step > 1 && (step <= RtpStream.MAX_DROPOUT || isProven(step, time, unit))) {
                missing += step - 1;
            }
        }
        return missing;
    }

    /** Whether the timestamp stepped as far as so many packets take; else a gap of numbers is a restart of the stream. */
    private static boolean isProven(long step, int time, int unit) {
        return unit > 0
                && step <= Short.MAX_VALUE
                && Math.abs((time & 0xffff_ffffL) - (double) step * unit) <= MOST_DEVIATION * step * unit;
    }
}
