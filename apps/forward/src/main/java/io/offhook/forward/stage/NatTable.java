package io.offhook.forward.stage;

import io.offhook.forward.Translation;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Static translations of IPv4 addresses (RFC 2663, 3): an outside address that stands for an inside one, wholly or with one
 * port of UDP or TCP. Immutable; looked up without allocation, by binary search.
 */
public final class NatTable {
    private final long[] outsideKeys;
    private final long[] outsideValues;
    private final long[] insideKeys;
    private final long[] insideValues;

    private NatTable(SortedMap<Long, Long> byOutside, SortedMap<Long, Long> byInside) {
        outsideKeys = keys(byOutside);
        outsideValues = values(byOutside);
        insideKeys = keys(byInside);
        insideValues = values(byInside);
    }

    private static long[] keys(SortedMap<Long, Long> map) {
        return map.keySet().stream().mapToLong(Long::longValue).toArray();
    }

    private static long[] values(SortedMap<Long, Long> map) {
        return map.values().stream().mapToLong(Long::longValue).toArray();
    }

    /**
     * Of translations that do not overlap.
     *
     * @throws IllegalArgumentException with the first that does; {@link Translation#overlaps} tells all
     */
    public static NatTable of(List<Translation> translations) {
        List<Integer> overlaps = Translation.overlaps(translations);
        if (!overlaps.isEmpty()) {
            throw new IllegalArgumentException("translation " + overlaps.getFirst() + " overlaps one before it");
        }
        SortedMap<Long, Long> byOutside = new TreeMap<>();
        SortedMap<Long, Long> byInside = new TreeMap<>();
        for (Translation t : translations) {
            byOutside.put(
                    Translation.key(t.outside(), t.protocol(), t.outsidePort()), value(t.inside(), t.insidePort()));
            byInside.put(
                    Translation.key(t.inside(), t.protocol(), t.insidePort()), value(t.outside(), t.outsidePort()));
        }
        return new NatTable(byOutside, byInside);
    }

    private static long value(int address, int port) {
        return (address & 0xffff_ffffL) << 16 | port;
    }

    /** What an outside address and port stand for: the address in bits 16 to 47, the port below, 0 for the same; -1 for none. */
    long inside(int address, int protocol, int port) {
        return find(outsideKeys, outsideValues, address, protocol, port);
    }

    /** What an inside address and port are called outside, likewise. */
    long outside(int address, int protocol, int port) {
        return find(insideKeys, insideValues, address, protocol, port);
    }

    private static long find(long[] keys, long[] values, int address, int protocol, int port) {
        int i = port == 0 ? -1 : search(keys, Translation.key(address, protocol, port));
        if (i < 0) {
            i = search(keys, Translation.key(address, Translation.ANY, 0));
        }
        return i < 0 ? -1 : values[i];
    }

    /** Whether single ports of an outside address are translated, or of an inside one. */
    boolean hasParts(boolean isOutside, int address) {
        long[] keys = isOutside ? outsideKeys : insideKeys;
        int i = -search(keys, Translation.key(address, 1, 0)) - 1;
        return i < keys.length && (int) (keys[i] >>> 24) == address;
    }

    /** As {@link java.util.Arrays#binarySearch(long[], long)}. */
    private static int search(long[] keys, long key) {
        int low = 0;
        int high = keys.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (keys[middle] == key) {
                return middle;
            }
            if (keys[middle] < key) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }
}
