package io.offhook.calls.relay;

import io.offhook.rtp.PacketLog;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a relay that sends a stream as its own: by how much its timestamps are ahead of those that it receives. The
 * difference holds for a run of packets, and changes where the relay or the sender starts anew.
 *
 * <p>It is found by telling payloads that occur once at each point. A payload may be the same by chance, so a difference
 * counts only if {@value #FEWEST_OF_RUN} payloads agree on it.
 *
 * @param from the places in the first log where runs begin, ascending
 * @param ticks of each run, what is added to a timestamp of the first log
 */
@SuppressWarnings("ArrayRecordComponent") // clocks are compared by nobody
record RelayClock(int[] from, int[] ticks) {
    /** The fewest telling payloads whose timestamps have to differ by the same amount. */
    private static final int FEWEST_OF_RUN = 10;

    private static final int NONE = -1;
    private static final int SEVERAL = -2;

    /** The clock between two points; null unless enough telling payloads are the same in the same order. */
    static @Nullable RelayClock of(PacketLog first, PacketLog second) {
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
        return inOrder < PacketPairs.FEWEST_PAYLOADS
                ? null
                : new RelayClock(Arrays.copyOf(from, runs), Arrays.copyOf(ticks, runs));
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

    /** What is added to the timestamp of the packet at a place in the first log. */
    int ticksAt(int index) {
        int at = Arrays.binarySearch(from, index);
        int run = Math.max(0, at >= 0 ? at : -at - 2);
        return ticks[run];
    }
}
