package io.offhook.packet.link;

import io.offhook.packet.FieldRange;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
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
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes. Setters reject a value
 * that the field cannot hold, and change nothing else, not even a checksum; see {@link io.offhook.packet}.
 */
public final class MplsView implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 4;

    /** The offset of the label, in bytes. */
    public static final int LABEL = 0;
    /** The offset of traffic class and the bottom of the stack (bit 7), in bytes. */
    public static final int CLASS_BOTTOM = 2;

    private static final int TTL = 3;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public MplsView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.MPLS;
    }

    /**
     * Wraps an entry; TRUNCATED below 4 bytes.
     *
     * @param length the number of bytes available from {@code offset}
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
        return (int) (NetworkOrder.u32(segment, offset + LABEL) >>> 12);
    }

    /** Sets {@link #label()}; 0 to 1048575. */
    public MplsView label(int label) {
        FieldRange.check("label", label, 0xfffff);
        NetworkOrder.putU32(
                segment, offset + LABEL, (long) label << 12 | NetworkOrder.bits32(segment, offset + LABEL) & 0xfff);
        return this;
    }

    /** RFC 5462; 0 to 7. */
    public int trafficClass() {
        return NetworkOrder.u8(segment, offset + CLASS_BOTTOM) >>> 1 & 7;
    }

    /** Sets {@link #trafficClass()}; 0 to 7. */
    public MplsView trafficClass(int trafficClass) {
        FieldRange.check("trafficClass", trafficClass, 7);
        int others = NetworkOrder.u8(segment, offset + CLASS_BOTTOM) & ~0x0e;
        NetworkOrder.putU8(segment, offset + CLASS_BOTTOM, others | trafficClass << 1);
        return this;
    }

    /** Whether it is the last of its stack. */
    public boolean isBottom() {
        return (NetworkOrder.u8(segment, offset + CLASS_BOTTOM) & 1) != 0;
    }

    /** Sets {@link #isBottom()}. */
    public MplsView bottom(boolean isSet) {
        int others = NetworkOrder.u8(segment, offset + CLASS_BOTTOM) & ~1;
        NetworkOrder.putU8(segment, offset + CLASS_BOTTOM, isSet ? others | 1 : others);
        return this;
    }

    /** The number of hops that remain. */
    public int ttl() {
        return NetworkOrder.u8(segment, offset + TTL);
    }

    /** Sets {@link #ttl()}; 0 to 255. */
    public MplsView ttl(int ttl) {
        FieldRange.check("ttl", ttl, 0xff);
        NetworkOrder.putU8(segment, offset + TTL, ttl);
        return this;
    }

    @Override
    public String toString() {
        return "mpls " + label() + (isBottom() ? " bottom" : "") + " ttl " + ttl();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "mpls",
                    HeaderLayout.of(LENGTH)
                            .bits("label", LABEL, 0, 20)
                            .bits("trafficClass", CLASS_BOTTOM, 4, 3)
                            .flag("bottom", CLASS_BOTTOM, 7)
                            .number("ttl", TTL, 8));
        }
    }
}
