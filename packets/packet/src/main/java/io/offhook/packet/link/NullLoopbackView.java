package io.offhook.packet.link;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * The header of BSD's loopback captures: an address family in the byte order of the machine that captured
 * (LINKTYPE_NULL), or in network order (LINKTYPE_LOOP). Families are below 65536, which distinguishes the two orders.
 *
 * <pre>
 * 0                4
 * +----------------+----
 * | address family | packet
 * +----------------+----
 * </pre>
 */
public final class NullLoopbackView extends CarrierView<NullLoopbackView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 4;

    private static final int SHORT_FAMILIES = 6;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public NullLoopbackView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.NULL_LOOPBACK;
    }

    /** Wraps a header; TRUNCATED below 4 bytes. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, LENGTH);
    }

    /** 2 for IPv4; for IPv6 it is 10, 23, 24, 26, 28 or 30, by the system. */
    public long family() {
        return family(segment, offset);
    }

    /**
     * Sets it in the byte order that is there; a field of 0 is taken for network order.
     *
     * @param family 0 to 65535
     */
    public NullLoopbackView family(int family) {
        FieldRange.check("family", family, 0xffff);
        int bits = NetworkOrder.bits32(segment, offset);
        boolean isLittleEndian = (bits & 0xffff_0000) != 0 && !isShort(bits);
        boolean isShort = isShort(bits) && family < SHORT_FAMILIES;
        NetworkOrder.putU32(
                segment, offset, isLittleEndian ? Integer.reverseBytes(family) : isShort ? family << 16 : family);
        return this;
    }

    /** The address family of the header at {@code offset}, in whichever byte order its host wrote it. */
    public static long family(MemorySegment segment, long offset) {
        int bits = NetworkOrder.bits32(segment, offset);
        if ((bits & 0xffff_0000) == 0) {
            return bits;
        }
        return isShort(bits) ? bits >>> 16 : Integer.reverseBytes(bits) & 0xffff_ffffL;
    }

    /** IRIX has 16 bits of it, then zeros. */
    private static boolean isShort(int bits) {
        return (bits & 0xff00_ffff) == 0 && bits >>> 16 < SHORT_FAMILIES;
    }

    @Override
    public String toString() {
        return "null family " + family();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super("null", HeaderLayout.NONE);
        }

        @Override
        public void fields(Layer layer, FieldVisitor to) {
            to.number("family", NullLoopbackView.family(layer.segment(), layer.offset()));
        }
    }
}
