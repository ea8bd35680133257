package io.offhook.packet.tunnel;

import io.offhook.packet.FieldBits;
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
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on.
 * Setters refuse what the field cannot hold and change nothing else, no checksum either; see {@link io.offhook.packet}.
 */
public final class GeneveView implements LayerView {
    /** Bytes of the part that every header has. */
    public static final int FIXED_LENGTH = 8;

    /** Where version (2 bits) and length of the options in words are, in bytes from the start. */
    public static final int VERSION_WORDS = 0;
    /** Where the flags are, in bytes from the start. */
    public static final int FLAGS = 1;
    /** Where the protocol is, in bytes from the start. */
    public static final int PROTOCOL = 2;

    /** Where the network identifier is, in bytes from the start. */
    public static final int VNI = 4;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;

    /** A view on nothing yet: {@link #wrap} first. */
    public GeneveView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.GENEVE;
    }

    /**
     * Puts the view on a header: TRUNCATED when there are fewer bytes than it says, UNSUPPORTED when its version is not 0.
     *
     * @param length bytes that are there from {@code offset} on
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < FIXED_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int first = NetworkOrder.u8(segment, offset + VERSION_WORDS);
        if (first >>> 6 != 0) {
            return WrapStatus.UNSUPPORTED;
        }
        if (length < FIXED_LENGTH + ((first & 0x3f) << 2)) {
            return WrapStatus.TRUNCATED;
        }
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        return WrapStatus.OK;
    }

    /** The version that the header says. */
    public int version() {
        return NetworkOrder.u8(segment, offset + VERSION_WORDS) >>> 6;
    }

    /** Sets {@link #version()}; 0 to 3. */
    public GeneveView version(int version) {
        FieldBits.put(segment, offset, 8 * VERSION_WORDS, 2, "version", version);
        return this;
    }

    /** In bytes. */
    public int optionsLength() {
        return (NetworkOrder.u8(segment, offset + VERSION_WORDS) & 0x3f) << 2;
    }

    /**
     * Sets {@link #optionsLength()}.
     *
     * @param optionsLength 0 to 252 in fours, and not more than is there
     */
    public GeneveView optionsLength(int optionsLength) {
        FieldRange.checkMultiple("optionsLength", optionsLength, 0, Math.min(252, length - FIXED_LENGTH), 4);
        NetworkOrder.putU8(segment, offset + VERSION_WORDS, optionsLength >>> 2);
        return this;
    }

    /** Whether it is a message of control, and carries no user's packet. */
    public boolean isControl() {
        return (NetworkOrder.u8(segment, offset + FLAGS) & 0x80) != 0;
    }

    /** Sets {@link #isControl()}. */
    public GeneveView control(boolean isSet) {
        int others = NetworkOrder.u8(segment, offset + FLAGS) & ~0x80;
        NetworkOrder.putU8(segment, offset + FLAGS, isSet ? others | 0x80 : others);
        return this;
    }

    /** Whether one of the options has to be understood. */
    public boolean hasCriticalOptions() {
        return (NetworkOrder.u8(segment, offset + FLAGS) & 0x40) != 0;
    }

    /** Sets {@link #hasCriticalOptions()}. */
    public GeneveView criticalOptions(boolean isSet) {
        int others = NetworkOrder.u8(segment, offset + FLAGS) & ~0x40;
        NetworkOrder.putU8(segment, offset + FLAGS, isSet ? others | 0x40 : others);
        return this;
    }

    /** The EtherType of what follows; 0x6558 for Ethernet. */
    public int protocol() {
        return NetworkOrder.u16(segment, offset + PROTOCOL);
    }

    /** Sets {@link #protocol()}; 0 to 65535. */
    public GeneveView protocol(int protocol) {
        FieldRange.check("protocol", protocol, 0xffff);
        NetworkOrder.putU16(segment, offset + PROTOCOL, protocol);
        return this;
    }

    /** The network, 24 bits. */
    public int vni() {
        return NetworkOrder.u24(segment, offset + VNI);
    }

    /** Sets {@link #vni()}; 0 to 16777215. */
    public GeneveView vni(int vni) {
        FieldRange.check("vni", vni, 0xff_ffff);
        NetworkOrder.putU24(segment, offset + VNI, vni);
        return this;
    }

    /** Where the options start, in the segment. */
    public long optionsOffset() {
        return offset + FIXED_LENGTH;
    }

    /** Of the header, in bytes. */
    public int headerLength() {
        return FIXED_LENGTH + optionsLength();
    }

    /** Where the bytes behind the header start, in the segment. */
    public long payloadOffset() {
        return offset + headerLength();
    }

    /** Bytes behind the header that are there. */
    public int payloadLength() {
        return length - headerLength();
    }

    @Override
    public String toString() {
        return "geneve " + vni() + " protocol 0x" + Integer.toHexString(protocol());
    }

    /** What is reported of it; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Ready for any header. */
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
