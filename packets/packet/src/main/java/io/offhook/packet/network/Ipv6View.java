package io.offhook.packet.network;

import io.offhook.packet.CarrierView;
import io.offhook.packet.Endpoint;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * An IPv6 header (RFC 8200, 3).
 *
 * <pre>
 *  0   4        12               32
 * +---+--------+------------------+
 * |ver| class  |    flow label    |
 * +---+--------+-------+----------+
 * | payload length |next| hop lim.|
 * +----------------+----+---------+
 * |  source, 128 bits             |
 * +-------------------------------+
 * |  destination, 128 bits        |
 * +-------------------------------+
 * </pre>
 *
 * <p>A payload length of 0 is a jumbogram's (RFC 2675), or offload's: then the payload is all that is there.
 */
public final class Ipv6View extends CarrierView<Ipv6View> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 40;

    /** The offset of version, traffic class and flow label, in bytes. */
    public static final int FIRST_WORD = 0;
    /** The offset of the payload length, in bytes. */
    public static final int PAYLOAD_LENGTH = 4;
    /** The offset of the next header, in bytes. */
    public static final int NEXT_HEADER = 6;

    /** The offset of the hop limit, in bytes. */
    public static final int HOP_LIMIT = 7;
    /** The offset of the source, in bytes. */
    public static final int SOURCE = 8;
    /** The offset of the destination, in bytes. */
    public static final int DESTINATION = 24;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public Ipv6View() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.IPV6;
    }

    /** Wraps a header: TRUNCATED below 40 bytes, UNSUPPORTED if its version is not 6. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset + FIRST_WORD) >>> 4 != 6) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, LENGTH);
    }

    /** The version stated in the header. */
    public int version() {
        return u8(FIRST_WORD) >>> 4;
    }

    /** Sets {@link #version()}; 0 to 15. */
    public Ipv6View version(int version) {
        return putBits(FIRST_WORD, 0, 4, "version", version);
    }

    /** The differentiated services code point (RFC 2474), 0 to 63. */
    public int dscp() {
        return u16(FIRST_WORD) >>> 6 & 0x3f;
    }

    /** Sets {@link #dscp()}; 0 to 63. */
    public Ipv6View dscp(int dscp) {
        return putBits(FIRST_WORD, 4, 6, "dscp", dscp);
    }

    /** Explicit congestion notification (RFC 3168), 0 to 3. */
    public int ecn() {
        return u16(FIRST_WORD) >>> 4 & 3;
    }

    /** Sets {@link #ecn()}; 0 to 3. */
    public Ipv6View ecn(int ecn) {
        return putBits(FIRST_WORD, 10, 2, "ecn", ecn);
    }

    /** 20 bits (RFC 6437). */
    public int flowLabel() {
        return (int) u32(FIRST_WORD) & 0xfffff;
    }

    /** Sets {@link #flowLabel()}; 0 to 1048575. */
    public Ipv6View flowLabel(int flowLabel) {
        return putBits(FIRST_WORD, 12, 20, "flowLabel", flowLabel);
    }

    /** The length of extension headers and payload in bytes, as stated in the header. */
    public int payloadLengthField() {
        return u16(PAYLOAD_LENGTH);
    }

    /** Sets {@link #payloadLengthField()}; 0 to 65535. */
    public Ipv6View payloadLengthField(int payloadLengthField) {
        return putU16(PAYLOAD_LENGTH, "payloadLengthField", payloadLengthField);
    }

    /** The IP protocol number (IANA) of the first extension header, or of the payload. */
    public int nextHeader() {
        return u8(NEXT_HEADER);
    }

    /** Sets {@link #nextHeader()}; 0 to 255. */
    public Ipv6View nextHeader(int nextHeader) {
        return putU8(NEXT_HEADER, "nextHeader", nextHeader);
    }

    /** The number of hops that remain. */
    public int hopLimit() {
        return u8(HOP_LIMIT);
    }

    /** Sets {@link #hopLimit()}; 0 to 255. */
    public Ipv6View hopLimit(int hopLimit) {
        return putU8(HOP_LIMIT, "hopLimit", hopLimit);
    }

    /** The first 64 bits of the source. */
    public long sourceHigh() {
        return bits64(SOURCE);
    }

    /** Second half of the source address. */
    public long sourceLow() {
        return bits64(SOURCE + 8);
    }

    /** Sets the source address, both halves. */
    public Ipv6View source(long high, long low) {
        putBits64(SOURCE, high);
        return putBits64(SOURCE + 8, low);
    }

    /** First half of the destination address. */
    public long destinationHigh() {
        return bits64(DESTINATION);
    }

    /** Second half of the destination address. */
    public long destinationLow() {
        return bits64(DESTINATION + 8);
    }

    /** Sets the destination address, both halves. */
    public Ipv6View destination(long high, long low) {
        putBits64(DESTINATION, high);
        return putBits64(DESTINATION + 8, low);
    }

    /** Bytes of extension headers and payload that are there. */
    @Override
    public int payloadLength() {
        int field = payloadLengthField();
        return field == 0 ? length - LENGTH : Math.min(field, length - LENGTH);
    }

    /** Whether the header states more bytes than are available. */
    public boolean isSnapped() {
        return payloadLengthField() > length - LENGTH;
    }

    @Override
    public String toString() {
        return "ipv6 " + new Endpoint(sourceHigh(), sourceLow(), 0).addressText() + " -> "
                + new Endpoint(destinationHigh(), destinationLow(), 0).addressText() + " next header " + nextHeader();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "ipv6",
                    "IPv6",
                    HeaderLayout.of(LENGTH)
                            .bits("dscp", FIRST_WORD, 4, 6)
                            .bits("ecn", FIRST_WORD, 10, 2)
                            .bits("flowLabel", FIRST_WORD, 12, 20)
                            .number("payloadLength", PAYLOAD_LENGTH, 16)
                            .number("nextHeader", NEXT_HEADER, 8)
                            .number("hopLimit", HOP_LIMIT, 8)
                            .ipv6("source", SOURCE)
                            .ipv6("destination", DESTINATION)
                            .whenMalformed(0));
        }
    }
}
