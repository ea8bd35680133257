package io.offhook.packet.walk;

import io.offhook.packet.IpProtocol;
import io.offhook.packet.LayerType;
import io.offhook.packet.network.EspView;
import io.offhook.packet.network.IcmpView;
import io.offhook.packet.network.Icmpv6View;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6View;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.transport.UdpView;

/**
 * ESP (RFC 4303) over IP and over UDP (RFC 3948). Nothing says whether it is encrypted: with NULL encryption (RFC 2410),
 * as IMS signals, the trailer and the header that it names are readable, and then the packet inside is walked.
 *
 * <pre>
 * | SPI | sequence number | packet | padding 1, 2, 3... | padding length (8) | next header (8) | check value |
 * </pre>
 */
final class EspPayloads {
    /** Lengths of check values: HMAC-SHA-1-96 and HMAC-MD5-96, HMAC-SHA-256-128 and GMAC, none. */
    private static final int[] CHECK_VALUES = {12, 16, 0};

    private static final int TRAILER = 2;
    /** Below are reserved SPIs (RFC 4303, 2.1); 0 marks IKE over UDP. */
    private static final int FIRST_SPI = 256;
    /** Numbers count from 1, so that most begin with a zero byte; text and timestamps of RTP do not. */
    private static final int USUAL_NUMBERS = 1 << 24;

    private EspPayloads() {}

    /** Over IP: a packet that is not readable ends the walk. */
    static int overIp(Walk walk) {
        if (walk.lacks(EspView.LENGTH)) {
            return walk.truncated(LayerType.ESP, EspView.LENGTH);
        }
        int trailer = trailer(walk);
        if (trailer < 0) {
            walk.push(LayerType.ESP, EspView.LENGTH);
            walk.payload();
            return Walk.DONE;
        }
        return inside(walk, trailer);
    }

    /**
     * Over UDP port 4500: readable, or between these ports only, or with a first byte and a sequence number that RTP and
     * text do not have.
     */
    static int overUdp(Walk walk, boolean onBothPorts) {
        if (walk.lacks(EspView.LENGTH) || walk.u32(EspView.SPI) < FIRST_SPI) {
            return Walk.DONE;
        }
        int trailer = trailer(walk);
        if (trailer >= 0) {
            return inside(walk, trailer);
        }
        boolean isUnlikeRtp = walk.u8(0) >>> 6 != 2;
        if ((onBothPorts || isUnlikeRtp) && walk.u32(EspView.SEQUENCE_NUMBER) < USUAL_NUMBERS) {
            walk.push(LayerType.ESP, EspView.LENGTH);
        }
        return Walk.DONE;
    }

    private static int inside(Walk walk, int trailer) {
        int padding = walk.u8(trailer);
        int next = walk.u8(trailer + 1);
        walk.clip(trailer - padding);
        walk.protocol = next;
        walk.push(LayerType.ESP, EspView.LENGTH);
        walk.networkPayload();
        return Walk.IP_PROTOCOL | next;
    }

    /** The position of the trailer of a packet that is not encrypted; -1 if it is, or was not captured whole. */
    private static int trailer(Walk walk) {
        int length = walk.wireEnd - walk.at;
        if (walk.lacks(length) || walk.lacksRoom()) {
            return -1;
        }
        for (int checkValue : CHECK_VALUES) {
            int trailer = length - checkValue - TRAILER;
            if (trailer >= EspView.LENGTH && (trailer + TRAILER & 3) == 0 && isTrailer(walk, trailer)) {
                return trailer;
            }
        }
        return -1;
    }

    private static boolean isTrailer(Walk walk, int trailer) {
        int padding = walk.u8(trailer);
        int length = trailer - EspView.LENGTH - padding;
        if (length <= 0) {
            return false;
        }
        for (int i = 1; i <= padding; i++) {
            if (walk.u8(trailer - padding + i - 1) != (i & 0xff)) {
                return false;
            }
        }
        return isPacket(walk, walk.u8(trailer + 1), EspView.LENGTH, length);
    }

    /** Whether a packet of a protocol has a header of that protocol, with the length that is there. */
    private static boolean isPacket(Walk walk, int protocol, int at, int length) {
        return switch (protocol) {
            case IpProtocol.IPV4 ->
                length >= Ipv4View.MIN_LENGTH
                        && walk.u8(at) >>> 4 == 4
                        && walk.u16(at + Ipv4View.TOTAL_LENGTH) == length;
            case IpProtocol.IPV6 ->
                length >= Ipv6View.LENGTH
                        && walk.u8(at) >>> 4 == 6
                        && walk.u16(at + Ipv6View.PAYLOAD_LENGTH) + Ipv6View.LENGTH == length;
            case IpProtocol.UDP -> length >= UdpView.LENGTH && walk.u16(at + UdpView.DATAGRAM_LENGTH) == length;
            case IpProtocol.TCP -> length >= TcpView.MIN_LENGTH && isTcp(walk, at, length);
            case IpProtocol.ICMP -> length >= IcmpView.LENGTH && sum(walk, at, length) == 0xffff;
            case IpProtocol.ICMPV6 -> length >= Icmpv6View.LENGTH && isIcmpv6(walk.u8(at), walk.u8(at + 1));
            default -> false;
        };
    }

    /** A header length that fits, no reserved bit, ports, and flags that occur: never SYN with FIN or RST, nor none. */
    private static boolean isTcp(Walk walk, int at, int length) {
        int headerLength = walk.u8(at + TcpView.OFFSET_FLAGS) >>> 4 << 2;
        int flags = walk.u8(at + TcpView.OFFSET_FLAGS + 1);
        boolean isSyn = (flags & TcpView.SYN) != 0;
        return headerLength >= TcpView.MIN_LENGTH
                && headerLength <= length
                && (walk.u8(at + TcpView.OFFSET_FLAGS) & 0x0e) == 0
                && walk.u16(at + TcpView.SOURCE_PORT) != 0
                && walk.u16(at + TcpView.SOURCE_PORT + 2) != 0
                && (isSyn ? (flags & (TcpView.FIN | TcpView.RST)) == 0 : (flags & (TcpView.ACK | TcpView.RST)) != 0);
    }

    /** Errors, echo, and multicast and neighbour discovery (RFC 4443, RFC 4861). */
    private static boolean isIcmpv6(int type, int code) {
        boolean isError = type >= 1 && type <= 4;
        return isError && code <= 7 || type >= 128 && type <= 137 && code == 0;
    }

    /** The ones' complement sum (RFC 1071), 0xffff if a checksum in it is right. */
    private static int sum(Walk walk, int at, int length) {
        int sum = 0;
        for (int i = 0; i + 1 < length; i += 2) {
            sum += walk.u16(at + i);
        }
        if ((length & 1) != 0) {
            sum += walk.u8(at + length - 1) << 8;
        }
        while (sum >>> 16 != 0) {
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return sum;
    }
}
