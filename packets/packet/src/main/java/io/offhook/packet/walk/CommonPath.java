package io.offhook.packet.walk;

import static io.offhook.packet.walk.Walk.DONE;
import static io.offhook.packet.walk.Walk.ETHER_TYPE;
import static io.offhook.packet.walk.Walk.IP_PROTOCOL;
import static io.offhook.packet.walk.Walk.UDP_PORTS;

import io.offhook.packet.EtherType;
import io.offhook.packet.IpProtocol;
import io.offhook.packet.LayerType;
import io.offhook.packet.link.EthernetView;
import io.offhook.packet.link.VlanView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6View;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.transport.UdpView;

/**
 * The layers of nearly every packet: Ethernet, VLAN tags, IPv4 or IPv6, UDP or TCP. Each step is small and calls the
 * next one directly, so that the compiler inlines them into one piece of code; a rare layer is returned to the walker.
 */
final class CommonPath {

    // shifts of the fields within the first eight bytes of the header, which are read at once
    private static final int IPV4_TOTAL_LENGTH_SHIFT = 64 - 8 * (Ipv4View.TOTAL_LENGTH + 2);
    private static final int IPV6_PAYLOAD_LENGTH_SHIFT = 64 - 8 * (Ipv6View.PAYLOAD_LENGTH + 2);
    private static final int IPV6_NEXT_HEADER_SHIFT = 64 - 8 * (Ipv6View.NEXT_HEADER + 1);
    private static final int PORTS_SHIFT = 64 - 8 * (UdpView.DESTINATION_PORT + 2);
    private static final int UDP_LENGTH_SHIFT = 64 - 8 * (UdpView.DATAGRAM_LENGTH + 2);

    private CommonPath() {}

    /** IEEE 802.3 with a type or a length, and IEEE 802.1Q tags. */
    static int ethernet(Walk walk) {
        if (walk.lacks(EthernetView.LENGTH)) {
            return walk.truncated(LayerType.ETHERNET, EthernetView.LENGTH);
        }
        int type = walk.u16(EthernetView.TYPE);
        walk.push(LayerType.ETHERNET, EthernetView.LENGTH);
        while (type == EtherType.VLAN || type == EtherType.SERVICE_VLAN) {
            LayerType tag = type == EtherType.VLAN ? LayerType.VLAN : LayerType.SERVICE_VLAN;
            if (walk.lacks(VlanView.LENGTH)) {
                return walk.truncated(tag, VlanView.LENGTH);
            }
            if (walk.lacksRoom()) {
                return walk.tooDeep(tag);
            }
            type = walk.u16(VlanView.TYPE);
            walk.push(tag, VlanView.LENGTH);
        }
        return etherType(walk, type);
    }

    static int etherType(Walk walk, int type) {
        if (type == EtherType.IPV4) {
            return ipv4(walk);
        }
        return type == EtherType.IPV6 ? ipv6(walk) : ETHER_TYPE | type;
    }

    /** RFC 791, 3.1. Segmentation offload leaves a total length of 0: the layer below then bounds the packet. */
    static int ipv4(Walk walk) {
        if (walk.lacks(Ipv4View.MIN_LENGTH)) {
            return walk.truncated(LayerType.IPV4, Ipv4View.MIN_LENGTH);
        }
        long start = walk.bits64(0); // version to fragment offset
        int version = (int) (start >>> 60);
        int headerLength = (int) (start >>> 56 & 15) << 2;
        int totalLength = (int) (start >>> IPV4_TOTAL_LENGTH_SHIFT) & 0xffff;
        if (version == 6) {
            return ipv6(walk); // the layer below says IPv4 for both
        }
        if (version != 4 || headerLength < Ipv4View.MIN_LENGTH || totalLength < headerLength && totalLength != 0) {
            return walk.malformed(LayerType.IPV4, Ipv4View.MIN_LENGTH);
        }
        if (totalLength != 0) {
            walk.clip(totalLength);
        }
        int protocol = walk.u8(Ipv4View.PROTOCOL);
        int fragment = (int) start & 0x3fff; // the last two of them: Ipv4View.FLAGS_OFFSET
        walk.enterNetwork(protocol, fragment != 0);
        if (walk.lacks(headerLength)) {
            walk.networkPayloadAt = walk.end;
            return walk.cutOptions(LayerType.IPV4, headerLength);
        }
        walk.push(LayerType.IPV4, headerLength);
        walk.networkPayload();
        return (fragment & 0x1fff) != 0 ? DONE : upper(walk, protocol);
    }

    /**
     * RFC 8200, 3. A jumbogram, or segmentation offload, has a payload length of 0: the layer below then bounds the
     * packet.
     */
    static int ipv6(Walk walk) {
        if (walk.lacks(Ipv6View.LENGTH)) {
            return walk.truncated(LayerType.IPV6, Ipv6View.LENGTH);
        }
        long start = walk.bits64(0); // version to hop limit
        if (start >>> 60 != 6) {
            return walk.malformed(LayerType.IPV6, Ipv6View.LENGTH);
        }
        int payloadLength = (int) (start >>> IPV6_PAYLOAD_LENGTH_SHIFT) & 0xffff;
        if (payloadLength != 0) {
            walk.clip(Ipv6View.LENGTH + payloadLength);
        }
        int protocol = (int) (start >>> IPV6_NEXT_HEADER_SHIFT) & 0xff;
        walk.enterNetwork(protocol, false);
        walk.push(LayerType.IPV6, Ipv6View.LENGTH);
        walk.networkPayload();
        return upper(walk, protocol);
    }

    static int upper(Walk walk, int protocol) {
        if (protocol == IpProtocol.UDP) {
            return udp(walk);
        }
        return protocol == IpProtocol.TCP ? tcp(walk) : IP_PROTOCOL | protocol;
    }

    /** RFC 768. Over IPv6, a jumbogram has a length of 0 (RFC 2675, 4); otherwise, less than 8 is malformed. */
    static int udp(Walk walk) {
        if (walk.lacks(UdpView.LENGTH)) {
            return walk.truncated(LayerType.UDP, UdpView.LENGTH);
        }
        long header = walk.bits64(0);
        int ports = (int) (header >>> PORTS_SHIFT);
        int length = (int) (header >>> UDP_LENGTH_SHIFT) & 0xffff;
        walk.enterTransport(ports);
        if (length >= UdpView.LENGTH) {
            walk.clip(Math.min(length, walk.wireEnd - walk.at));
        } else if (length != 0 || !walk.isIpv6()) {
            return walk.malformedLength(LayerType.UDP, UdpView.LENGTH);
        }
        walk.push(LayerType.UDP, UdpView.LENGTH);
        walk.payload();
        return Math.min(ports >>> 16, ports & 0xffff) <= UdpTunnels.HIGHEST_PORT ? UDP_PORTS : DONE;
    }

    /** RFC 9293, 3.1. */
    static int tcp(Walk walk) {
        if (walk.lacks(TcpView.MIN_LENGTH)) {
            return walk.truncated(LayerType.TCP, TcpView.MIN_LENGTH);
        }
        int ports = walk.bits32(TcpView.SOURCE_PORT);
        int headerLength = walk.u8(TcpView.OFFSET_FLAGS) >>> 4 << 2;
        walk.enterTransport(ports);
        if (headerLength < TcpView.MIN_LENGTH) {
            return walk.malformedLength(LayerType.TCP, TcpView.MIN_LENGTH);
        }
        if (walk.lacks(headerLength)) {
            return walk.cutOptions(LayerType.TCP, headerLength);
        }
        walk.push(LayerType.TCP, headerLength);
        walk.payload();
        return DONE;
    }
}
