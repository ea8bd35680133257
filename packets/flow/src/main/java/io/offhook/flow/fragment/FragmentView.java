package io.offhook.flow.fragment;

import io.offhook.flow.state.BlockPool;
import io.offhook.packet.IpProtocol;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6ExtensionView;
import io.offhook.packet.network.Ipv6FragmentView;
import io.offhook.packet.network.Ipv6View;
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
    private static final long V4_PREFIX = 0xffffL << 32;
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
        return (version == 4 ? headerLength : headerLength - Ipv6View.LENGTH) + payloadLength <= MAX_LENGTH;
    }

    /** Whether the fragment is not the last and is smaller than any link requires. */
    boolean isTiny() {
        return more && payloadStart + payloadWireLength < (version == 4 ? LEAST_V4 : LEAST_V6);
    }

    private WrapStatus wrapV4(MemorySegment segment, long offset, int length) {
        if (length < Ipv4View.MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        headerLength = (NetworkOrder.u8(segment, offset) & 0xf) * 4;
        int totalLength = NetworkOrder.u16(segment, offset + Ipv4View.TOTAL_LENGTH);
        if (headerLength < Ipv4View.MIN_LENGTH || totalLength < headerLength) {
            return WrapStatus.MALFORMED;
        }
        if (length < headerLength) {
            return WrapStatus.TRUNCATED;
        }
        sourceHigh = 0;
        sourceLow = V4_PREFIX | NetworkOrder.u32(segment, offset + Ipv4View.SOURCE);
        destinationHigh = 0;
        destinationLow = V4_PREFIX | NetworkOrder.u32(segment, offset + Ipv4View.DESTINATION);
        identification = NetworkOrder.u8(segment, offset + Ipv4View.PROTOCOL) << 16
                | NetworkOrder.u16(segment, offset + Ipv4View.IDENTIFICATION);
        int flags = NetworkOrder.u16(segment, offset + Ipv4View.FLAGS_OFFSET);
        more = (flags & 0x2000) != 0;
        fragmentOffset = (flags & 0x1fff) * 8;
        payloadStart = headerLength;
        payloadWireLength = totalLength - headerLength;
        payloadLength = Math.min(payloadWireLength, length - headerLength);
        return WrapStatus.OK;
    }

    private WrapStatus wrapV6(MemorySegment segment, long offset, int length) {
        if (length < Ipv6View.LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int behindHeader = NetworkOrder.u16(segment, offset + Ipv6View.PAYLOAD_LENGTH);
        if (behindHeader == 0) {
            return WrapStatus.UNSUPPORTED;
        }
        nextHeaderField = Ipv6View.NEXT_HEADER;
        int next = NetworkOrder.u8(segment, offset + Ipv6View.NEXT_HEADER);
        int at = Ipv6View.LENGTH;
        for (int headers = 0; next != IpProtocol.FRAGMENT; headers++) {
            if (headers == MAX_HEADERS
                    || next != IpProtocol.HOP_BY_HOP
                            && next != IpProtocol.ROUTING
                            && next != IpProtocol.DESTINATION_OPTIONS) {
                return WrapStatus.UNSUPPORTED;
            }
            if (at + Ipv6ExtensionView.MIN_LENGTH > length) {
                return WrapStatus.TRUNCATED;
            }
            nextHeaderField = at;
            next = NetworkOrder.u8(segment, offset + at + Ipv6ExtensionView.NEXT_HEADER);
            at += NetworkOrder.u8(segment, offset + at + Ipv6ExtensionView.UNITS) + 1 << 3;
        }
        int wire = Ipv6View.LENGTH + behindHeader - at - Ipv6FragmentView.LENGTH;
        if (wire < 0) {
            return WrapStatus.MALFORMED;
        }
        if (at + Ipv6FragmentView.LENGTH > length) {
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
        sourceHigh = NetworkOrder.bits64(segment, offset + Ipv6View.SOURCE);
        sourceLow = NetworkOrder.bits64(segment, offset + Ipv6View.SOURCE + 8);
        destinationHigh = NetworkOrder.bits64(segment, offset + Ipv6View.DESTINATION);
        destinationLow = NetworkOrder.bits64(segment, offset + Ipv6View.DESTINATION + 8);
        nextHeader = NetworkOrder.u8(segment, offset + at + Ipv6FragmentView.NEXT_HEADER);
        int flags = NetworkOrder.u16(segment, offset + at + Ipv6FragmentView.OFFSET_FLAGS);
        more = (flags & 1) != 0;
        fragmentOffset = flags & 0xfff8;
        identification = NetworkOrder.bits32(segment, offset + at + Ipv6FragmentView.IDENTIFICATION);
        headerLength = at;
        payloadStart = at + Ipv6FragmentView.LENGTH;
    }
}
