package io.offhook.forward;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * A static translation of an IPv4 address (RFC 2663, 3): an outside address that stands for an inside one, as a whole
 * or for one port of UDP or TCP.
 *
 * @param outside IPv4 address, 32 bits
 * @param inside IPv4 address, 32 bits
 * @param protocol {@link #ANY}, {@link #TCP} or {@link #UDP}
 * @param outsidePort 0 with {@link #ANY}
 * @param insidePort 0 with {@link #ANY}
 */
public record Translation(int outside, int inside, int protocol, int outsidePort, int insidePort) {
    /** The protocol number of a translation of all protocols. */
    public static final int ANY = 0;

    /** The protocol number of TCP. */
    public static final int TCP = 6;

    /** The protocol number of UDP. */
    public static final int UDP = 17;

    /** The indexes of translations that overlap an earlier one, in either direction. */
    public static List<Integer> overlaps(List<Translation> translations) {
        List<Integer> overlaps = new ArrayList<>();
        NavigableSet<Long> outside = new TreeSet<>();
        NavigableSet<Long> inside = new TreeSet<>();
        for (int i = 0; i < translations.size(); i++) {
            Translation t = translations.get(i);
            // both calls, as each adds its key
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
        // one of all protocols takes the whole address
        boolean wasWhole = protocol != ANY && taken.contains(key(address, ANY, 0));
        Long part = protocol == ANY ? taken.higher(key(address, ANY, 0)) : null;
        return isTaken || wasWhole || part != null && (int) (part >>> 24) == address;
    }

    /** Address, protocol and port as one number that sorts by these. */
    public static long key(int address, int protocol, int port) {
        return (address & 0xffff_ffffL) << 24 | (long) protocol << 16 & 0xff0000 | port;
    }
}
