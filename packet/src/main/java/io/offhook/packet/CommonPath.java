package io.offhook.packet;

import static io.offhook.packet.Walk.DONE;
import static io.offhook.packet.Walk.ETHER_TYPE;
import static io.offhook.packet.Walk.IP_PROTOCOL;
import static io.offhook.packet.Walk.UDP_PORTS;

/**
 * The layers that nearly every packet has: Ethernet, VLAN tags, IPv4 or IPv6, UDP or TCP. Each step is small, and calls
 * the next one directly, so that the compiler makes one piece of code of them; what is rare is returned to the walker.
 */
final class CommonPath {
    static final int TYPE_IPV4 = 0x0800;
    static final int TYPE_IPV6 = 0x86dd;
    static final int TYPE_VLAN = 0x8100;
    static final int TYPE_SERVICE_VLAN = 0x88a8;
    static final int PROTOCOL_TCP = 6;
    static final int PROTOCOL_UDP = 17;

    private CommonPath() {}

    /** IEEE 802.3 with a type or a length, and IEEE 802.1Q tags. */
    static int ethernet(Walk walk) {
        if (walk.lacks(EthernetView.LENGTH)) {
            return walk.truncated(LayerType.ETHERNET, EthernetView.LENGTH);
        }
        int type = walk.u16(12);
        walk.push(LayerType.ETHERNET, EthernetView.LENGTH);
        while (type == TYPE_VLAN || type == TYPE_SERVICE_VLAN) {
            LayerType tag = type == TYPE_VLAN ? LayerType.VLAN : LayerType.SERVICE_VLAN;
            if (walk.lacks(VlanView.LENGTH)) {
                return walk.truncated(tag, VlanView.LENGTH);
            }
            if (walk.lacksRoom()) {
                return walk.tooDeep(tag);
            }
            type = walk.u16(2);
            walk.push(tag, VlanView.LENGTH);
        }
        return etherType(walk, type);
    }

    static int etherType(Walk walk, int type) {
        if (type == TYPE_IPV4) {
            return ipv4(walk);
        }
        return type == TYPE_IPV6 ? ipv6(walk) : ETHER_TYPE | type;
    }

    /** RFC 791, 3.1. A total length of 0 is what segmentation offload leaves: then the layer below bounds it. */
    static int ipv4(Walk walk) {
        if (walk.lacks(20)) {
            return walk.truncated(LayerType.IPV4, 20);
        }
        long start = walk.bits64(0); // version to fragment offset
        int version = (int) (start >>> 60);
        int headerLength = (int) (start >>> 56 & 15) << 2;
        int totalLength = (int) (start >>> 32) & 0xffff;
        if (version == 6) {
            return ipv6(walk); // the layer below says IPv4 for both
        }
        if (version != 4 || headerLength < 20 || totalLength < headerLength && totalLength != 0) {
            return walk.malformed(LayerType.IPV4, 20);
        }
        if (totalLength != 0) {
            walk.clip(totalLength);
        }
        int protocol = walk.u8(9);
        int fragment = (int) start & 0x3fff;
        walk.enterNetwork(protocol, fragment != 0);
        if (walk.lacks(headerLength)) {
            walk.networkPayloadAt = walk.end;
            return walk.cutOptions(LayerType.IPV4, headerLength);
        }
        walk.push(LayerType.IPV4, headerLength);
        walk.networkPayload();
        return (fragment & 0x1fff) != 0 ? DONE : upper(walk, protocol);
    }

    /** RFC 8200, 3. A payload length of 0 is a jumbogram's, or offload's: then the layer below bounds it. */
    static int ipv6(Walk walk) {
        if (walk.lacks(40)) {
            return walk.truncated(LayerType.IPV6, 40);
        }
        long start = walk.bits64(0); // version to hop limit
        if (start >>> 60 != 6) {
            return walk.malformed(LayerType.IPV6, 40);
        }
        int payloadLength = (int) (start >>> 16) & 0xffff;
        if (payloadLength != 0) {
            walk.clip(40 + payloadLength);
        }
        int protocol = (int) (start >>> 8) & 0xff;
        walk.enterNetwork(protocol, false);
        walk.push(LayerType.IPV6, 40);
        walk.networkPayload();
        return upper(walk, protocol);
    }

    static int upper(Walk walk, int protocol) {
        if (protocol == PROTOCOL_UDP) {
            return udp(walk);
        }
        return protocol == PROTOCOL_TCP ? tcp(walk) : IP_PROTOCOL | protocol;
    }

    /** RFC 768. A length of 0 over IPv6 is a jumbogram's (RFC 2675, 4); below 8 it is malformed. */
    static int udp(Walk walk) {
        if (walk.lacks(8)) {
            return walk.truncated(LayerType.UDP, 8);
        }
        long header = walk.bits64(0);
        int ports = (int) (header >>> 32);
        int length = (int) (header >>> 16) & 0xffff;
        walk.enterTransport(ports);
        if (length >= 8) {
            walk.clip(Math.min(length, walk.wireEnd - walk.at));
        } else if (length != 0 || !walk.isIpv6()) {
            return walk.malformedLength(LayerType.UDP, 8);
        }
        walk.push(LayerType.UDP, 8);
        walk.payload();
        return Math.min(ports >>> 16, ports & 0xffff) <= UdpTunnels.HIGHEST_PORT ? UDP_PORTS : DONE;
    }

    /** RFC 9293, 3.1. */
    static int tcp(Walk walk) {
        if (walk.lacks(20)) {
            return walk.truncated(LayerType.TCP, 20);
        }
        int ports = walk.bits32(0);
        int headerLength = walk.u8(12) >>> 4 << 2;
        walk.enterTransport(ports);
        if (headerLength < 20) {
            return walk.malformedLength(LayerType.TCP, 20);
        }
        if (walk.lacks(headerLength)) {
            return walk.cutOptions(LayerType.TCP, headerLength);
        }
        walk.push(LayerType.TCP, headerLength);
        walk.payload();
        return DONE;
    }
}
