package io.offhook.calls.relay;

import io.offhook.rtp.PacketLog;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
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

    private static final int NONE = -1;
    private static final int SEVERAL = -2;

    private final PacketLog first;
    private final PacketLog second;
    /** What each packet is at both points. */
    private final long[] firstIds;

    private final Index atFirst;
    private final Index atSecond;
    /** Places of the pairs in both logs, in the order of the first. */
    private int[] firsts;

    private int[] seconds;

    private PacketPairs(PacketLog first, PacketLog second, long[] firstIds, long[] secondIds) {
        this.first = first;
        this.second = second;
        this.firstIds = firstIds;
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
        long[] delays = new long[count()];
        for (int i = 0; i < delays.length; i++) {
            delays[i] = delayNs(i);
        }
        Arrays.sort(delays);
        return delays[(delays.length + 1) / 2 - 1];
    }

    /** Whether a packet of the first point is no copy of an earlier one. */
    public boolean isFirstOfFirst(int index) {
        return atFirst.isFirst(index);
    }

    /** Likewise of the second point. */
    public boolean isFirstOfSecond(int index) {
        return atSecond.isFirst(index);
    }

    /** Which packets of the second point the first one has. */
    public boolean[] isKnown() {
        boolean[] known = new boolean[second.size()];
        for (int place : seconds) {
            known[place] = true;
        }
        return known;
    }

    /** Whether the second point has a packet of the first one. */
    public boolean isPassedOn(int index) {
        return atSecond.find(firstIds[index]) != NONE;
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
