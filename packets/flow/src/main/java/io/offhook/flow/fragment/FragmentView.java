package io.offhook.flow.fragment;

import io.offhook.flow.state.BlockPool;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A view of the fragmentation fields of an IP packet, for both versions of IP.
 *
 * <pre>
 * IPv4 (RFC 791, 3.1)
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------+-------+---------------+-------------------------------+
 * |Version|  IHL  |Type of Service|          Total Length         |
 * +-------+-------+---------------+-----+-------------------------+
 * |         Identification        |0|D|M|     Fragment Offset     |
 * +---------------+---------------+-----+-------------------------+
 * |  Time to Live |    Protocol   |        Header Checksum        |
 * +---------------+---------------+-------------------------------+
 * |                         Source Address                        |
 * |                      Destination Address                      |
 * |                            Options                            |
 *
 * IPv6 fragment header (RFC 8200, 4.5), after the fixed header, hop-by-hop options, destination options, routing
 * +---------------+---------------+-------------------------+---+-+
 * |  Next Header  |    Reserved   |     Fragment Offset     |Res|M|
 * +---------------+---------------+-------------------------+---+-+
 * |                         Identification                        |
 * </pre>
 *
 * <p>After {@link WrapStatus#OK} the whole header was captured, and the payload is clipped to the captured bytes.
 * TRUNCATED: the header is incomplete. MALFORMED: a length contradicts the header. UNSUPPORTED: another IP version, or
 * an IPv6 packet whose headers before the fragment header are unknown, too many, or of unknown length (a jumbogram).
 * Reused and single-threaded.
 */
public final class FragmentView {
    private static final int V4_HEADER = 20;
    private static final int V4_TOTAL_LENGTH = 2;
    private static final int V4_IDENTIFICATION = 4;
    private static final int V4_FLAGS = 6;
    private static final int V4_PROTOCOL = 9;
    private static final int V4_SOURCE = 12;
    private static final int V4_DESTINATION = 16;
    private static final long V4_PREFIX = 0xffffL << 32;

    private static final int V6_HEADER = 40;
    private static final int V6_PAYLOAD_LENGTH = 4;
    private static final int V6_NEXT_HEADER = 6;
    private static final int V6_SOURCE = 8;
    private static final int V6_DESTINATION = 24;
    private static final int V6_FRAGMENT_HEADER = 8;
    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    private static final int DESTINATION_OPTIONS = 60;
    private static final int MAX_HEADERS = 8;
    private static final int MAX_LENGTH = 65_535;
    /**
     * The sizes that every link carries unfragmented: IPv4 68 bytes; IPv6 1,280 bytes, of which a sender that splits
     * evenly sends half.
     */
    private static final int LEAST_V4 = 68;

    private static final int LEAST_V6 = 640;

    private int version;
    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;
    private int identification;
    private int fragmentOffset;
    private boolean more;
    private int headerLength;
    private int payloadStart;
    private int payloadLength;
    private int payloadWireLength;
    private int nextHeaderField;
    private int nextHeader;

    /** Creates a view without a packet; call {@link #wrap} before any accessor. */
    public FragmentView() {}

    /**
     * Wraps the header of an IP packet.
     *
     * @param segment native memory with the packet
     * @param offset the first byte of the IP header
     * @param length bytes captured from {@code offset} on, link padding included
     * @return TRUNCATED, MALFORMED or UNSUPPORTED if the header cannot be read, as described for the class
     */
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < 1) {
            return WrapStatus.TRUNCATED;
        }
        version = NetworkOrder.u8(segment, offset) >>> 4;
        return switch (version) {
            case 4 -> wrapV4(segment, offset, length);
            case 6 -> wrapV6(segment, offset, length);
            default -> WrapStatus.UNSUPPORTED;
        };
    }

    /** The IP version, 4 or 6. */
    int version() {
        return version;
    }

    /** The first 64 bits of the source address, as in {@link io.offhook.packet.Endpoint}. */
    public long sourceHigh() {
        return sourceHigh;
    }

    /** The last 64 bits of the source address. */
    public long sourceLow() {
        return sourceLow;
    }

    /** The first 64 bits of the destination address. */
    public long destinationHigh() {
        return destinationHigh;
    }

    /** The last 64 bits of the destination address. */
    public long destinationLow() {
        return destinationLow;
    }

    /**
     * Distinguishes datagrams between two addresses: 32 bits of identification (IPv6), or protocol and 16 bits of
     * identification (IPv4).
     */
    public int identification() {
        return identification;
    }

    /** The position of this fragment in the payload of the datagram, in bytes, 0 to 65,528. */
    int fragmentOffset() {
        return fragmentOffset;
    }

    /** Whether more fragments follow. */
    boolean hasMore() {
        return more;
    }

    /** Whether the packet is first and last at once: not a fragment (IPv4), or an atomic fragment (IPv6, RFC 6946). */
    boolean isWhole() {
        return fragmentOffset == 0 && !more;
    }

    /** The length of the header that the datagram keeps, in bytes, without the IPv6 fragment header. */
    int headerLength() {
        return headerLength;
    }

    /** The offset of the payload from the start of the IP header, in bytes. */
    int payloadStart() {
        return payloadStart;
    }

    /** Captured bytes of payload. */
    int payloadLength() {
        return payloadLength;
    }

    /** Bytes of payload by the header. */
    int payloadWireLength() {
        return payloadWireLength;
    }

    /**
     * The offset of the "next header" field that announces the fragment header (44), from the start of the IPv6 header.
     */
    int nextHeaderField() {
        return nextHeaderField;
    }

    /** The "next header" field of the IPv6 fragment header. */
    int nextHeader() {
        return nextHeader;
    }

    /**
     * Whether the fragment is possible: not empty, a multiple of 8 bytes unless it is the last, and not beyond the
     * longest datagram.
     */
    boolean isPossible() {
        return payloadWireLength > 0
                && (!more || (payloadWireLength & 7) == 0)
                && fits(version, headerLength, fragmentOffset + payloadWireLength);
    }

    /** Whether the length field can represent a packet of this header and payload length. */
    static boolean fits(int version, int headerLength, int payloadLength) {
        return (version == 4 ? headerLength : headerLength - V6_HEADER) + payloadLength <= MAX_LENGTH;
    }

    /** Whether the fragment is not the last and is smaller than any link requires. */
    boolean isTiny() {
        return more && payloadStart + payloadWireLength < (version == 4 ? LEAST_V4 : LEAST_V6);
    }

    private WrapStatus wrapV4(MemorySegment segment, long offset, int length) {
        if (length < V4_HEADER) {
            return WrapStatus.TRUNCATED;
        }
        headerLength = (NetworkOrder.u8(segment, offset) & 0xf) * 4;
        int totalLength = NetworkOrder.u16(segment, offset + V4_TOTAL_LENGTH);
        if (headerLength < V4_HEADER || totalLength < headerLength) {
            return WrapStatus.MALFORMED;
        }
        if (length < headerLength) {
            return WrapStatus.TRUNCATED;
        }
        sourceHigh = 0;
        sourceLow = V4_PREFIX | NetworkOrder.u32(segment, offset + V4_SOURCE);
        destinationHigh = 0;
        destinationLow = V4_PREFIX | NetworkOrder.u32(segment, offset + V4_DESTINATION);
        identification = NetworkOrder.u8(segment, offset + V4_PROTOCOL) << 16
                | NetworkOrder.u16(segment, offset + V4_IDENTIFICATION);
        int flags = NetworkOrder.u16(segment, offset + V4_FLAGS);
        more = (flags & 0x2000) != 0;
        fragmentOffset = (flags & 0x1fff) * 8;
        payloadStart = headerLength;
        payloadWireLength = totalLength - headerLength;
        payloadLength = Math.min(payloadWireLength, length - headerLength);
        return WrapStatus.OK;
    }

    private WrapStatus wrapV6(MemorySegment segment, long offset, int length) {
        if (length < V6_HEADER) {
            return WrapStatus.TRUNCATED;
        }
        int behindHeader = NetworkOrder.u16(segment, offset + V6_PAYLOAD_LENGTH);
        if (behindHeader == 0) {
            return WrapStatus.UNSUPPORTED;
        }
        nextHeaderField = V6_NEXT_HEADER;
        int next = NetworkOrder.u8(segment, offset + V6_NEXT_HEADER);
        int at = V6_HEADER;
        for (int headers = 0; next != FRAGMENT; headers++) {
            if (headers == MAX_HEADERS || next != HOP_BY_HOP && next != ROUTING && next != DESTINATION_OPTIONS) {
                return WrapStatus.UNSUPPORTED;
            }
            if (at + 8 > length) {
                return WrapStatus.TRUNCATED;
            }
            nextHeaderField = at;
            next = NetworkOrder.u8(segment, offset + at);
            at += (NetworkOrder.u8(segment, offset + at + 1) + 1) * 8;
        }
        int wire = V6_HEADER + behindHeader - at - V6_FRAGMENT_HEADER;
        if (wire < 0) {
            return WrapStatus.MALFORMED;
        }
        if (at + V6_FRAGMENT_HEADER > length) {
            return WrapStatus.TRUNCATED;
        }
        if (at > BlockPool.BLOCK_BYTES) {
            return WrapStatus.UNSUPPORTED;
        }
        readFragmentHeader(segment, offset, at);
        payloadWireLength = wire;
        payloadLength = Math.min(wire, length - payloadStart);
        return WrapStatus.OK;
    }

    private void readFragmentHeader(MemorySegment segment, long offset, int at) {
        sourceHigh = NetworkOrder.bits64(segment, offset + V6_SOURCE);
        sourceLow = NetworkOrder.bits64(segment, offset + V6_SOURCE + 8);
        destinationHigh = NetworkOrder.bits64(segment, offset + V6_DESTINATION);
        destinationLow = NetworkOrder.bits64(segment, offset + V6_DESTINATION + 8);
        nextHeader = NetworkOrder.u8(segment, offset + at);
        int flags = NetworkOrder.u16(segment, offset + at + 2);
        more = (flags & 1) != 0;
        fragmentOffset = flags & 0xfff8;
        identification = NetworkOrder.bits32(segment, offset + at + 4);
        headerLength = at;
        payloadStart = at + V6_FRAGMENT_HEADER;
    }
}
