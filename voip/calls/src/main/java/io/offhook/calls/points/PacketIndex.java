package io.offhook.calls.points;

import java.util.Arrays;

/** Finds the packets of a stream by their identity. Of a packet that was captured several times, the first counts. */
final class PacketIndex {
    static final int NONE = -1;

    private static final long MIX = 0x9e3779b97f4a7c15L;

    private final PointPackets packets;
    private final int[] slots;
    private final int shift;
    private final boolean[] isFirst;

    PacketIndex(PointPackets packets) {
        this.packets = packets;
        int bits = 33 - Integer.numberOfLeadingZeros(Math.max(packets.count(), 4));
        slots = new int[1 << bits];
        shift = 64 - bits;
        isFirst = new boolean[packets.count()];
        Arrays.fill(slots, NONE);
        for (int i = 0; i < packets.count(); i++) {
            int slot = slot(packets.identity(i));
            isFirst[i] = slots[slot] == NONE;
            if (isFirst[i]) {
                slots[slot] = i;
            }
        }
    }

    /** Where a packet is, or would be. */
    private int slot(long identity) {
        int slot = (int) (identity * MIX >>> shift);
        while (slots[slot] != NONE && packets.identity(slots[slot]) != identity) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }

    /** The place of a packet in the list; {@link #NONE} if it is not there. */
    int find(long identity) {
        return slots[slot(identity)];
    }

    /** Whether the packet at a place is no copy of an earlier one. */
    boolean isFirst(int i) {
        return isFirst[i];
    }
}
