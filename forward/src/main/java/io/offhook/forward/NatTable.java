package io.offhook.forward;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Static translations of IPv4 addresses (RFC 2663, 3): an outside address that stands for an inside one, wholly or with one
 * port of UDP or TCP. Immutable; looked up without allocation, by binary search.
 */
public final class NatTable {
    /** The protocol number of a translation of all protocols. */
    public static final int ANY = 0;

    static final int TCP = 6;
    static final int UDP = 17;

    /**
     * One translation.
     *
     * @param outside IPv4 address, 32 bits
     * @param inside IPv4 address, 32 bits
     * @param protocol {@link #ANY}, 6 (TCP) or 17 (UDP)
     * @param outsidePort 0 with {@link #ANY}
     * @param insidePort 0 with {@link #ANY}
     */
    public record Translation(int outside, int inside, int protocol, int outsidePort, int insidePort) {}

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
     * @throws IllegalArgumentException with the first that does; {@link #overlaps} tells all
     */
    public static NatTable of(List<Translation> translations) {
        List<Integer> overlaps = overlaps(translations);
        if (!overlaps.isEmpty()) {
            throw new IllegalArgumentException("translation " + overlaps.getFirst() + " overlaps one before it");
        }
        SortedMap<Long, Long> byOutside = new TreeMap<>();
        SortedMap<Long, Long> byInside = new TreeMap<>();
        for (Translation t : translations) {
            byOutside.put(key(t.outside(), t.protocol(), t.outsidePort()), value(t.inside(), t.insidePort()));
            byInside.put(key(t.inside(), t.protocol(), t.insidePort()), value(t.outside(), t.outsidePort()));
        }
        return new NatTable(byOutside, byInside);
    }

    /** Indexes of those that translate from what one before them translates from, one way or the other. */
    public static List<Integer> overlaps(List<Translation> translations) {
        List<Integer> overlaps = new ArrayList<>();
        NavigableSet<Long> outside = new TreeSet<>();
        NavigableSet<Long> inside = new TreeSet<>();
        for (int i = 0; i < translations.size(); i++) {
            Translation t = translations.get(i);
            // both, for each notes it
            boolean isOutsideTaken = isTaken(outside, t.outside(), t.protocol(), t.outsidePort());
            boolean isInsideTaken = isTaken(inside, t.inside(), t.protocol(), t.insidePort());
            if (isOutsideTaken || isInsideTaken) {
                overlaps.add(i);
            }
        }
        return overlaps;
    }

    private static boolean isTaken(NavigableSet<Long> taken, int address, int protocol, int port) {
        boolean isTaken = !taken.add(key(address, protocol, port));
        // one for all protocols takes the address as a whole
        boolean wasWhole = protocol != ANY && taken.contains(key(address, ANY, 0));
        Long part = protocol == ANY ? taken.higher(key(address, ANY, 0)) : null;
        return isTaken || wasWhole || part != null && (int) (part >>> 24) == address;
    }

    private static long key(int address, int protocol, int port) {
        return (address & 0xffff_ffffL) << 24 | (long) protocol << 16 & 0xff0000 | port;
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
        int i = port == 0 ? -1 : search(keys, key(address, protocol, port));
        if (i < 0) {
            i = search(keys, key(address, ANY, 0));
        }
        return i < 0 ? -1 : values[i];
    }

    /** Whether single ports of an outside address are translated, or of an inside one. */
    boolean hasParts(boolean isOutside, int address) {
        long[] keys = isOutside ? outsideKeys : insideKeys;
        int i = -search(keys, key(address, 1, 0)) - 1;
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
