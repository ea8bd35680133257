package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;

/** Puts an IP packet inside another one. Several are applied from the innermost outwards. */
@FunctionalInterface
public interface Encapsulation {
    /**
     * The outer IP packet that carries {@code packet}.
     *
     * @param forward from the caller's side to the callee's: tunnels swap their ends with it
     */
    byte[] wrap(byte[] packet, boolean forward);

    /** GRE (RFC 2784); with a key (RFC 2890) unless that is negative. */
    static Encapsulation gre(Endpoint near, Endpoint far, long key) {
        return (packet, forward) -> {
            Octets header = new Octets().u16(key < 0 ? 0 : 0x2000).u16(Link.etherType(packet));
            if (key >= 0) {
                header.u32(key);
            }
            return outer(near, far, forward).packet(Ip.GRE, header.bytes(packet).toArray());
        };
    }

    /** IP in IP (RFC 2003) or, when the packet is IPv6, 6in4 (RFC 4213); over IPv6, RFC 2473. */
    static Encapsulation ipInIp(Endpoint near, Endpoint far) {
        return (packet, forward) -> outer(near, far, forward)
                .packet(Link.etherType(packet) == Link.ETHERTYPE_IPV4 ? Ip.IP_IN_IP : Ip.IPV6_IN_IP, packet);
    }

    /** VXLAN (RFC 7348): an Ethernet frame over UDP port 4789. */
    static Encapsulation vxlan(Endpoint near, Endpoint far, int network) {
        return (packet, forward) -> udp(
                near,
                far,
                4789,
                forward,
                new Octets()
                        .u32(0x0800_0000L)
                        .u24(network)
                        .u8(0)
                        .bytes(Link.ethernet().frame(packet, forward))
                        .toArray());
    }

    /** Geneve (RFC 8926): an Ethernet frame over UDP port 6081, with one option of four bytes. */
    static Encapsulation geneve(Endpoint near, Endpoint far, int network) {
        return (packet, forward) -> udp(
                near,
                far,
                6081,
                forward,
                new Octets()
                        .u8(2) // version 0, two words of options
                        .u8(0)
                        .u16(0x6558) // transparent Ethernet bridging
                        .u24(network)
                        .u8(0)
                        .u16(0x0102)
                        .u8(0x80)
                        .u8(1)
                        .u32(0xcafe)
                        .bytes(Link.ethernet().frame(packet, forward))
                        .toArray());
    }

    /**
     * GTP-U (3GPP TS 29.281): an IP packet over UDP port 2152.
     *
     * @param withSequence also the optional sequence number and a PDU session container, as 5G user planes send it
     */
    static Encapsulation gtpU(Endpoint near, Endpoint far, long teid, boolean withSequence) {
        return (packet, forward) -> {
            Octets header = new Octets()
                    .u8(withSequence ? 0x36 : 0x30) // E and S flags
                    .u8(0xff) // G-PDU
                    .u16(packet.length + (withSequence ? 8 : 0))
                    .u32(teid);
            if (withSequence) {
                header.u16(7).u8(0).u8(0x85); // sequence number, N-PDU number, next: PDU session container
                header.u8(1).u8(forward ? 0x10 : 0).u8(9).u8(0);
            }
            return udp(near, far, 2152, forward, header.bytes(packet).toArray());
        };
    }

    private static Ip outer(Endpoint near, Endpoint far, boolean forward) {
        return Ip.between(forward ? near : far, forward ? far : near);
    }

    private static byte[] udp(Endpoint near, Endpoint far, int port, boolean forward, byte[] payload) {
        // the source port is a hash of the inner flow in real tunnels; here it only must not be the tunnel's own
        Endpoint source = (forward ? near : far).withPort(port == 2152 ? port : 49_321);
        Endpoint destination = (forward ? far : near).withPort(port);
        return outer(near, far, forward).packet(Ip.UDP, Transports.udp(source, destination, payload));
    }
}
