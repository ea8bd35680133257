package io.offhook.filter;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;

/**
 * A filter for BSD loopback frames, whose first four bytes are an address family in the byte order of the capturing
 * machine. Holds a filter for each byte order and selects one by frame: families are small numbers, so the order is
 * evident.
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
