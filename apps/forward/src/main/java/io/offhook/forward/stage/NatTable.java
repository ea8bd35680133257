package io.offhook.forward.stage;

import io.offhook.forward.Translation;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Static translations of IPv4 addresses (RFC 2663, 3): an outside address that stands for an inside one, as a whole or
 * for one port of UDP or TCP. Immutable; lookups are binary searches without allocation.
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
     * Creates a table of translations that do not overlap.
     *
     * @throws IllegalArgumentException with the first that does; {@link Translation#overlaps} returns all
     */
    public static NatTable of(List<Translation> translations) {
        List<Integer> overlaps = Translation.overlaps(translations);
        if (!overlaps.isEmpty()) {
            throw new IllegalArgumentException("translation " + overlaps.getFirst() + " overlaps an earlier one");
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

    /**
     * The inside address of an outside address and port, in bits 16 to 47, and the port below, 0 if it is the same; -1
     * if there is no translation.
     */
    long inside(int address, int protocol, int port) {
        return find(outsideKeys, outsideValues, address, protocol, port);
    }

    /** The outside address and port of an inside one, likewise. */
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

    /** Whether single ports of an outside (or inside) address are translated. */
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
