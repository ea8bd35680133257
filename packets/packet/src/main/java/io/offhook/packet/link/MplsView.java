package io.offhook.packet.link;

import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
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
 */
public final class MplsView extends HeaderView<MplsView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 4;

    /** The offset of the label, in bytes. */
    public static final int LABEL = 0;
    /** The offset of traffic class and the bottom of the stack (bit 7), in bytes. */
    public static final int CLASS_BOTTOM = 2;

    private static final int TTL = 3;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public MplsView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.MPLS;
    }

    /** Wraps an entry; TRUNCATED below 4 bytes. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, LENGTH);
    }

    /** 0 to 1,048,575; below 16 it has a meaning of its own. */
    public int label() {
        return (int) (u32(LABEL) >>> 12);
    }

    /** Sets {@link #label()}; 0 to 1048575. */
    public MplsView label(int label) {
        return putBits(LABEL, 0, 20, "label", label);
    }

    /** RFC 5462; 0 to 7. */
    public int trafficClass() {
        return u8(CLASS_BOTTOM) >>> 1 & 7;
    }

    /** Sets {@link #trafficClass()}; 0 to 7. */
    public MplsView trafficClass(int trafficClass) {
        return putBits(CLASS_BOTTOM, 4, 3, "trafficClass", trafficClass);
    }

    /** Whether it is the last of its stack. */
    public boolean isBottom() {
        return (u8(CLASS_BOTTOM) & 1) != 0;
    }

    /** Sets {@link #isBottom()}. */
    public MplsView bottom(boolean isSet) {
        return putFlag(CLASS_BOTTOM, 7, isSet);
    }

    /** The number of hops that remain. */
    public int ttl() {
        return u8(TTL);
    }

    /** Sets {@link #ttl()}; 0 to 255. */
    public MplsView ttl(int ttl) {
        return putU8(TTL, "ttl", ttl);
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
