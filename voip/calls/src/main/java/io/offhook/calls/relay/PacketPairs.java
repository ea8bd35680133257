package io.offhook.calls.relay;

import io.offhook.rtp.PacketLog;
import io.offhook.rtp.RtpStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The packets of one stream at two points, each with itself. Of copies the first counts.
 *
 * <p>A stream that is passed on as it is has the same numbers and timestamps at both. One that a relay sends as its own is
 * found by its payloads: those that occur once at each point say by how much the timestamps differ, and then every packet
 * is the one with that timestamp and the same payload. Silence, tones and what else repeats itself so finds its place, but
 * proves nothing.
 */
public final class PacketPairs {
    /** The fewest telling payloads that have to be the same, in the same order. */
    public static final int FEWEST_PAYLOADS = 50;

    /** The fewest of them in a run, in which timestamps differ by the same amount. */
    private static final int FEWEST_OF_RUN = 10;

    /** Of the packets of the point that has fewer, between the first and the last pair. */
    private static final double LEAST_SHARE = 0.8;

    private static final double MOST_DEVIATION = 0.1;

    private static final int NONE = -1;
    private static final int SEVERAL = -2;

    private final PacketLog first;
    private final PacketLog second;
    private final Index atFirst;
    private final Index atSecond;
    /** Places of the pairs in both logs, in the order of the first. */
    private int[] firsts;

    private int[] seconds;

    private PacketPairs(PacketLog first, PacketLog second, long[] firstIds, long[] secondIds) {
        this.first = first;
        this.second = second;
        atFirst = new Index(firstIds);
        atSecond = new Index(secondIds);
        firsts = new int[Math.min(firstIds.length, secondIds.length)];
        seconds = new int[firsts.length];
        int count = 0;
        for (int i = 0; i < firstIds.length; i++) {
            int other = atFirst.isFirst(i) ? atSecond.find(firstIds[i]) : NONE;
            if (other != NONE) {
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
        Runs runs = Runs.of(first, second);
        if (runs == null) {
            return null;
        }
        long[] firstIds = new long[first.size()];
        for (int i = 0; i < firstIds.length; i++) {
            firstIds[i] = id(first.timestamp(i) + runs.ticksAt(i), first.print(i));
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

    private static int uniqueBetween(int[] places, Index index) {
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

    /** Finds packets by what they are. */
    private static final class Index {
        private static final long MIX = 0x9e3779b97f4a7c15L;

        private final long[] ids;
        private final int[] slots;
        private final int shift;
        private final boolean[] isFirst;

        Index(long[] ids) {
            this.ids = ids;
            int bits = 33 - Integer.numberOfLeadingZeros(Math.max(ids.length, 4));
            slots = new int[1 << bits];
            shift = 64 - bits;
            isFirst = new boolean[ids.length];
            Arrays.fill(slots, NONE);
            for (int i = 0; i < ids.length; i++) {
                int slot = slot(ids[i]);
                isFirst[i] = slots[slot] == NONE;
                if (isFirst[i]) {
                    slots[slot] = i;
                }
            }
        }

        private int slot(long id) {
            int slot = (int) (id * MIX >>> shift);
            while (slots[slot] != NONE && ids[slots[slot]] != id) {
                slot = slot + 1 & slots.length - 1;
            }
            return slot;
        }

        int find(long id) {
            return slots[slot(id)];
        }

        boolean isFirst(int i) {
            return isFirst[i];
        }
    }

    /** By how much the timestamps of a relay's stream differ from those that it receives, from where on. */
    @SuppressWarnings("ArrayRecordComponent") // runs are compared by nobody
    private record Runs(int[] from, int[] ticks) {

        /** Null unless enough telling payloads are the same in the same order. */
        static @Nullable Runs of(PacketLog first, PacketLog second) {
            int[] places = same(first, second);
            Map<Integer, Integer> votes = new HashMap<>();
            for (int i = 0; i < places.length; i++) {
                if (places[i] >= 0) {
                    votes.merge(second.timestamp(places[i]) - first.timestamp(i), 1, Integer::sum);
                }
            }
            int[] from = new int[4];
            int[] ticks = new int[4];
            int runs = 0;
            int inOrder = 0;
            int last = -1;
            for (int i = 0; i < places.length; i++) {
                int difference = places[i] < 0 ? 0 : second.timestamp(places[i]) - first.timestamp(i);
                if (places[i] < 0 || votes.getOrDefault(difference, 0) < FEWEST_OF_RUN) {
                    continue;
                }
                inOrder += places[i] > last ? 1 : 0;
                last = places[i];
                if (runs == 0 || ticks[runs - 1] != difference) {
                    if (runs == from.length) {
                        from = Arrays.copyOf(from, 2 * runs);
                        ticks = Arrays.copyOf(ticks, 2 * runs);
                    }
                    from[runs] = i;
                    ticks[runs++] = difference;
                }
            }
            return inOrder < FEWEST_PAYLOADS ? null : new Runs(Arrays.copyOf(from, runs), Arrays.copyOf(ticks, runs));
        }

        /** Where the second log has the packets of the first one, if their payloads are telling and occur once in each. */
        private static int[] same(PacketLog first, PacketLog second) {
            Map<Integer, Integer> here = places(first);
            Map<Integer, Integer> there = places(second);
            int[] places = new int[first.size()];
            for (int i = 0; i < places.length; i++) {
                boolean occursOnce = here.getOrDefault(first.print(i), NONE) == i;
                places[i] = occursOnce ? there.getOrDefault(first.print(i), NONE) : NONE;
            }
            return places;
        }

        /** By their prints; {@link #SEVERAL} for payloads that occur again. A copy of a packet is none of these. */
        private static Map<Integer, Integer> places(PacketLog log) {
            Map<Integer, Integer> places = HashMap.newHashMap(log.size());
            for (int i = 0; i < log.size(); i++) {
                if (!log.isTelling(i)) {
                    continue;
                }
                Integer known = places.putIfAbsent(log.print(i), i);
                boolean isCopy = known != null
                        && known >= 0
                        && log.timestamp(known) == log.timestamp(i)
                        && log.sequenceNumber(known) == log.sequenceNumber(i);
                if (known != null && !isCopy) {
                    places.put(log.print(i), SEVERAL);
                }
            }
            return places;
        }

        int ticksAt(int index) {
            int at = Arrays.binarySearch(from, index);
            int run = Math.max(0, at >= 0 ? at : -at - 2);
            return ticks[run];
        }
    }
}
