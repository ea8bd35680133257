package io.offhook.packet.walk;

import static io.offhook.packet.walk.Walk.DONE;
import static io.offhook.packet.walk.Walk.ETHER_TYPE;
import static io.offhook.packet.walk.Walk.LINK;

import io.offhook.packet.EtherType;
import io.offhook.packet.IpProtocol;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.link.EthernetView;
import io.offhook.packet.link.UnviewedLinks;
import io.offhook.packet.network.AuthenticationView;
import io.offhook.packet.network.IcmpView;
import io.offhook.packet.network.Icmpv6View;
import io.offhook.packet.network.IgmpView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6ExtensionView;
import io.offhook.packet.network.Ipv6FragmentView;
import io.offhook.packet.transport.DccpView;
import io.offhook.packet.transport.SctpView;
import io.offhook.packet.transport.UdpLiteView;
import io.offhook.packet.tunnel.ErspanView;
import io.offhook.packet.tunnel.GreView;

/**
 * The steps that an IP protocol number (IANA) leads to, except for TCP and UDP: extension headers, tunnels and others.
 */
final class IpProtocols {

    private static final int JUMBO_PAYLOAD = 0xc2;
    private static final int OPTION_HEADER = 2;
    private static final int REDIRECT_LENGTH = 4;
    private static final int ETHER_IP_LENGTH = 2;

    /** The access points of Aruba number their tunnels of 802.11 frames from 0x8200 to 0x83f0, in steps of 16. */
    private static final int ARUBA = 0x8200;

    private static final int ARUBA_MASK = 0xfe0f;

    private IpProtocols() {}

    static int step(Walk walk, int protocol) {
        return switch (protocol) {
            case IpProtocol.TCP -> CommonPath.tcp(walk);
            case IpProtocol.UDP -> CommonPath.udp(walk);
            case IpProtocol.ICMP -> transport(walk, LayerType.ICMP, IcmpView.LENGTH);
            case IpProtocol.ICMPV6 -> transport(walk, LayerType.ICMPV6, Icmpv6View.LENGTH);
            case IpProtocol.SCTP -> sctp(walk);
            case IpProtocol.IPV4 -> CommonPath.ipv4(walk);
            case IpProtocol.IPV6 -> CommonPath.ipv6(walk);
            case IpProtocol.GRE -> gre(walk);
            case IpProtocol.AUTHENTICATION -> authentication(walk);
            case IpProtocol.ESP -> EspPayloads.overIp(walk);
            case IpProtocol.MPLS -> EtherTypes.mpls(walk);
            case IpProtocol.ETHER_IP, IpProtocol.ETHERNET -> etherIp(walk, protocol);
            case IpProtocol.L2TP -> UdpTunnels.l2tpOverIp(walk);
            case IpProtocol.IGMP -> ControlLayers.message(walk, LayerType.IGMP, IgmpView.MIN_LENGTH);
            case IpProtocol.OSPF -> ControlLayers.ospf(walk);
            case IpProtocol.PIM -> ControlLayers.pim(walk);
            case IpProtocol.VRRP -> ControlLayers.vrrp(walk);
            case IpProtocol.UDP_LITE -> udpLite(walk);
            case IpProtocol.DCCP -> dccp(walk);
            case IpProtocol.NO_NEXT -> DONE;
            default -> walk.isIpv6() ? extension(walk, protocol) : walk.unsupported(LayerType.PAYLOAD);
        };
    }

    private static int transport(Walk walk, LayerType type, int headerLength) {
        if (walk.lacks(headerLength)) {
            return walk.truncated(type, headerLength);
        }
        walk.enterTransport(0);
        walk.push(type, headerLength);
        walk.payload();
        return DONE;
    }

    private static int sctp(Walk walk) {
        if (walk.lacks(SctpView.LENGTH)) {
            return walk.truncated(LayerType.SCTP, SctpView.LENGTH);
        }
        walk.enterTransport(walk.bits32(SctpView.SOURCE_PORT));
        walk.push(LayerType.SCTP, SctpView.LENGTH);
        walk.payload();
        return DONE;
    }

    /** RFC 3828, 3.1: a coverage of 1 to 7 is invalid. */
    private static int udpLite(Walk walk) {
        if (walk.lacks(UdpLiteView.LENGTH)) {
            return walk.truncated(LayerType.UDP_LITE, UdpLiteView.LENGTH);
        }
        int coverage = walk.u16(UdpLiteView.CHECKSUM_COVERAGE);
        walk.enterTransport(walk.bits32(UdpLiteView.SOURCE_PORT));
        if (coverage != 0 && coverage < UdpLiteView.LENGTH) {
            return walk.malformedLength(LayerType.UDP_LITE, UdpLiteView.LENGTH);
        }
        walk.push(LayerType.UDP_LITE, UdpLiteView.LENGTH);
        walk.payload();
        return DONE;
    }

    /** RFC 4340, 5.1: the data offset is in words; sequence numbers have 24 or 48 bits. */
    private static int dccp(Walk walk) {
        if (walk.lacks(DccpView.MIN_LENGTH)) {
            return walk.truncated(LayerType.DCCP, DccpView.MIN_LENGTH);
        }
        int headerLength = walk.u8(DccpView.DATA_OFFSET) << 2;
        boolean isExtended = (walk.u8(DccpView.TYPE) & 1) != 0;
        walk.enterTransport(walk.bits32(DccpView.SOURCE_PORT));
        if (headerLength < (isExtended ? DccpView.EXTENDED_LENGTH : DccpView.MIN_LENGTH)) {
            return walk.malformedLength(LayerType.DCCP, DccpView.MIN_LENGTH);
        }
        if (walk.lacks(headerLength)) {
            return walk.cutOptions(LayerType.DCCP, headerLength);
        }
        walk.push(LayerType.DCCP, headerLength);
        walk.payload();
        return DONE;
    }

    /** RFC 4302: the length is in words, minus two. */
    private static int authentication(Walk walk) {
        if (walk.lacks(AuthenticationView.MIN_LENGTH)) {
            return walk.truncated(LayerType.AUTHENTICATION, AuthenticationView.MIN_LENGTH);
        }
        int next = walk.u8(AuthenticationView.NEXT_HEADER);
        int length = (walk.u8(AuthenticationView.WORDS) + 2) << 2;
        if (length < AuthenticationView.MIN_LENGTH) {
            return walk.malformed(LayerType.AUTHENTICATION, AuthenticationView.MIN_LENGTH);
        }
        return nextHeader(walk, LayerType.AUTHENTICATION, length, next);
    }

    /** RFC 8200, 4: extension headers are accepted in any order, and as many as there is room for. */
    private static int extension(Walk walk, int protocol) {
        return switch (protocol) {
            case IpProtocol.HOP_BY_HOP -> options(walk, LayerType.HOP_BY_HOP);
            case IpProtocol.DESTINATION_OPTIONS -> options(walk, LayerType.DESTINATION_OPTIONS);
            case IpProtocol.ROUTING -> options(walk, LayerType.ROUTING);
            case IpProtocol.MOBILITY -> options(walk, LayerType.MOBILITY);
            case IpProtocol.HIP, IpProtocol.SHIM6 -> options(walk, LayerType.IPV6_EXTENSION);
            case IpProtocol.FRAGMENT -> fragment(walk);
            default -> walk.unsupported(LayerType.PAYLOAD);
        };
    }

    private static int options(Walk walk, LayerType type) {
        if (walk.lacks(Ipv6ExtensionView.MIN_LENGTH)) {
            return walk.truncated(type, Ipv6ExtensionView.MIN_LENGTH);
        }
        int next = walk.u8(Ipv6ExtensionView.NEXT_HEADER);
        int length = (walk.u8(Ipv6ExtensionView.UNITS) + 1) << 3;
        if (type == LayerType.HOP_BY_HOP && !walk.lacks(length)) {
            jumbo(walk, length);
        }
        return nextHeader(walk, type, length, next);
    }

    /** RFC 2675, 2: the length of a payload above 65,535 bytes, where the IPv6 header has 0. */
    private static void jumbo(Walk walk, int length) {
        int position = Ipv6ExtensionView.OPTIONS;
        while (position + OPTION_HEADER + 4 <= length) {
            int option = walk.u8(position);
            if (option == 0) {
                position++;
                continue;
            }
            if (option == JUMBO_PAYLOAD) {
                long payload = walk.u32(position + OPTION_HEADER);
                if (payload > 0xffff) {
                    walk.clip((int) Math.min(payload, Walk.MAX_LENGTH));
                }
                return;
            }
            position += OPTION_HEADER + walk.u8(position + 1);
        }
    }

    private static int nextHeader(Walk walk, LayerType type, int length, int next) {
        walk.protocol = next;
        if (walk.lacks(length)) {
            walk.networkPayloadAt = walk.end;
            return walk.cutOptions(type, length);
        }
        walk.push(type, length);
        walk.networkPayload();
        return Walk.IP_PROTOCOL | next;
    }

    /** RFC 8200, 4.5. A fragment with offset 0 and no more to follow is a whole packet (RFC 6946). */
    private static int fragment(Walk walk) {
        if (walk.lacks(Ipv6FragmentView.LENGTH)) {
            return walk.truncated(LayerType.IPV6_FRAGMENT, Ipv6FragmentView.LENGTH);
        }
        int bits = walk.u16(Ipv6FragmentView.OFFSET_FLAGS) & 0xfff9;
        if (bits != 0) {
            walk.markFragment();
        }
        int protocol = walk.u8(Ipv6FragmentView.NEXT_HEADER);
        int next = nextHeader(walk, LayerType.IPV6_FRAGMENT, Ipv6FragmentView.LENGTH, protocol);
        return bits > 7 ? DONE : next;
    }

    /** RFC 2784, RFC 2890, RFC 1701 (routing) and, version 1, RFC 2637. */
    static int gre(Walk walk) {
        if (walk.lacks(GreView.MIN_LENGTH)) {
            return walk.truncated(LayerType.GRE, GreView.MIN_LENGTH);
        }
        int flags = walk.u16(GreView.FLAGS);
        int protocol = walk.u16(GreView.PROTOCOL);
        if ((flags & 7) > 1) {
            return walk.malformed(LayerType.GRE, GreView.MIN_LENGTH);
        }
        int length = GreView.headerLength(walk.segment, walk.base + walk.at, walk.end - walk.at);
        if (walk.lacks(length)) {
            return walk.cutOptions(LayerType.GRE, length);
        }
        walk.push(LayerType.GRE, length);
        if (walk.at == walk.end) {
            return DONE; // an acknowledgment, or the answer to a keep-alive
        }
        return protocol == EtherType.ERSPAN_2
                ? erspan2(walk, GreView.hasSequenceNumber(flags))
                : greProtocol(walk, protocol);
    }

    static int greProtocol(Walk walk, int protocol) {
        return switch (protocol) {
            case EtherType.ERSPAN_3 -> erspan3(walk);
            case EtherType.REDIRECTED -> redirected(walk);
            case EtherType.CISCO_METADATA -> metadata(walk);
            default -> {
                if ((protocol & ARUBA_MASK) == ARUBA) {
                    yield WirelessLayers.frame(walk, false);
                }
                yield protocol > EtherType.MAX_LENGTH ? ETHER_TYPE | protocol : walk.unsupported(LayerType.PAYLOAD);
            }
        };
    }

    /** WCCP: version 2 inserts four bytes before the packet; no IP packet starts with the first of them. */
    private static int redirected(Walk walk) {
        if (walk.lacks(REDIRECT_LENGTH)) {
            return walk.truncated(LayerType.IPV4, Ipv4View.MIN_LENGTH);
        }
        if (walk.u8(Ipv4View.VERSION_WORDS) >>> 4 != 4) {
            walk.at += REDIRECT_LENGTH;
        }
        return LinkLayers.raw(walk);
    }

    /** Over GRE, Cisco's metadata starts with the EtherType; on Ethernet, it ends with it. */
    private static int metadata(Walk walk) {
        if (walk.lacks(UnviewedLinks.CISCO_METADATA_LENGTH)) {
            return walk.truncated(LayerType.CISCO_METADATA, UnviewedLinks.CISCO_METADATA_LENGTH);
        }
        int type = walk.u16(0);
        walk.push(LayerType.CISCO_METADATA, UnviewedLinks.CISCO_METADATA_LENGTH);
        return ETHER_TYPE | type;
    }

    /** ERSPAN type I has no header of its own (and GRE no sequence number), type II 8 bytes. */
    private static int erspan2(Walk walk, boolean hasSequence) {
        if (!hasSequence) {
            return LINK | LinkType.ETHERNET;
        }
        if (walk.lacks(ErspanView.MIN_LENGTH)) {
            return walk.truncated(LayerType.ERSPAN, ErspanView.MIN_LENGTH);
        }
        walk.push(LayerType.ERSPAN, ErspanView.MIN_LENGTH);
        return LINK | LinkType.ETHERNET;
    }

    /** ERSPAN type III: 12 bytes, and 8 more if the last bit is set. */
    private static int erspan3(Walk walk) {
        if (walk.lacks(ErspanView.LENGTH_3)) {
            return walk.truncated(LayerType.ERSPAN, ErspanView.LENGTH_3);
        }
        int flags = walk.u16(ErspanView.FRAME_TYPE);
        int length = ErspanView.LENGTH_3 + ((flags & 1) != 0 ? ErspanView.PLATFORM_LENGTH : 0);
        if (walk.lacks(length)) {
            return walk.cutOptions(LayerType.ERSPAN, length);
        }
        boolean isEthernet = (flags >>> 10 & 0x1f) == 0;
        walk.push(LayerType.ERSPAN, length);
        return isEthernet ? LINK | LinkType.ETHERNET : LinkLayers.raw(walk);
    }

    /** RFC 3378: two bytes, whose first four bits are the version, 3. */
    private static int etherIp(Walk walk, int protocol) {
        if (protocol == IpProtocol.ETHER_IP) {
            if (walk.lacks(ETHER_IP_LENGTH)) {
                return walk.truncated(LayerType.ETHERNET, ETHER_IP_LENGTH + EthernetView.LENGTH);
            }
            walk.at += ETHER_IP_LENGTH;
        }
        return LINK | LinkType.ETHERNET;
    }
}
