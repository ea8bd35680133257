package io.offhook.packet;

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
 */
public final class GeneveView implements LayerView {
    public static final int FIXED_LENGTH = 8;

    private static final int VERSION_WORDS = 0;
    private static final int FLAGS = 1;
    private static final int PROTOCOL = 2;
    private static final int VNI = 4;

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

    public int version() {
        return NetworkOrder.u8(segment, offset + VERSION_WORDS) >>> 6;
    }

    /** In bytes. */
    public int optionsLength() {
        return (NetworkOrder.u8(segment, offset + VERSION_WORDS) & 0x3f) << 2;
    }

    public boolean isControl() {
        return (NetworkOrder.u8(segment, offset + FLAGS) & 0x80) != 0;
    }

    public boolean hasCriticalOptions() {
        return (NetworkOrder.u8(segment, offset + FLAGS) & 0x40) != 0;
    }

    /** The EtherType of what follows; 0x6558 for Ethernet. */
    public int protocol() {
        return NetworkOrder.u16(segment, offset + PROTOCOL);
    }

    /** The network, 24 bits. */
    public int vni() {
        return NetworkOrder.u24(segment, offset + VNI);
    }

    public long optionsOffset() {
        return offset + FIXED_LENGTH;
    }

    public int headerLength() {
        return FIXED_LENGTH + optionsLength();
    }

    public long payloadOffset() {
        return offset + headerLength();
    }

    public int payloadLength() {
        return length - headerLength();
    }

    @Override
    public String toString() {
        return "geneve " + vni() + " protocol 0x" + Integer.toHexString(protocol());
    }
}
