package io.offhook.flow.table;

import io.offhook.flow.state.Require;
import io.offhook.packet.Endpoint;

/**
 * The identity of a flow, owned: the five-tuple, and the path of VLANs and tunnels of its packets.
 *
 * @param version the IP version, 4 or 6
 * @param protocol the IP protocol number (IANA), 0 to 255
 * @param source the endpoint that sent the first packet; for TCP, the SYN. The port is 0 if the protocol has none; for
 *     ICMP it is the type
 * @param destination the endpoint that the first packet was sent to. For ICMP the port is the type of the answer, or
 *     the code
 * @param hasPorts whether the ports are meaningful
 * @param isOneWay whether this is an ICMP message that no other type answers
 * @param path the VLANs and tunnels, outermost first
 */
public record FlowKey(
        int version,
        int protocol,
        Endpoint source,
        Endpoint destination,
        boolean hasPorts,
        boolean isOneWay,
        FlowPath path) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public FlowKey {
        Require.oneOf("version", version, 4, 6);
        Require.inRange("protocol", protocol, 0, 255);
    }

    /** The key of the same flow as seen from its other end. */
    public FlowKey reversed() {
        return new FlowKey(version, protocol, destination, source, hasPorts, isOneWay, path);
    }

    /** The Community ID, version 1, with seed 0: {@link CommunityId}. */
    public String communityId() {
        return CommunityId.of(this, 0);
    }

    /** The name of the protocol, such as "TCP"; the number if there is no name for it. */
    public String protocolName() {
        return switch (protocol) {
            case 1 -> "ICMP";
            case 2 -> "IGMP";
            case 4 -> "IPIP";
            case 6 -> "TCP";
            case 17 -> "UDP";
            case 33 -> "DCCP";
            case 41 -> "IPv6";
            case 47 -> "GRE";
            case 50 -> "ESP";
            case 51 -> "AH";
            case 58 -> "ICMPv6";
            case 88 -> "EIGRP";
            case 89 -> "OSPF";
            case 103 -> "PIM";
            case 112 -> "VRRP";
            case 115 -> "L2TP";
            case 132 -> "SCTP";
            case 136 -> "UDP-Lite";
            default -> Integer.toString(protocol);
        };
    }

    /** For example "TCP 192.0.2.1:40000 > 192.0.2.2:80 vlan 7". */
    @Override
    public String toString() {
        String ends =
                hasPorts ? source + " > " + destination : source.addressText() + " > " + destination.addressText();
        return protocolName() + " " + ends + (path.isEmpty() ? "" : " " + path);
    }
}
