package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * An IPv4 header (RFC 791, 3.1).
 *
 * <pre>
 *  0   4   8        16               32
 * +---+---+--------+----------------+
 * |ver|IHL|  DSCP  |  total length  |
 * +---+---+--------+--+-------------+
 * | identification |flg|   offset   |
 * +-------+--------+--+-------------+
 * |  TTL  |protocol|    checksum    |
 * +-------+--------+----------------+
 * |             source              |
 * +---------------------------------+
 * |           destination           |
 * +---------------------------------+
 * |   options ...
 * </pre>
 *
 * <p>A total length of 0 is what segmentation offload leaves: then the payload is all that is there.
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on.
 */
public final class Ipv4View implements LayerView {
    public static final int MIN_LENGTH = 20;

    private static final int VERSION_WORDS = 0;
    private static final int TRAFFIC_CLASS = 1;
    private static final int TOTAL_LENGTH = 2;
    private static final int IDENTIFICATION = 4;
    private static final int FLAGS_OFFSET = 6;
    private static final int TTL = 8;
    private static final int PROTOCOL = 9;
    private static final int CHECKSUM = 10;
    private static final int SOURCE = 12;
    private static final int DESTINATION = 16;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;

    /** A view on nothing yet: {@link #wrap} first. */
    public Ipv4View() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.IPV4;
    }

    /**
     * Puts the view on a header: TRUNCATED when there are fewer bytes than it says, UNSUPPORTED when its version is not 4,
     * MALFORMED when its length is below 20 or its total length below that.
     *
     * @param length bytes that are there from {@code offset} on
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int first = NetworkOrder.u8(segment, offset + VERSION_WORDS);
        if (first >>> 4 != 4) {
            return WrapStatus.UNSUPPORTED;
        }
        int header = (first & 15) << 2;
        int total = NetworkOrder.u16(segment, offset + TOTAL_LENGTH);
        if (header < MIN_LENGTH || total != 0 && total < header) {
            return WrapStatus.MALFORMED;
        }
        if (length < header) {
            return WrapStatus.TRUNCATED;
        }
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        return WrapStatus.OK;
    }

    public int version() {
        return NetworkOrder.u8(segment, offset + VERSION_WORDS) >>> 4;
    }

    /** With options, 20 to 60 bytes. */
    public int headerLength() {
        return (NetworkOrder.u8(segment, offset + VERSION_WORDS) & 15) << 2;
    }

    /** The differentiated services code point (RFC 2474), 0 to 63. */
    public int dscp() {
        return NetworkOrder.u8(segment, offset + TRAFFIC_CLASS) >>> 2;
    }

    /** Explicit congestion notification (RFC 3168), 0 to 3. */
    public int ecn() {
        return NetworkOrder.u8(segment, offset + TRAFFIC_CLASS) & 3;
    }

    /** Of header and payload in bytes, as the header has it. */
    public int totalLength() {
        return NetworkOrder.u16(segment, offset + TOTAL_LENGTH);
    }

    public int identification() {
        return NetworkOrder.u16(segment, offset + IDENTIFICATION);
    }

    public boolean dontFragment() {
        return (NetworkOrder.u16(segment, offset + FLAGS_OFFSET) & 0x4000) != 0;
    }

    public boolean moreFragments() {
        return (NetworkOrder.u16(segment, offset + FLAGS_OFFSET) & 0x2000) != 0;
    }

    /** The field as it is: units of eight bytes. */
    public int fragmentOffset() {
        return NetworkOrder.u16(segment, offset + FLAGS_OFFSET) & 0x1fff;
    }

    /** Where the payload starts in that of the whole packet. */
    public int fragmentOffsetBytes() {
        return fragmentOffset() << 3;
    }

    public boolean isFragment() {
        return (NetworkOrder.u16(segment, offset + FLAGS_OFFSET) & 0x3fff) != 0;
    }

    public int ttl() {
        return NetworkOrder.u8(segment, offset + TTL);
    }

    /** The IP protocol number (IANA) of the payload. */
    public int protocol() {
        return NetworkOrder.u8(segment, offset + PROTOCOL);
    }

    public int checksum() {
        return NetworkOrder.u16(segment, offset + CHECKSUM);
    }

    /** 32 bits; see {@link Endpoint#ofIpv4(int, int)}. */
    public long source() {
        return NetworkOrder.u32(segment, offset + SOURCE);
    }

    public long destination() {
        return NetworkOrder.u32(segment, offset + DESTINATION);
    }

    public long optionsOffset() {
        return offset + MIN_LENGTH;
    }

    public int optionsLength() {
        return headerLength() - MIN_LENGTH;
    }

    public long payloadOffset() {
        return offset + headerLength();
    }

    /** Bytes of the payload that are there. */
    public int payloadLength() {
        int total = totalLength();
        return (total == 0 ? length : Math.min(total, length)) - headerLength();
    }

    /** Whether the header's length goes on after what is there. */
    public boolean isSnapped() {
        return totalLength() > length;
    }

    @Override
    public String toString() {
        return "ipv4 " + Endpoint.ofIpv4((int) source(), 0).addressText() + " -> "
                + Endpoint.ofIpv4((int) destination(), 0).addressText() + " protocol " + protocol();
    }
}
