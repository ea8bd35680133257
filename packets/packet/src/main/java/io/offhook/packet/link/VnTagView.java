package io.offhook.packet.link;

import io.offhook.packet.CarrierView;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * Cisco's VN-Tag, behind the EtherType 0x8926: it names a virtual interface at both ends.
 *
 * <pre>
 *  0               8               16              24              32
 * +-+-+---------------------------+-+-+---+-----------------------+
 * |T|P|        destination        |L| | v |         source        |
 * +-+-+---------------------------+-+-+---+-----------------------+
 * |              type             |
 * +-------------------------------+
 * </pre>
 */
public final class VnTagView extends CarrierView<VnTagView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 6;

    private static final int TO_PORT = 0;
    private static final int LOOPED = 2;
    private static final int TYPE = 4;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public VnTagView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.VNTAG;
    }

    /** Wraps a tag: TRUNCATED below 6 bytes. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, LENGTH);
    }

    /** Whether the frame goes to an interface, and does not come from one. */
    public boolean isToPort() {
        return (u8(TO_PORT) & 0x80) != 0;
    }

    /** Sets {@link #isToPort()}. */
    public VnTagView toPort(boolean toPort) {
        return putFlag(TO_PORT, 0, toPort);
    }

    /** Whether the destination is a list of interfaces. */
    public boolean isPointer() {
        return (u8(TO_PORT) & 0x40) != 0;
    }

    /** Sets {@link #isPointer()}. */
    public VnTagView pointer(boolean pointer) {
        return putFlag(TO_PORT, 1, pointer);
    }

    /** The virtual interface that it is for, 14 bits. */
    public int destination() {
        return u16(TO_PORT) & 0x3fff;
    }

    /** Sets {@link #destination()}; 0 to 16383. */
    public VnTagView destination(int destination) {
        return putBits(TO_PORT, 2, 14, "destination", destination);
    }

    /** Whether it comes back to the switch that sent it. */
    public boolean isLooped() {
        return (u8(LOOPED) & 0x80) != 0;
    }

    /** Sets {@link #isLooped()}. */
    public VnTagView looped(boolean looped) {
        return putFlag(LOOPED, 0, looped);
    }

    /** The version stated in the header. */
    public int version() {
        return u8(LOOPED) >>> 4 & 0x3;
    }

    /** Sets {@link #version()}; 0 to 3. */
    public VnTagView version(int version) {
        return putBits(LOOPED, 2, 2, "version", version);
    }

    /** The virtual interface that it comes from, 12 bits. */
    public int source() {
        return u16(LOOPED) & 0xfff;
    }

    /** Sets {@link #source()}; 0 to 4095. */
    public VnTagView source(int source) {
        return putBits(LOOPED, 4, 12, "source", source);
    }

    /** The EtherType of what follows. */
    public int type() {
        return u16(TYPE);
    }

    /** Sets {@link #type()}; 0 to 65535. */
    public VnTagView type(int type) {
        return putU16(TYPE, "type", type);
    }

    @Override
    public String toString() {
        return "vntag " + source() + " -> " + destination();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "vntag",
                    HeaderLayout.of(LENGTH)
                            .flag("toPort", TO_PORT, 0)
                            .flag("pointer", TO_PORT, 1)
                            .bits("destination", TO_PORT, 2, 14)
                            .flag("looped", LOOPED, 0)
                            .bits("version", LOOPED, 2, 2)
                            .bits("source", LOOPED, 4, 12)
                            .number("type", TYPE, 16));
        }
    }
}
