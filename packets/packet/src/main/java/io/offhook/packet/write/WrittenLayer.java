package io.offhook.packet.write;

import io.offhook.packet.NetworkOrder;
import io.offhook.packet.link.EthernetView;
import io.offhook.packet.link.LlcView;
import io.offhook.packet.link.PppoeView;
import io.offhook.packet.link.Sll2View;
import io.offhook.packet.link.SllView;
import io.offhook.packet.link.VlanView;
import io.offhook.packet.network.AuthenticationView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6ExtensionView;
import io.offhook.packet.network.Ipv6FragmentView;
import io.offhook.packet.network.Ipv6RoutingView;
import io.offhook.packet.network.Ipv6View;
import io.offhook.packet.tunnel.GeneveView;
import io.offhook.packet.tunnel.GreView;
import io.offhook.packet.tunnel.VxlanView;
import java.lang.foreign.MemorySegment;

/**
 * The layers that a {@link PacketWriter} writes: the numbers by which the layer below names each, and how it names the
 * layer above.
 */
enum WrittenLayer {
    ETHERNET("ethernet", Naming.ETHER_TYPE, EthernetView.TYPE, 0x6558, 143, 0x0031),
    IEEE_802_3("ieee8023", Naming.NONE, 0, -1, -1, -1),
    LLC("llc", Naming.NONE, 0, -1, -1, -1),
    SNAP("snap", Naming.ETHER_TYPE, LlcView.TYPE, -1, -1, -1),
    VLAN("vlan", Naming.ETHER_TYPE, VlanView.TYPE, 0x8100, -1, -1),
    SERVICE_VLAN("serviceVlan", Naming.ETHER_TYPE, VlanView.TYPE, 0x88a8, -1, -1),
    MPLS("mpls", Naming.NONE, 0, 0x8847, 137, 0x0281),
    PPPOE_DISCOVERY("pppoeDiscovery", Naming.NONE, 0, 0x8863, -1, -1),
    /** Including the PPP protocol number that follows it. */
    PPPOE_SESSION("pppoeSession", Naming.PPP_PROTOCOL, PppoeView.LENGTH, 0x8864, -1, -1),
    PPP("ppp", Naming.PPP_PROTOCOL, 2, -1, -1, -1),
    SLL("sll", Naming.ETHER_TYPE, SllView.PROTOCOL, -1, -1, -1),
    SLL2("sll2", Naming.ETHER_TYPE, Sll2View.PROTOCOL, -1, -1, -1),
    NULL_LOOPBACK("nullLoopback", Naming.ADDRESS_FAMILY, 0, -1, -1, -1),
    ARP("arp", Naming.NONE, 0, 0x0806, -1, -1),
    IPV4("ipv4", Naming.IP_PROTOCOL, Ipv4View.PROTOCOL, 0x0800, 4, 0x0021),
    IPV6("ipv6", Naming.IP_PROTOCOL, Ipv6View.NEXT_HEADER, 0x86dd, 41, 0x0057),
    HOP_BY_HOP("hopByHop", Naming.IP_PROTOCOL, Ipv6ExtensionView.NEXT_HEADER, -1, 0, -1),
    DESTINATION_OPTIONS("destinationOptions", Naming.IP_PROTOCOL, Ipv6ExtensionView.NEXT_HEADER, -1, 60, -1),
    ROUTING("routing", Naming.IP_PROTOCOL, Ipv6RoutingView.NEXT_HEADER, -1, 43, -1),
    IPV6_FRAGMENT("fragment", Naming.IP_PROTOCOL, Ipv6FragmentView.NEXT_HEADER, -1, 44, -1),
    AUTHENTICATION("authentication", Naming.IP_PROTOCOL, AuthenticationView.NEXT_HEADER, -1, 51, -1),
    ESP("esp", Naming.NONE, 0, -1, 50, -1),
    GRE("gre", Naming.ETHER_TYPE, GreView.PROTOCOL, -1, 47, -1),
    VXLAN("vxlan", Naming.NONE, 0, -1, -1, -1),
    VXLAN_GPE("vxlanGpe", Naming.VXLAN_PROTOCOL, VxlanView.PROTOCOL, -1, -1, -1),
    GENEVE("geneve", Naming.ETHER_TYPE, GeneveView.PROTOCOL, -1, -1, -1),
    GTP_U("gtpU", Naming.NONE, 0, -1, -1, -1),
    TCP("tcp", Naming.NONE, 0, -1, 6, -1),
    UDP("udp", Naming.NONE, 0, -1, 17, -1),
    SCTP("sctp", Naming.NONE, 0, -1, 132, -1),
    SCTP_CHUNK("sctpChunk", Naming.NONE, 0, -1, -1, -1),
    ICMP("icmp", Naming.NONE, 0, -1, 1, -1),
    ICMPV6("icmpv6", Naming.NONE, 0, -1, 58, -1);

    /** The number space in which a header names its payload. */
    private enum Naming {
        ETHER_TYPE,
        IP_PROTOCOL,
        PPP_PROTOCOL,
        VXLAN_PROTOCOL,
        ADDRESS_FAMILY,
        /** None: a port, a bit or an agreement decides. */
        NONE
    }

    /** The EtherType until the next layer is known: local experiments (IEEE 802, 9.2.4). */
    static final int EXPERIMENTAL_TYPE = 0x88b5;

    private final String label;
    private final String lengthLabel;
    private final String checksumLabel;
    private final Naming naming;
    private final int nameOffset;
    private final int etherType;
    private final int ipProtocol;
    private final int pppProtocol;

    WrittenLayer(String label, Naming naming, int nameOffset, int etherType, int ipProtocol, int pppProtocol) {
        this.label = label;
        lengthLabel = label + ".length";
        checksumLabel = label + ".checksum";
        this.naming = naming;
        this.nameOffset = nameOffset;
        this.etherType = etherType;
        this.ipProtocol = ipProtocol;
        this.pppProtocol = pppProtocol;
    }

    /** The name of the writer's method. */
    String label() {
        return label;
    }

    String lengthLabel() {
        return lengthLabel;
    }

    String checksumLabel() {
        return checksumLabel;
    }

    int ipProtocol() {
        return ipProtocol;
    }

    boolean isIp() {
        return this == IPV4 || this == IPV6;
    }

    /**
     * Writes into the header of this layer, at {@code header}, that it carries {@code above}.
     *
     * @return false if there is no number for it
     */
    boolean name(WrittenLayer above, MemorySegment segment, long header) {
        int number = switch (naming) {
            case ETHER_TYPE -> above.etherType;
            case IP_PROTOCOL -> above.ipProtocol;
            case PPP_PROTOCOL -> above.pppProtocol;
            case VXLAN_PROTOCOL -> vxlanProtocol(above);
            case ADDRESS_FAMILY -> above == IPV4 ? 2 : above == IPV6 ? 30 : -1;
            case NONE -> 0;
        };
        if (number < 0) {
            return false;
        }
        switch (naming) {
            case ETHER_TYPE, PPP_PROTOCOL -> NetworkOrder.putU16(segment, header + nameOffset, number);
            case IP_PROTOCOL, VXLAN_PROTOCOL -> NetworkOrder.putU8(segment, header + nameOffset, number);
            case ADDRESS_FAMILY -> NetworkOrder.putU32(segment, header + nameOffset, number);
            case NONE -> {}
        }
        return true;
    }

    /** draft-ietf-nvo3-vxlan-gpe, 3.2. */
    private static int vxlanProtocol(WrittenLayer above) {
        return switch (above) {
            case IPV4 -> 1;
            case IPV6 -> 2;
            case ETHERNET -> 3;
            case MPLS -> 5;
            default -> -1;
        };
    }
}
