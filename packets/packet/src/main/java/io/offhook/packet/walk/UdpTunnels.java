package io.offhook.packet.walk;

import static io.offhook.packet.walk.Walk.DONE;
import static io.offhook.packet.walk.Walk.ETHER_TYPE;
import static io.offhook.packet.walk.Walk.LINK;

import io.offhook.packet.EtherType;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.link.EthernetView;
import io.offhook.packet.link.MplsView;
import io.offhook.packet.link.PseudowireView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6View;
import io.offhook.packet.tunnel.CapwapView;
import io.offhook.packet.tunnel.GeneveView;
import io.offhook.packet.tunnel.GreView;
import io.offhook.packet.tunnel.GtpCView;
import io.offhook.packet.tunnel.GtpUView;
import io.offhook.packet.tunnel.L2tpView;
import io.offhook.packet.tunnel.TeredoView;
import io.offhook.packet.tunnel.VxlanView;

/**
 * Tunnels over UDP. A port alone proves nothing (media and signalling may use any): the first bytes must match as well;
 * otherwise they remain UDP payload. RTP starts with the bits 10, text with 01. Most tunnels start with 00; where one
 * may start otherwise (VXLAN with a policy, GRE with a checksum, MPLS, L2TP), more bytes are examined.
 */
final class UdpTunnels {
    /** The highest of the ports below: the only test on the common path. */
    static final int HIGHEST_PORT = 8472;

    private static final int L2TP = 1701;
    private static final int GTP_C = 2123;
    private static final int GTP_U = 2152;
    private static final int TEREDO = 3544;
    private static final int ESP = 4500;
    private static final int GRE = 4754;
    private static final int VXLAN = 4789;
    private static final int VXLAN_GPE = 4790;
    private static final int CAPWAP_DATA = 5247;
    private static final int GENEVE = 6081;
    private static final int MPLS = 6635;
    private static final int VXLAN_LINUX = 8472;

    private UdpTunnels() {}

    static int step(Walk walk) {
        int next = byPort(walk, walk.ports & 0xffff);
        return next == DONE && walk.at == walk.payloadAt && walk.stop == PacketWalker.Stop.COMPLETE
                ? byPort(walk, walk.ports >>> 16)
                : next;
    }

    private static int byPort(Walk walk, int port) {
        return switch (port) {
            case L2TP -> l2tp(walk);
            case GTP_C -> gtpC(walk);
            case GTP_U -> gtpU(walk);
            case TEREDO -> teredo(walk);
            case ESP -> EspPayloads.overUdp(walk, walk.ports == (ESP << 16 | ESP));
            case GRE -> isGre(walk) ? IpProtocols.gre(walk) : DONE;
            case VXLAN, VXLAN_LINUX -> vxlan(walk, false);
            case VXLAN_GPE -> vxlan(walk, true);
            case CAPWAP_DATA -> capwap(walk);
            case GENEVE -> geneve(walk);
            case MPLS -> isMpls(walk) ? EtherTypes.mpls(walk) : DONE;
            default -> DONE;
        };
    }

    /**
     * RFC 8086: version 0, no reserved bit set, a known protocol, and IP of that version. RTP with PCMU resembles a
     * header with a checksum; to match, its sequence number would have to be such a protocol, its timestamp end with 16
     * zero bits, and its SSRC start with the version.
     */
    private static boolean isGre(Walk walk) {
        if (walk.lacks(GreView.MIN_LENGTH) || (walk.u16(GreView.FLAGS) & 0x4fff) != 0) {
            return false;
        }
        int flags = walk.u16(GreView.FLAGS);
        boolean hasChecksum = (flags & GreView.CHECKSUM) != 0;
        int length = GreView.fixedLength(flags);
        // two reserved bytes follow the checksum
        if (walk.lacks(length + 1) || hasChecksum && walk.u16(GreView.MIN_LENGTH + 2) != 0) {
            return false;
        }
        int protocol = walk.u16(GreView.PROTOCOL);
        return switch (protocol) {
            case EtherType.IPV4 -> walk.u8(length) >>> 4 == 4;
            case EtherType.IPV6 -> walk.u8(length) >>> 4 == 6;
            case EtherType.PPP, EtherType.ERSPAN_2, EtherType.ERSPAN_3, EtherType.TRANSPARENT_BRIDGING, EtherType.NSH ->
                true;
            default -> EtherTypes.isOftenSeen(protocol);
        };
    }

    /**
     * RFC 7510: only the label stack identifies it, and any bytes may be one. Therefore the payload must match: an IP
     * packet that fills the datagram, or an Ethernet header with a common type, with or without a control word.
     */
    private static boolean isMpls(Walk walk) {
        int at = 0;
        do {
            at += MplsView.LENGTH;
            if (walk.lacks(at + EthernetView.LENGTH)) {
                return false;
            }
        } while ((walk.u8(at - MplsView.LENGTH + MplsView.CLASS_BOTTOM) & 1) == 0);
        int length = walk.wireEnd - walk.at - at;
        return switch (walk.u8(at) >>> 4) {
            case 4 -> walk.u16(at + Ipv4View.TOTAL_LENGTH) == length;
            case 6 -> walk.u16(at + Ipv6View.PAYLOAD_LENGTH) + Ipv6View.LENGTH == length;
            case 0 ->
                EtherTypes.isOftenSeen(walk, at + EthernetView.TYPE)
                        || EtherTypes.isOftenSeen(walk, at + PseudowireView.LENGTH + EthernetView.TYPE);
            default -> EtherTypes.isOftenSeen(walk, at + EthernetView.TYPE);
        };
    }

    /**
     * RFC 7348, 5: reserved bits are ignored, except for the first two. The policy extension sets them, but so does
     * RTP: the last byte must then be 0 and the type of the frame known. With the generic protocol extension, a byte
     * names the protocol.
     */
    private static int vxlan(Walk walk, boolean generic) {
        if (walk.lacks(VxlanView.LENGTH)) {
            return DONE;
        }
        int flags = walk.u8(VxlanView.FLAGS);
        boolean isPolicy = flags == 0x88
                && !generic
                && (walk.u8(VxlanView.POLICY_FLAGS) & 0xb7) == 0
                && walk.u8(VxlanView.RESERVED) == 0
                && EtherTypes.isOftenSeen(walk, VxlanView.LENGTH + EthernetView.TYPE);
        if ((flags & 0x08) == 0 || (flags & 0xc0) != 0 && !isPolicy) {
            return DONE;
        }
        int protocol = generic && (flags & 0x04) != 0 ? walk.u8(VxlanView.PROTOCOL) : 3;
        walk.push(LayerType.VXLAN, VxlanView.LENGTH);
        return EtherTypes.genericProtocol(walk, protocol);
    }

    /** RFC 8926, 3.4: version 0, and options of the stated length. */
    private static int geneve(Walk walk) {
        if (walk.lacks(GeneveView.FIXED_LENGTH)
                || walk.u8(GeneveView.VERSION_WORDS) >>> 6 != 0
                || (walk.u8(GeneveView.FLAGS) & 0x3f) != 0) {
            return DONE;
        }
        int length = GeneveView.FIXED_LENGTH + ((walk.u8(GeneveView.VERSION_WORDS) & 0x3f) << 2);
        int protocol = walk.u16(GeneveView.PROTOCOL);
        if (walk.lacks(length)) {
            return walk.cutOptions(LayerType.GENEVE, length);
        }
        walk.push(LayerType.GENEVE, length);
        return protocol > EtherType.MAX_LENGTH ? ETHER_TYPE | protocol : walk.unsupported(LayerType.PAYLOAD);
    }

    /** 3GPP TS 29.281, 5.1: version 1 of GTP, not GTP'. A G-PDU carries an IP packet; other messages do not. */
    private static int gtpU(Walk walk) {
        if (walk.lacks(GtpUView.FIXED_LENGTH) || walk.u8(GtpUView.FLAGS) >>> 4 != 3) {
            return DONE;
        }
        boolean isUser = walk.u8(GtpUView.TYPE) == GtpUView.G_PDU;
        int length = GtpUView.headerLength(walk.segment, walk.base + walk.at, walk.end - walk.at);
        if (length < 0) {
            return walk.malformed(LayerType.GTP_U, GtpUView.FIXED_LENGTH);
        }
        if (walk.lacks(length)) {
            return walk.cutOptions(LayerType.GTP_U, length);
        }
        int total = GtpUView.FIXED_LENGTH + walk.u16(GtpUView.MESSAGE_LENGTH);
        if (total >= length) {
            walk.clip(Math.min(total, walk.wireEnd - walk.at));
        }
        walk.push(LayerType.GTP_U, length);
        if (!isUser || walk.lacks(1)) {
            return DONE;
        }
        int version = walk.u8(0) >>> 4;
        return version == 4 || version == 6 ? LinkLayers.raw(walk) : DONE;
    }

    /**
     * 3GPP TS 29.060, 6 and TS 29.274, 5.1: version 1 or 2, and the length of the datagram. In version 2, a flag
     * announces another message after it.
     */
    private static int gtpC(Walk walk) {
        if (walk.lacks(8)) {
            return DONE;
        }
        int first = walk.u8(GtpCView.VERSION);
        int messageLength = walk.u16(GtpCView.MESSAGE_LENGTH);
        int available = walk.wireEnd - walk.at;
        boolean isVersion1 = first >>> 4 == 3 && (first & 8) == 0 && messageLength + 8 == available;
        boolean isVersion2 = first >>> 5 == 2
                && (first & 3) == 0
                && (messageLength + 4 == available || (first & 0x10) != 0 && messageLength + 4 < available);
        int length = GtpCView.headerLength(first);
        if (!isVersion1 && !isVersion2 || messageLength + (isVersion1 ? 8 : 4) < length) {
            return DONE;
        }
        if (walk.lacks(length)) {
            return walk.cutOptions(LayerType.GTP_C, length);
        }
        walk.push(LayerType.GTP_C, length);
        return DONE;
    }

    /** RFC 4380, 5.1.1: an authentication header and an origin may stand before the IPv6 packet. */
    private static int teredo(Walk walk) {
        int length = 0;
        if (!walk.lacks(TeredoView.MIN_AUTHENTICATION) && walk.u16(0) == TeredoView.AUTHENTICATION) {
            length = TeredoView.authenticationLength(walk.segment, walk.base + walk.at);
        }
        if (!walk.lacks(length + TeredoView.ORIGIN_LENGTH) && walk.u16(length) == TeredoView.ORIGIN) {
            length += TeredoView.ORIGIN_LENGTH;
        }
        if (walk.lacks(length + Ipv6View.LENGTH) || walk.u8(length) >>> 4 != 6) {
            return DONE;
        }
        walk.push(LayerType.TEREDO, length);
        return CommonPath.ipv6(walk);
    }

    /**
     * RFC 2661, 3.1: a data message of version 2, which carries PPP; control messages are not walked. These must have a
     * length and sequence numbers, so their first bits are 11.
     */
    private static int l2tp(Walk walk) {
        if (walk.lacks(L2tpView.MIN_LENGTH)
                || (walk.u16(L2tpView.FLAGS) & 0x34ff) != 2) { // reserved bits and the version
            return DONE;
        }
        int flags = walk.u16(L2tpView.FLAGS);
        boolean isControl = (flags & L2tpView.FLAG_CONTROL) != 0;
        boolean hasLength = (flags & L2tpView.FLAG_LENGTH) != 0;
        boolean hasSequence = (flags & L2tpView.FLAG_SEQUENCE) != 0;
        if (isControl && !(hasLength && hasSequence)) {
            return DONE;
        }
        int length = L2tpView.MIN_LENGTH + (hasLength ? 2 : 0) + (hasSequence ? 4 : 0);
        if ((flags & L2tpView.FLAG_OFFSET) != 0 && !walk.lacks(length + 2)) {
            length += 2 + walk.u16(length);
        }
        if (walk.lacks(length)) {
            return walk.cutOptions(LayerType.L2TP, length);
        }
        if (hasLength && walk.u16(L2tpView.MESSAGE_LENGTH) >= length) {
            walk.clip(Math.min(walk.u16(L2tpView.MESSAGE_LENGTH), walk.wireEnd - walk.at));
        }
        walk.push(LayerType.L2TP, length);
        return isControl || walk.lacks(1) ? DONE : PppLayers.ppp(walk);
    }

    /** RFC 3931, 4.1.1: the payload of a session is negotiated in control messages and therefore unknown here. */
    static int l2tpOverIp(Walk walk) {
        if (walk.lacks(L2tpView.OVER_IP_LENGTH)) {
            return walk.truncated(LayerType.L2TP, L2tpView.OVER_IP_LENGTH);
        }
        walk.push(LayerType.L2TP, L2tpView.OVER_IP_LENGTH);
        return DONE;
    }

    /** RFC 5415, 4.3: an unencrypted, unfragmented packet holds an 802.11 or an 802.3 frame. */
    private static int capwap(Walk walk) {
        if (walk.lacks(CapwapView.MIN_LENGTH) || walk.u8(CapwapView.PREAMBLE) != 0) {
            return DONE;
        }
        int length = walk.u8(CapwapView.HEADER_WORDS) >>> 3 << 2;
        int flags = walk.u16(CapwapView.BINDING);
        if (length < CapwapView.MIN_LENGTH || walk.lacks(length)) {
            return DONE;
        }
        boolean isNative = (flags & 0x0100) != 0;
        boolean isFragment = (flags & 0x0080) != 0;
        boolean isKeepAlive = (flags & 0x0008) != 0;
        int binding = walk.u8(CapwapView.BINDING) >>> 1 & 0x1f;
        walk.push(LayerType.CAPWAP, length);
        if (isFragment || isKeepAlive) {
            return DONE;
        }
        if (!isNative) {
            return LINK | LinkType.ETHERNET;
        }
        return binding == 1 ? WirelessLayers.frame(walk, true) : walk.unsupported(LayerType.PAYLOAD);
    }
}
