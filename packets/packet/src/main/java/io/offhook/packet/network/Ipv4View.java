package io.offhook.packet.network;

import io.offhook.packet.Endpoint;
import io.offhook.packet.FieldBits;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.IpAddress;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
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
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes. Setters reject a value
 * that the field cannot hold, and change nothing else, not even a checksum; see {@link io.offhook.packet}.
 */
public final class Ipv4View implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 20;

    /** The offset of version and header length, in bytes. */
    public static final int VERSION_WORDS = 0;

    private static final int TRAFFIC_CLASS = 1;
    /** The offset of the total length, in bytes. */
    public static final int TOTAL_LENGTH = 2;
    /** The offset of the identification, in bytes. */
    public static final int IDENTIFICATION = 4;
    /** The offset of flags (3 bits) and fragment offset, in bytes. */
    public static final int FLAGS_OFFSET = 6;

    /** The offset of the time to live, in bytes. */
    public static final int TTL = 8;
    /** The offset of the protocol, in bytes. */
    public static final int PROTOCOL = 9;

    /** The offset of the checksum, in bytes. */
    public static final int CHECKSUM = 10;
    /** The offset of the source, in bytes. */
    public static final int SOURCE = 12;
    /** The offset of the destination, in bytes. */
    public static final int DESTINATION = 16;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public Ipv4View() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.IPV4;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than it states, UNSUPPORTED if its version is not 4,
     * MALFORMED if its length is below 20 or its total length below that.
     *
     * @param length the number of bytes available from {@code offset}
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

    /** The version stated in the header. */
    public int version() {
        return NetworkOrder.u8(segment, offset + VERSION_WORDS) >>> 4;
    }

    /** Sets {@link #version()}; 0 to 15. */
    public Ipv4View version(int version) {
        FieldBits.put(segment, offset, 8 * VERSION_WORDS, 4, "version", version);
        return this;
    }

    /** The length of the header with its options, 20 to 60 bytes. */
    public int headerLength() {
        return (NetworkOrder.u8(segment, offset + VERSION_WORDS) & 15) << 2;
    }

    /**
     * Sets {@link #headerLength()}.
     *
     * @param headerLength 20 to 60 in fours, and not more than is there
     */
    public Ipv4View headerLength(int headerLength) {
        FieldRange.checkMultiple("headerLength", headerLength, MIN_LENGTH, Math.min(60, length), 4);
        NetworkOrder.putU8(segment, offset + VERSION_WORDS, 0x40 | headerLength >>> 2);
        return this;
    }

    /** The differentiated services code point (RFC 2474), 0 to 63. */
    public int dscp() {
        return NetworkOrder.u8(segment, offset + TRAFFIC_CLASS) >>> 2;
    }

    /** Sets {@link #dscp()}; 0 to 63. */
    public Ipv4View dscp(int dscp) {
        FieldRange.check("dscp", dscp, 63);
        int others = NetworkOrder.u8(segment, offset + TRAFFIC_CLASS) & ~0xfc;
        NetworkOrder.putU8(segment, offset + TRAFFIC_CLASS, others | dscp << 2);
        return this;
    }

    /** Explicit congestion notification (RFC 3168), 0 to 3. */
    public int ecn() {
        return NetworkOrder.u8(segment, offset + TRAFFIC_CLASS) & 3;
    }

    /** Sets {@link #ecn()}; 0 to 3. */
    public Ipv4View ecn(int ecn) {
        FieldRange.check("ecn", ecn, 3);
        int others = NetworkOrder.u8(segment, offset + TRAFFIC_CLASS) & ~3;
        NetworkOrder.putU8(segment, offset + TRAFFIC_CLASS, others | ecn);
        return this;
    }

    /** The length of header and payload in bytes, as stated in the header. */
    public int totalLength() {
        return NetworkOrder.u16(segment, offset + TOTAL_LENGTH);
    }

    /**
     * Sets {@link #totalLength()}.
     *
     * @param totalLength the header's length to 65535, or 0
     */
    public Ipv4View totalLength(int totalLength) {
        FieldRange.check("totalLength", totalLength, totalLength == 0 ? 0 : headerLength(), 0xffff);
        NetworkOrder.putU16(segment, offset + TOTAL_LENGTH, totalLength);
        return this;
    }

    /** The identification that the fragments of one packet share. */
    public int identification() {
        return NetworkOrder.u16(segment, offset + IDENTIFICATION);
    }

    /** Sets {@link #identification()}; 0 to 65535. */
    public Ipv4View identification(int identification) {
        FieldRange.check("identification", identification, 0xffff);
        NetworkOrder.putU16(segment, offset + IDENTIFICATION, identification);
        return this;
    }

    /** Whether routers may not put it in fragments. */
    public boolean dontFragment() {
        return (NetworkOrder.u16(segment, offset + FLAGS_OFFSET) & 0x4000) != 0;
    }

    /** Sets {@link #dontFragment()}. */
    public Ipv4View dontFragment(boolean isSet) {
        int others = NetworkOrder.u16(segment, offset + FLAGS_OFFSET) & ~0x4000;
        NetworkOrder.putU16(segment, offset + FLAGS_OFFSET, isSet ? others | 0x4000 : others);
        return this;
    }

    /** Whether more fragments follow. */
    public boolean moreFragments() {
        return (NetworkOrder.u16(segment, offset + FLAGS_OFFSET) & 0x2000) != 0;
    }

    /** Sets {@link #moreFragments()}. */
    public Ipv4View moreFragments(boolean isSet) {
        int others = NetworkOrder.u16(segment, offset + FLAGS_OFFSET) & ~0x2000;
        NetworkOrder.putU16(segment, offset + FLAGS_OFFSET, isSet ? others | 0x2000 : others);
        return this;
    }

    /** The field as it is: units of eight bytes. */
    public int fragmentOffset() {
        return NetworkOrder.u16(segment, offset + FLAGS_OFFSET) & 0x1fff;
    }

    /** Sets {@link #fragmentOffset()}; 0 to 8191. */
    public Ipv4View fragmentOffset(int fragmentOffset) {
        FieldRange.check("fragmentOffset", fragmentOffset, 0x1fff);
        int others = NetworkOrder.u16(segment, offset + FLAGS_OFFSET) & ~0x1fff;
        NetworkOrder.putU16(segment, offset + FLAGS_OFFSET, others | fragmentOffset);
        return this;
    }

    /** Where the payload starts in that of the whole packet. */
    public int fragmentOffsetBytes() {
        return fragmentOffset() << 3;
    }

    /** Whether it is a fragment: more follow, or bytes come before. */
    public boolean isFragment() {
        return (NetworkOrder.u16(segment, offset + FLAGS_OFFSET) & 0x3fff) != 0;
    }

    /** The number of hops that remain. */
    public int ttl() {
        return NetworkOrder.u8(segment, offset + TTL);
    }

    /** Sets {@link #ttl()}; 0 to 255. */
    public Ipv4View ttl(int ttl) {
        FieldRange.check("ttl", ttl, 0xff);
        NetworkOrder.putU8(segment, offset + TTL, ttl);
        return this;
    }

    /** The IP protocol number (IANA) of the payload. */
    public int protocol() {
        return NetworkOrder.u8(segment, offset + PROTOCOL);
    }

    /** Sets {@link #protocol()}; 0 to 255. */
    public Ipv4View protocol(int protocol) {
        FieldRange.check("protocol", protocol, 0xff);
        NetworkOrder.putU8(segment, offset + PROTOCOL, protocol);
        return this;
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return NetworkOrder.u16(segment, offset + CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public Ipv4View checksum(int checksum) {
        FieldRange.check("checksum", checksum, 0xffff);
        NetworkOrder.putU16(segment, offset + CHECKSUM, checksum);
        return this;
    }

    /** 32 bits; see {@link Endpoint#ofIpv4(int, int)}. */
    public long source() {
        return NetworkOrder.u32(segment, offset + SOURCE);
    }

    /** Sets {@link #source()}; 0 to 4294967295. */
    public Ipv4View source(long source) {
        FieldRange.check("source", source, 0xffff_ffffL);
        NetworkOrder.putU32(segment, offset + SOURCE, source);
        return this;
    }

    /** 32 bits; see {@link Endpoint#ofIpv4(int, int)}. */
    public long destination() {
        return NetworkOrder.u32(segment, offset + DESTINATION);
    }

    /** Sets {@link #destination()}; 0 to 4294967295. */
    public Ipv4View destination(long destination) {
        FieldRange.check("destination", destination, 0xffff_ffffL);
        NetworkOrder.putU32(segment, offset + DESTINATION, destination);
        return this;
    }

    /** The offset of the options in the segment. */
    public long optionsOffset() {
        return offset + MIN_LENGTH;
    }

    /** The length of the options, in bytes. */
    public int optionsLength() {
        return headerLength() - MIN_LENGTH;
    }

    /** The offset in the segment of the first byte after the header. */
    public long payloadOffset() {
        return offset + headerLength();
    }

    /** The number of available bytes of the payload. */
    public int payloadLength() {
        int total = totalLength();
        return (total == 0 ? length : Math.min(total, length)) - headerLength();
    }

    /** Whether the header states more bytes than are available. */
    public boolean isSnapped() {
        return totalLength() > length;
    }

    @Override
    public String toString() {
        return "ipv4 " + IpAddress.ipv4Text(source()) + " -> " + IpAddress.ipv4Text(destination()) + " protocol "
                + protocol();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        private final Ipv4Options options = new Ipv4Options();

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "ipv4",
                    "IPv4",
                    HeaderLayout.of(MIN_LENGTH)
                            .bits("dscp", TRAFFIC_CLASS, 0, 6)
                            .bits("ecn", TRAFFIC_CLASS, 6, 2)
                            .number("totalLength", TOTAL_LENGTH, 16)
                            .number("identification", IDENTIFICATION, 16)
                            .flag("dontFragment", FLAGS_OFFSET, 1)
                            .flag("moreFragments", FLAGS_OFFSET, 2)
                            .bits("fragmentOffset", FLAGS_OFFSET, 3, 13)
                            .number("ttl", TTL, 8)
                            .number("protocol", PROTOCOL, 8)
                            .number("checksum", CHECKSUM, 16)
                            .ipv4("source", SOURCE)
                            .ipv4("destination", DESTINATION)
                            .whenMalformed(0));
        }

        @Override
        public void fields(Layer layer, FieldVisitor to) {
            int length = layer.headerLength();
            to.number("headerLength", length);
            super.fields(layer, to);
            if (length > MIN_LENGTH) {
                to.bytes("options", layer.segment(), layer.offset() + MIN_LENGTH, length - MIN_LENGTH);
                options.wrap(layer.segment(), layer.offset() + MIN_LENGTH, length - MIN_LENGTH);
                while (options.next()) {
                    options.visit(to);
                }
            }
        }
    }
}
