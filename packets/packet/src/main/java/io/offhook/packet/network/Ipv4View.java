package io.offhook.packet.network;

import io.offhook.packet.CarrierView;
import io.offhook.packet.Endpoint;
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
 */
public final class Ipv4View extends CarrierView<Ipv4View> implements LayerView {
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

    /** Creates a view; call {@link #wrap} before any accessor. */
    public Ipv4View() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.IPV4;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than it states, UNSUPPORTED if its version is not 4,
     * MALFORMED if its length is below 20 or its total length below that.
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
        return wrap(segment, offset, length, header);
    }

    /** The version stated in the header. */
    public int version() {
        return u8(VERSION_WORDS) >>> 4;
    }

    /** Sets {@link #version()}; 0 to 15. */
    public Ipv4View version(int version) {
        return putBits(VERSION_WORDS, 0, 4, "version", version);
    }

    /**
     * Sets {@link #headerLength()}.
     *
     * @param headerLength 20 to 60 in fours, and not more than is there
     */
    public Ipv4View headerLength(int headerLength) {
        FieldRange.checkMultiple("headerLength", headerLength, MIN_LENGTH, Math.min(60, length), 4);
        putBits(VERSION_WORDS, 4, 4, "headerLength", headerLength >>> 2);
        this.headerLength = headerLength;
        return this;
    }

    /** The differentiated services code point (RFC 2474), 0 to 63. */
    public int dscp() {
        return u8(TRAFFIC_CLASS) >>> 2;
    }

    /** Sets {@link #dscp()}; 0 to 63. */
    public Ipv4View dscp(int dscp) {
        return putBits(TRAFFIC_CLASS, 0, 6, "dscp", dscp);
    }

    /** Explicit congestion notification (RFC 3168), 0 to 3. */
    public int ecn() {
        return u8(TRAFFIC_CLASS) & 3;
    }

    /** Sets {@link #ecn()}; 0 to 3. */
    public Ipv4View ecn(int ecn) {
        return putBits(TRAFFIC_CLASS, 6, 2, "ecn", ecn);
    }

    /** The length of header and payload in bytes, as stated in the header. */
    public int totalLength() {
        return u16(TOTAL_LENGTH);
    }

    /**
     * Sets {@link #totalLength()}.
     *
     * @param totalLength the header's length to 65535, or 0
     */
    public Ipv4View totalLength(int totalLength) {
        FieldRange.check("totalLength", totalLength, totalLength == 0 ? 0 : headerLength, 0xffff);
        return putU16(TOTAL_LENGTH, "totalLength", totalLength);
    }

    /** The identification that the fragments of one packet share. */
    public int identification() {
        return u16(IDENTIFICATION);
    }

    /** Sets {@link #identification()}; 0 to 65535. */
    public Ipv4View identification(int identification) {
        return putU16(IDENTIFICATION, "identification", identification);
    }

    /** Whether routers may not put it in fragments. */
    public boolean dontFragment() {
        return (u16(FLAGS_OFFSET) & 0x4000) != 0;
    }

    /** Sets {@link #dontFragment()}. */
    public Ipv4View dontFragment(boolean isSet) {
        return putFlag(FLAGS_OFFSET, 1, isSet);
    }

    /** Whether more fragments follow. */
    public boolean moreFragments() {
        return (u16(FLAGS_OFFSET) & 0x2000) != 0;
    }

    /** Sets {@link #moreFragments()}. */
    public Ipv4View moreFragments(boolean isSet) {
        return putFlag(FLAGS_OFFSET, 2, isSet);
    }

    /** The field as it is: units of eight bytes. */
    public int fragmentOffset() {
        return u16(FLAGS_OFFSET) & 0x1fff;
    }

    /** Sets {@link #fragmentOffset()}; 0 to 8191. */
    public Ipv4View fragmentOffset(int fragmentOffset) {
        return putBits(FLAGS_OFFSET, 3, 13, "fragmentOffset", fragmentOffset);
    }

    /** Where the payload starts in that of the whole packet. */
    public int fragmentOffsetBytes() {
        return fragmentOffset() << 3;
    }

    /** Whether it is a fragment: more follow, or bytes come before. */
    public boolean isFragment() {
        return (u16(FLAGS_OFFSET) & 0x3fff) != 0;
    }

    /** The number of hops that remain. */
    public int ttl() {
        return u8(TTL);
    }

    /** Sets {@link #ttl()}; 0 to 255. */
    public Ipv4View ttl(int ttl) {
        return putU8(TTL, "ttl", ttl);
    }

    /** The IP protocol number (IANA) of the payload. */
    public int protocol() {
        return u8(PROTOCOL);
    }

    /** Sets {@link #protocol()}; 0 to 255. */
    public Ipv4View protocol(int protocol) {
        return putU8(PROTOCOL, "protocol", protocol);
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public Ipv4View checksum(int checksum) {
        return putU16(CHECKSUM, "checksum", checksum);
    }

    /** 32 bits; see {@link Endpoint#ofIpv4(int, int)}. */
    public long source() {
        return u32(SOURCE);
    }

    /** Sets {@link #source()}; 0 to 4294967295. */
    public Ipv4View source(long source) {
        return putU32(SOURCE, "source", source);
    }

    /** 32 bits; see {@link Endpoint#ofIpv4(int, int)}. */
    public long destination() {
        return u32(DESTINATION);
    }

    /** Sets {@link #destination()}; 0 to 4294967295. */
    public Ipv4View destination(long destination) {
        return putU32(DESTINATION, "destination", destination);
    }

    /** The offset of the options in the segment. */
    public long optionsOffset() {
        return offset + MIN_LENGTH;
    }

    /** The length of the options, in bytes. */
    public int optionsLength() {
        return headerLength - MIN_LENGTH;
    }

    /** The number of available bytes of the payload. */
    @Override
    public int payloadLength() {
        int total = totalLength();
        return (total == 0 ? length : Math.min(total, length)) - headerLength;
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
