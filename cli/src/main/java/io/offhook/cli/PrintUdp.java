package io.offhook.cli;

import io.offhook.packet.Application;
import io.offhook.packet.ApplicationRecognizer;
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
    private final PrintRtpFlows flows = new PrintRtpFlows();
    private final PrintSip sip;
    private final ApplicationRecognizer recognizer = new ApplicationRecognizer();
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
        Application application = recognizer.recognize(walker);
        String named = named(application, walker, to);
        if (named != null) {
            return named;
        }
        if (first >>> 6 == 2) {
            String media = media(walker, segment, at, length, to);
            if (media != null) {
                return media;
            }
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

    /** Summarises what is known, but for SIP and media; null for those, and for what is not. */
    private @Nullable String named(Application application, PacketWalker walker, StringBuilder to) {
        MemorySegment segment = walker.segment();
        long at = walker.payloadOffset();
        int length = walker.payloadLength();
        switch (application) {
            case UNKNOWN, SIP, RTP, RTCP -> {
                return null;
            }
            case DNS, MDNS, LLMNR -> PrintDns.describe(segment, at, length, to);
            case DHCP -> dhcp(segment, at, length, to);
            case NTP -> {
                to.append("version ").append(NetworkOrder.u8(segment, at) >>> 3 & 7);
                to.append(" mode ").append(NetworkOrder.u8(segment, at) & 7);
            }
            case STUN -> to.append(stunName(NetworkOrder.u16(segment, at)));
            case TURN -> {
                to.append("channel 0x");
                PrintText.appendHex(to, NetworkOrder.u16(segment, at), 4);
                to.append(", ").append(NetworkOrder.u16(segment, at + 2)).append(" bytes");
            }
            case DTLS -> to.append(tlsRecord(NetworkOrder.u8(segment, at)));
            case HEP -> to.append(NetworkOrder.u16(segment, at + 4)).append(" bytes");
            default -> to.append(walker.payloadWireLength()).append(" bytes");
        }
        return application.title();
    }

    private static void dhcp(MemorySegment segment, long at, int length, StringBuilder to) {
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
