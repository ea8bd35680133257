package io.offhook.packet.tunnel;

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
 * A Geneve header (RFC 8926, 3.4).
 *
 * <pre>
 *  0  2      8  10    16              32
 * +--+------+-+-+-----+---------------+
 * |v.|words |O|C|rsvd |   protocol    |
 * +--+------+-+-+-----+---------------+
 * |          VNI             |  rsvd  |
 * +--------------------------+--------+
 * |   options ...
 * </pre>
 */
public final class GeneveView extends CarrierView<GeneveView> implements LayerView {
    /** The length of the part that every header has, in bytes. */
    public static final int FIXED_LENGTH = 8;

    /** The offset of version (2 bits) and length of the options in words, in bytes. */
    public static final int VERSION_WORDS = 0;
    /** The offset of the flags, in bytes. */
    public static final int FLAGS = 1;
    /** The offset of the protocol, in bytes. */
    public static final int PROTOCOL = 2;

    /** The offset of the network identifier, in bytes. */
    public static final int VNI = 4;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public GeneveView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.GENEVE;
    }

    /** Wraps a header: TRUNCATED if fewer bytes are available than it states, UNSUPPORTED if its version is not 0. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < FIXED_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int first = NetworkOrder.u8(segment, offset + VERSION_WORDS);
        if (first >>> 6 != 0) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, FIXED_LENGTH + ((first & 0x3f) << 2));
    }

    /** The version stated in the header. */
    public int version() {
        return u8(VERSION_WORDS) >>> 6;
    }

    /** Sets {@link #version()}; 0 to 3. */
    public GeneveView version(int version) {
        return putBits(VERSION_WORDS, 0, 2, "version", version);
    }

    /** The length of the options, in bytes. */
    public int optionsLength() {
        return (u8(VERSION_WORDS) & 0x3f) << 2;
    }

    /**
     * Sets {@link #optionsLength()}.
     *
     * @param optionsLength 0 to 252 in fours, and not more than is there
     */
    public GeneveView optionsLength(int optionsLength) {
        FieldRange.checkMultiple("optionsLength", optionsLength, 0, Math.min(252, length - FIXED_LENGTH), 4);
        putBits(VERSION_WORDS, 2, 6, "optionsLength", optionsLength >>> 2);
        headerLength = FIXED_LENGTH + optionsLength;
        return this;
    }

    /** Whether it is a message of control, and carries no user's packet. */
    public boolean isControl() {
        return (u8(FLAGS) & 0x80) != 0;
    }

    /** Sets {@link #isControl()}. */
    public GeneveView control(boolean isSet) {
        return putFlag(FLAGS, 0, isSet);
    }

    /** Whether one of the options has to be understood. */
    public boolean hasCriticalOptions() {
        return (u8(FLAGS) & 0x40) != 0;
    }

    /** Sets {@link #hasCriticalOptions()}. */
    public GeneveView criticalOptions(boolean isSet) {
        return putFlag(FLAGS, 1, isSet);
    }

    /** The EtherType of what follows; 0x6558 for Ethernet. */
    public int protocol() {
        return u16(PROTOCOL);
    }

    /** Sets {@link #protocol()}; 0 to 65535. */
    public GeneveView protocol(int protocol) {
        return putU16(PROTOCOL, "protocol", protocol);
    }

    /** The network, 24 bits. */
    public int vni() {
        return u24(VNI);
    }

    /** Sets {@link #vni()}; 0 to 16777215. */
    public GeneveView vni(int vni) {
        return putU24(VNI, "vni", vni);
    }

    /** The offset of the options in the segment. */
    public long optionsOffset() {
        return offset + FIXED_LENGTH;
    }

    @Override
    public String toString() {
        return "geneve " + vni() + " protocol 0x" + Integer.toHexString(protocol());
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "geneve",
                    HeaderLayout.of(FIXED_LENGTH)
                            .bits("version", VERSION_WORDS, 0, 2)
                            .flag("control", FLAGS, 0)
                            .flag("criticalOptions", FLAGS, 1)
                            .number("protocol", PROTOCOL, 16)
                            .number("vni", VNI, 24));
        }

        @Override
        public void fields(Layer layer, FieldVisitor to) {
            super.fields(layer, to);
            int options = layer.headerLength() - FIXED_LENGTH;
            if (options > 0) {
                to.bytes("options", layer.segment(), layer.offset() + FIXED_LENGTH, options);
            }
        }
    }
}
