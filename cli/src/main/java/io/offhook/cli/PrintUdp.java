package io.offhook.cli;

import io.offhook.packet.NetworkOrder;
import io.offhook.packet.PacketWalker;
import io.offhook.packet.WrapStatus;
import io.offhook.rtp.Codec;
import io.offhook.rtp.PayloadType;
import io.offhook.rtp.RtcpReader;
import io.offhook.rtp.RtcpView;
import io.offhook.rtp.RtpView;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What a UDP datagram carries: told by its content, for protocols without a mark of their own by the port. */
final class PrintUdp {
    private static final int STUN_COOKIE = 0x2112a442;
    private static final int ZRTP_COOKIE = 0x5a525450;
    private static final int HEP3 = 0x48455033;

    private final PrintRtpFlows flows = new PrintRtpFlows();
    private final PrintSip sip;
    private final RtpView rtp = new RtpView();
    private final RtcpReader rtcp = new RtcpReader();
    private final RtcpView report = new RtcpView();

    PrintUdp(PrintSip sip) {
        this.sip = sip;
    }

    /** Names what the walked packet's UDP layer carries, and appends a summary of it. */
    String describe(PacketWalker walker, StringBuilder to) {
        MemorySegment segment = walker.segment();
        long at = walker.payloadOffset();
        int length = walker.payloadLength();
        if (length == 0) {
            to.append(walker.isSnapped() ? "not captured" : "empty");
            return "UDP";
        }
        int first = NetworkOrder.u8(segment, at);
        if (sip.isMessageStart(segment, at, length)) {
            return sip.describe(to);
        }
        if (sip.isKeepAlive(segment, at, length)) {
            to.append("keep-alive");
            return "UDP";
        }
        String wellKnown = byPort(walker, segment, at, length, to);
        if (wellKnown != null) {
            return wellKnown;
        }
        if (first >>> 6 == 2) {
            String media = media(walker, segment, at, length, to);
            if (media != null) {
                return media;
            }
        }
        String marked = byMark(segment, at, length, first, to);
        if (marked != null) {
            return marked;
        }
        to.append(walker.payloadWireLength()).append(" bytes");
        return "UDP";
    }

    // RTP and RTCP

    /** Which of the two the payload is; null for neither. */
    private @Nullable String media(PacketWalker walker, MemorySegment segment, long at, int length, StringBuilder to) {
        if (RtcpReader.isPlausible(segment, at, length)) {
            rtcp(segment, at, length, walker.payloadWireLength(), to);
            return "RTCP";
        }
        if (isRtp(walker)) {
            rtp(to);
            return "RTP";
        }
        return null;
    }

    /** Whether the payload is taken for RTP; then {@link #rtp()} is on it. To be asked once a packet. */
    private boolean isRtp(PacketWalker walker) {
        MemorySegment segment = walker.segment();
        long at = walker.payloadOffset();
        int length = walker.payloadLength();
        int wireLength = walker.payloadWireLength();
        if (!RtpView.isPlausible(segment, at, length, wireLength)
                || rtp.wrap(segment, at, length, wireLength) != WrapStatus.OK) {
            return false;
        }
        int low = Math.min(walker.sourcePort(), walker.destinationPort());
        boolean isLikely = low >= 1024
                && (PayloadType.staticCodec(rtp.payloadType()) != null || PayloadType.isDynamic(rtp.payloadType()));
        return flows.isRtp(flow(walker), rtp.ssrc(), rtp.sequenceNumber(), isLikely);
    }

    private static long flow(PacketWalker walker) {
        long hash = walker.sourceHigh() * 0x9e3779b97f4a7c15L ^ walker.sourceLow();
        hash = hash * 0x9e3779b97f4a7c15L ^ walker.destinationHigh();
        hash = hash * 0x9e3779b97f4a7c15L ^ walker.destinationLow();
        hash = hash * 0x9e3779b97f4a7c15L ^ (long) walker.sourcePort() << 16 ^ walker.destinationPort();
        hash = (hash ^ hash >>> 29) * 0xc2b2ae3d27d4eb4fL;
        return hash | 1L << 63;
    }

    private void rtp(StringBuilder to) {
        Codec codec = PayloadType.staticCodec(rtp.payloadType());
        to.append("PT=").append(rtp.payloadType());
        if (codec != null) {
            to.append(' ').append(codec.encodingName());
        }
        to.append(" SSRC=0x");
        PrintText.appendHex(to, rtp.ssrc(), 8);
        to.append(" Seq=").append(rtp.sequenceNumber()).append(" Time=").append(rtp.timestamp());
        if (rtp.marker()) {
            to.append(" Mark");
        }
    }

    private void rtcp(MemorySegment segment, long at, int length, int wireLength, StringBuilder to) {
        WrapStatus whole = rtcp.wrap(segment, at, length, wireLength);
        if (whole == WrapStatus.MALFORMED) {
            to.append("encrypted or malformed, first SSRC=0x");
            PrintText.appendHex(to, length >= 8 ? NetworkOrder.u32(segment, at + 4) : 0, 8);
            return;
        }
        boolean isFirst = true;
        for (WrapStatus status = rtcp.next(report); status != WrapStatus.UNSUPPORTED; status = rtcp.next(report)) {
            if (status == WrapStatus.TRUNCATED) {
                break;
            }
            if (status == WrapStatus.OK) {
                to.append(isFirst ? "" : ", ");
                report(to);
                isFirst = false;
            }
        }
        if (whole == WrapStatus.TRUNCATED) {
            to.append(isFirst ? "cut" : ", cut");
        }
    }

    private void report(StringBuilder to) {
        switch (report.packetType()) {
            case RtcpView.SENDER_REPORT, RtcpView.RECEIVER_REPORT -> {
                to.append(report.packetTypeName()).append(" SSRC=0x");
                PrintText.appendHex(to, report.senderSsrc(), 8);
                for (int i = 0; i < report.reportCount(); i++) {
                    to.append(" of 0x");
                    PrintText.appendHex(to, report.reportSsrc(i), 8);
                    to.append(" lost ").append(report.cumulativeLost(i));
                    to.append(" jitter ").append(report.jitter(i));
                }
            }
            case RtcpView.TRANSPORT_FEEDBACK, RtcpView.PAYLOAD_FEEDBACK -> to.append(report.feedbackName());
            default -> to.append(report.packetTypeName());
        }
    }

    // others

    private static @Nullable String byPort(
            PacketWalker walker, MemorySegment segment, long at, int length, StringBuilder to) {
        int a = walker.sourcePort();
        int b = walker.destinationPort();
        if (isEither(a, b, 53) || isEither(a, b, 5353) || isEither(a, b, 5355)) {
            if (PrintDns.isPlausible(segment, at, length)) {
                PrintDns.describe(segment, at, length, to);
                return isEither(a, b, 53) ? "DNS" : isEither(a, b, 5353) ? "MDNS" : "LLMNR";
            }
            return null;
        }
        if ((isEither(a, b, 67) || isEither(a, b, 68)) && length >= 240) {
            return dhcp(segment, at, length, to);
        }
        if (isEither(a, b, 123) && length >= 48) {
            to.append("version ").append(NetworkOrder.u8(segment, at) >>> 3 & 7);
            to.append(" mode ").append(NetworkOrder.u8(segment, at) & 7);
            return "NTP";
        }
        String name = isEither(a, b, 443) ? "QUIC" : a < 1024 || b < 1024 ? portName(Math.min(a, b)) : portName(b);
        if (name != null) {
            to.append(walker.payloadWireLength()).append(" bytes");
        }
        return name;
    }

    private static boolean isEither(int a, int b, int port) {
        return a == port || b == port;
    }

    private static @Nullable String portName(int port) {
        return switch (port) {
            case 69 -> "TFTP";
            case 137 -> "NBNS";
            case 138 -> "NBDS";
            case 161, 162 -> "SNMP";
            case 514 -> "SYSLOG";
            case 546, 547 -> "DHCPv6";
            case 1812, 1813 -> "RADIUS";
            case 1900 -> "SSDP";
            case 2427, 2727 -> "MGCP";
            case 4569 -> "IAX2";
            default -> null;
        };
    }

    private static String dhcp(MemorySegment segment, long at, int length, StringBuilder to) {
        long end = at + length;
        long option = at + 240;
        while (option + 2 < end && NetworkOrder.u8(segment, option) != 53 && NetworkOrder.u8(segment, option) != 255) {
            option += NetworkOrder.u8(segment, option) == 0 ? 1 : 2 + NetworkOrder.u8(segment, option + 1);
        }
        boolean isFound = option + 2 < end && NetworkOrder.u8(segment, option) == 53;
        int type = isFound ? NetworkOrder.u8(segment, option + 2) : 0;
        to.append(
                switch (type) {
                    case 1 -> "discover";
                    case 2 -> "offer";
                    case 3 -> "request";
                    case 4 -> "decline";
                    case 5 -> "ack";
                    case 6 -> "nak";
                    case 7 -> "release";
                    case 8 -> "inform";
                    default -> "bootp";
                });
        to.append(" transaction 0x");
        PrintText.appendHex(to, NetworkOrder.u32(segment, at + 4), 8);
        return "DHCP";
    }

    private static @Nullable String byMark(MemorySegment segment, long at, int length, int first, StringBuilder to) {
        if (first < 4 && length >= 20 && NetworkOrder.bits32(segment, at + 4) == STUN_COOKIE) {
            to.append(stunName(NetworkOrder.u16(segment, at)));
            return "STUN";
        }
        if (first >= 64
                && first < 80
                && length >= 4
                && NetworkOrder.u16(segment, at + 2) <= length - 4
                && NetworkOrder.u16(segment, at + 2) + 7 >= length - 4) {
            to.append("channel 0x");
            PrintText.appendHex(to, NetworkOrder.u16(segment, at), 4);
            to.append(", ").append(NetworkOrder.u16(segment, at + 2)).append(" bytes");
            return "TURN";
        }
        if (first >= 20 && first < 64 && length >= 13 && NetworkOrder.u8(segment, at + 1) == 0xfe) {
            to.append(tlsRecord(first));
            return "DTLS";
        }
        if (first == 0x10 && length >= 12 && NetworkOrder.bits32(segment, at + 4) == ZRTP_COOKIE) {
            to.append(length).append(" bytes");
            return "ZRTP";
        }
        if (length >= 6 && NetworkOrder.bits32(segment, at) == HEP3) {
            to.append(NetworkOrder.u16(segment, at + 4)).append(" bytes");
            return "HEP3";
        }
        return null;
    }

    /** Content types that TLS and DTLS share (RFC 9147, 4; RFC 8446, 5.1). */
    static String tlsRecord(int contentType) {
        return switch (contentType) {
            case 20 -> "change cipher spec";
            case 21 -> "alert";
            case 22 -> "handshake";
            case 23 -> "application data";
            default -> "record type " + contentType;
        };
    }

    private static String stunName(int type) {
        // class bits 8 and 4, method in the others (RFC 8489, 5)
        int method = type & 0x0f | type >>> 1 & 0x70 | type >>> 2 & 0xf80;
        String kind = switch (type >>> 7 & 2 | type >>> 4 & 1) {
            case 0 -> "request";
            case 1 -> "indication";
            case 2 -> "success";
            default -> "error";
        };
        String name = switch (method) {
            case 1 -> "binding";
            case 3 -> "allocate";
            case 4 -> "refresh";
            case 6 -> "send";
            case 7 -> "data";
            case 8 -> "create permission";
            case 9 -> "channel bind";
            default -> "method " + method;
        };
        return name + " " + kind;
    }

    /** The RTP header that the last packet had which was described as RTP. */
    RtpView rtp() {
        return rtp;
    }
}
