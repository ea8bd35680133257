package io.offhook.filter;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;

/**
 * For BSD loopback frames, whose first four bytes are an address family in the byte order of the machine that captured:
 * a filter for either order, chosen by what the frame has. Families are small numbers, so the order shows.
 */
final class LoopbackFilter implements PacketFilter {
    private final PacketFilter little;
    private final PacketFilter big;

    LoopbackFilter(PacketFilter little, PacketFilter big) {
        this.little = little;
        this.big = big;
    }

    @Override
    public int match(MemorySegment segment, long offset, int capturedLength, int wireLength) {
        boolean isBig = capturedLength >= 4
                && NetworkOrder.u16(segment, offset) == 0
                && NetworkOrder.u16(segment, offset + 2) != 0;
        return (isBig ? big : little).match(segment, offset, capturedLength, wireLength);
    }
}
