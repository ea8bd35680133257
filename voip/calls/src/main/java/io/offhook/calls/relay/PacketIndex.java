package io.offhook.calls.relay;

import java.util.Arrays;

/**
 * Finds the packets of a log by an identity of 64 bits; of several with one identity, which are copies, the first. An open
 * hash table of primitive values, since every packet of a log is looked up.
 */
final class PacketIndex {
    /** There is no such packet. */
    static final int NONE = -1;

    private static final long MIX = 0x9e3779b97f4a7c15L;

    private final long[] ids;
    private final int[] slots;
    private final int shift;
    private final boolean[] isFirst;

    /** @param ids of all packets, in the order of the log */
    PacketIndex(long[] ids) {
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

    /** The place of the first packet with an identity; {@link #NONE} if there is none. */
    int find(long id) {
        return slots[slot(id)];
    }

    /** Whether the packet at a place is no copy of an earlier one. */
    boolean isFirst(int i) {
        return isFirst[i];
    }
}
