package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * An entry of an MPLS label stack (RFC 3032, 2.1).
 *
 * <pre>
 *  0                    20  23 24        32
 * +--------------------+---+-+----------+
 * |       label        |TC |S|   TTL    |
 * +--------------------+---+-+----------+
 * </pre>
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on.
 */
public final class MplsView implements LayerView {
    public static final int LENGTH = 4;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;

    /** A view on nothing yet: {@link #wrap} first. */
    public MplsView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.MPLS;
    }

    /**
     * Puts the view on an entry; TRUNCATED below 4 bytes.
     *
     * @param length bytes that are there from {@code offset} on
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        this.segment = segment;
        this.offset = offset;
        return WrapStatus.OK;
    }

    /** 0 to 1,048,575; below 16 it has a meaning of its own. */
    public int label() {
        return (int) (NetworkOrder.u32(segment, offset + 0) >>> 12);
    }

    /** RFC 5462; 0 to 7. */
    public int trafficClass() {
        return NetworkOrder.u8(segment, offset + 2) >>> 1 & 7;
    }

    /** Whether it is the last of its stack. */
    public boolean isBottom() {
        return (NetworkOrder.u8(segment, offset + 2) & 1) != 0;
    }

    public int ttl() {
        return NetworkOrder.u8(segment, offset + 3);
    }

    @Override
    public String toString() {
        return "mpls " + label() + (isBottom() ? " bottom" : "") + " ttl " + ttl();
    }
}
