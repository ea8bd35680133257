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
 * Setters refuse what the field cannot hold and change nothing else, no checksum either; see {@link io.offhook.packet}.
 */
public final class MplsView implements LayerView {
    /** Bytes of the header. */
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

    /** Sets {@link #label()}; 0 to 1048575. */
    public MplsView label(int label) {
        FieldRange.check("label", label, 0xfffff);
        NetworkOrder.putU32(segment, offset, (long) label << 12 | NetworkOrder.bits32(segment, offset) & 0xfff);
        return this;
    }

    /** RFC 5462; 0 to 7. */
    public int trafficClass() {
        return NetworkOrder.u8(segment, offset + 2) >>> 1 & 7;
    }

    /** Sets {@link #trafficClass()}; 0 to 7. */
    public MplsView trafficClass(int trafficClass) {
        FieldRange.check("trafficClass", trafficClass, 7);
        int others = NetworkOrder.u8(segment, offset + 2) & ~0x0e;
        NetworkOrder.putU8(segment, offset + 2, others | trafficClass << 1);
        return this;
    }

    /** Whether it is the last of its stack. */
    public boolean isBottom() {
        return (NetworkOrder.u8(segment, offset + 2) & 1) != 0;
    }

    /** Sets {@link #isBottom()}. */
    public MplsView bottom(boolean isSet) {
        int others = NetworkOrder.u8(segment, offset + 2) & ~1;
        NetworkOrder.putU8(segment, offset + 2, isSet ? others | 1 : others);
        return this;
    }

    /** How many hops it may still go. */
    public int ttl() {
        return NetworkOrder.u8(segment, offset + 3);
    }

    /** Sets {@link #ttl()}; 0 to 255. */
    public MplsView ttl(int ttl) {
        FieldRange.check("ttl", ttl, 0xff);
        NetworkOrder.putU8(segment, offset + 3, ttl);
        return this;
    }

    @Override
    public String toString() {
        return "mpls " + label() + (isBottom() ? " bottom" : "") + " ttl " + ttl();
    }
}
