package io.offhook.packet;

/** The kinds of layer that {@link PacketWalker} tells apart. {@link #label()} is what JSON and text output call it. */
public enum LayerType {
    ETHERNET("ethernet"),
    LINUX_SLL("sll"),
    LINUX_SLL2("sll2"),
    NULL_LOOPBACK("null"),
    PPP("ppp"),
    PPPOE("pppoe"),
    VLAN("vlan"),
    MPLS("mpls"),
    LLC("llc"),
    ARP("arp"),
    IPV4("ipv4"),
    IPV6("ipv6"),
    HOP_BY_HOP("ipv6.hopByHop"),
    DESTINATION_OPTIONS("ipv6.destinationOptions"),
    ROUTING("ipv6.routing"),
    IPV6_FRAGMENT("ipv6.fragment"),
    AUTHENTICATION("ah"),
    ESP("esp"),
    GRE("gre"),
    VXLAN("vxlan"),
    GENEVE("geneve"),
    GTP_U("gtpu"),
    TCP("tcp"),
    UDP("udp"),
    SCTP("sctp"),
    ICMP("icmp"),
    ICMPV6("icmpv6"),
    /** What the walker does not look into: the bytes above the last layer it knows. */
    PAYLOAD("payload");

    private final String label;

    LayerType(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
