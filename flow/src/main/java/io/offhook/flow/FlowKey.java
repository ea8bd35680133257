package io.offhook.flow;

import io.offhook.packet.Endpoint;

/**
 * What tells one flow from another, owned: the five-tuple, and the VLANs and tunnels that its packets came in.
 *
 * @param version of IP, 4 or 6
 * @param protocol the IP protocol number (IANA), 0 to 255
 * @param source who sent the first packet; of TCP, who sent the SYN. Its port is 0 where there are none, of ICMP the type
 * @param destination whom it was sent to; of ICMP the port is the type that answers, or the code
 * @param hasPorts whether the ports mean something
 * @param isOneWay an ICMP message that no other type answers
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

    /** Checks the ranges. */
    public FlowKey {
        Require.oneOf("version", version, 4, 6);
        Require.inRange("protocol", protocol, 0, 255);
    }

    /** The same flow as seen by its other end. */
    public FlowKey reversed() {
        return new FlowKey(version, protocol, destination, source, hasPorts, isOneWay, path);
    }

    /** The Community ID, version 1, with seed 0: {@link CommunityId}. */
    public String communityId() {
        return CommunityId.of(this, 0);
    }

    /** The name of its protocol, "TCP"; the number where it has none here. */
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

    /** "TCP 192.0.2.1:40000 > 192.0.2.2:80 vlan 7". */
    @Override
    public String toString() {
        String ends =
                hasPorts ? source + " > " + destination : source.addressText() + " > " + destination.addressText();
        return protocolName() + " " + ends + (path.isEmpty() ? "" : " " + path);
    }
}
