package io.offhook.flow.fragment;

import io.offhook.flow.FlowHash;
import io.offhook.flow.state.PacketTime;
import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;

/**
 * The fragments of the last few milliseconds, by a hash of their content. It distinguishes a mirrored fragment from the
 * first fragment of a new datagram, even if the datagram was completed in between.
 *
 * <p>A cache of fixed size: newer fragments overwrite older ones.
 */
final class RecentFragments {
    /** Copies made by a switch or a capture arrive within this time, in nanoseconds. */
    static final long WINDOW_NS = 10_000_000;

    private static final int SLOTS = 4096;
    private static final long FACTOR = 0x9e37_79b9_7f4a_7c15L;

    private final long[] hash = new long[SLOTS];
    private final long[] timestampNs = new long[SLOTS];

    /** Whether the same bytes arrived recently for the same position of the same datagram; if not, notes them. */
    boolean isRepeated(FragmentView fragment, int scope, MemorySegment segment, long offset, long timestampNs) {
        long h = hash(fragment, scope, segment, offset);
        int slot = (int) (h >>> 32) & SLOTS - 1;
        if (hash[slot] == h && !PacketTime.isApart(timestampNs, this.timestampNs[slot], WINDOW_NS)) {
            return true;
        }
        hash[slot] = h;
        this.timestampNs[slot] = timestampNs;
        return false;
    }

    private static long hash(FragmentView fragment, int scope, MemorySegment segment, long offset) {
        long h = FlowHash.mix(fragment.sourceHigh() + 1);
        h = FlowHash.mix(h ^ fragment.sourceLow());
        h = FlowHash.mix(h ^ fragment.destinationHigh());
        h = FlowHash.mix(h ^ fragment.destinationLow());
        h = FlowHash.mix(h ^ ((long) fragment.identification() << 32 | scope & 0xffff_ffffL));
        h = FlowHash.mix(h
                ^ ((long) fragment.fragmentOffset() << 32
                        | fragment.payloadWireLength() << 1
                        | (fragment.hasMore() ? 1 : 0)));
        long at = offset + fragment.payloadStart();
        long end = at + fragment.payloadLength();
        if (at + 32 <= end) {
            // four independent lanes, because each step of a lane waits for its previous multiplication
            long i = h;
            long j = h + 1;
            long k = h + 2;
            for (; at + 32 <= end; at += 32) {
                h = step(h, NetworkOrder.bits64(segment, at));
                i = step(i, NetworkOrder.bits64(segment, at + 8));
                j = step(j, NetworkOrder.bits64(segment, at + 16));
                k = step(k, NetworkOrder.bits64(segment, at + 24));
            }
            h = step(step(step(h, i), j), k);
        }
        for (; at + 8 <= end; at += 8) {
            h = step(h, NetworkOrder.bits64(segment, at));
        }
        for (; at < end; at++) {
            h = step(h, NetworkOrder.u8(segment, at));
        }
        // 0 marks a slot that was never used
        return FlowHash.mix(h) | 1;
    }

    private static long step(long h, long value) {
        long product = (h ^ value) * FACTOR;
        return product ^ product >>> 32;
    }
}
