package io.offhook.research.forwarding;

import java.util.Arrays;

/** Longest prefix match for IPv4 like rte_lpm, DIR-24-8: a look-up by the first 24 bits, and a second one for longer prefixes. */
final class Routes {
    private static final int GROUPS = 256;
    private static final int GROUP = 256;
    /** In an entry: whether it has a next hop, whether that is the number of a group, and its prefix length. */
    private static final int VALID = 1 << 31;

    private static final int IS_GROUP = 1 << 30;
    private static final int DEPTH_SHIFT = 24;
    private static final int DEPTH_MASK = 0x3f;
    private static final int HOP_MASK = 0xffffff;

    private final int[] first = new int[1 << 24];
    private final int[] second = new int[GROUPS * GROUP];
    private int groups;

    /** Adds a route, in any order. */
    void add(int network, int depth, int hop) {
        int entry = VALID | depth << DEPTH_SHIFT | hop;
        int from = network >>> 8;
        if (depth <= 24) {
            for (int i = from; i < from + (1 << 24 - depth); i++) {
                if ((first[i] & IS_GROUP) != 0) {
                    int group = (first[i] & HOP_MASK) * GROUP;
                    fill(second, group, GROUP, entry, depth);
                } else {
                    fill(first, i, 1, entry, depth);
                }
            }
            return;
        }
        if ((first[from] & IS_GROUP) == 0) {
            Arrays.fill(second, groups * GROUP, (groups + 1) * GROUP, first[from]);
            first[from] = VALID | IS_GROUP | groups++;
        }
        int group = (first[from] & HOP_MASK) * GROUP;
        fill(second, group + (network & 0xff), 1 << 32 - depth, entry, depth);
    }

    private static void fill(int[] entries, int from, int count, int entry, int depth) {
        for (int i = from; i < from + count; i++) {
            if ((entries[i] & VALID) == 0 || (entries[i] >>> DEPTH_SHIFT & DEPTH_MASK) <= depth) {
                entries[i] = entry;
            }
        }
    }

    /** Returns the next hop, or -1 if there is no route. */
    int find(int address) {
        int entry = first[address >>> 8];
        if ((entry & IS_GROUP) != 0) {
            entry = second[(entry & HOP_MASK) * GROUP + (address & 0xff)];
        }
        return entry < 0 ? entry & HOP_MASK : -1;
    }
}
