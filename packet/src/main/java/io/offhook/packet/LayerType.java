package io.offhook.packet;

/** The kinds of layer that {@link PacketWalker} tells apart. {@link #label()} is what JSON and text output call it. */
public enum LayerType {
    ETHERNET("ethernet"),
    FDDI("fddi"),
    TOKEN_RING("tokenRing"),
    LINUX_SLL("sll"),
    LINUX_SLL2("sll2"),
    NULL_LOOPBACK("null"),
    PPP("ppp"),
    PPPOE("pppoe"),
    CISCO_HDLC("chdlc"),
    FRAME_RELAY("fr"),
    NFLOG("nflog"),
    ARCNET("arcnet"),
    /** IP over InfiniBand. */
    IPOIB("ipoib"),
    /** What Juniper's routers know of a frame. */
    JUNIPER("juniper"),
    RADIOTAP("radiotap"),
    /** What wlan-ng, and drivers of its time, knew of an IEEE 802.11 frame. */
    PRISM("prism"),
    /** What the AVS drivers knew of an IEEE 802.11 frame. */
    AVS("avs"),
    /** Per-packet information: a header that names the link type of what follows. */
    PPI("ppi"),
    WLAN("wlan"),
    /** A tag of IEEE 802.1Q, of a customer. */
    VLAN("vlan"),
    /** A tag of IEEE 802.1ad, of a service provider: in form the same. */
    SERVICE_VLAN("serviceVlan"),
    /** IEEE 802.1BR's and Cisco's tags that name a virtual interface. */
    VNTAG("vntag"),
    /** The service instance tag of IEEE 802.1ah, MAC in MAC. */
    PBB("pbb"),
    /** Cisco's FabricPath tag, between an outer and an inner Ethernet header. */
    FABRIC_PATH("fabricPath"),
    /** IEEE 802.1AE: its tag, where what follows is not encrypted. */
    MACSEC("macsec"),
    CISCO_METADATA("ciscoMetadata"),
    MPLS("mpls"),
    /** The control word of a pseudowire (RFC 4385). */
    PSEUDOWIRE("pseudowire"),
    /** USB, from a bus monitor: named, and not looked into. */
    USB("usb"),
    /** Bluetooth, of the air or of a controller: named, and not looked into. */
    BLUETOOTH("bluetooth"),
    /** IEEE 802.15.4: named, and not looked into. */
    WPAN("wpan"),
    /** A CAN bus: named, and not looked into. */
    CAN("can"),
    /** Messages of the Linux kernel: named, and not looked into. */
    NETLINK("netlink"),
    /** IEEE 802.2, with SNAP where that follows. */
    LLC("llc"),
    /** ARP and RARP. */
    ARP("arp"),
    /** Link layer discovery (IEEE 802.1AB). */
    LLDP("lldp"),
    /** Spanning tree. */
    STP("stp"),
    /** Link aggregation control. */
    LACP("lacp"),
    /** Cisco Discovery Protocol. */
    CDP("cdp"),
    IPV4("ipv4"),
    IPV6("ipv6"),
    HOP_BY_HOP("ipv6.hopByHop"),
    DESTINATION_OPTIONS("ipv6.destinationOptions"),
    ROUTING("ipv6.routing"),
    IPV6_FRAGMENT("ipv6.fragment"),
    MOBILITY("ipv6.mobility"),
    /** HIP or Shim6: extension headers of the common form that are stepped over. */
    IPV6_EXTENSION("ipv6.extension"),
    AUTHENTICATION("ah"),
    ESP("esp"),
    GRE("gre"),
    ERSPAN("erspan"),
    NSH("nsh"),
    VXLAN("vxlan"),
    GENEVE("geneve"),
    GTP_U("gtpu"),
    GTP_C("gtpc"),
    L2TP("l2tp"),
    TEREDO("teredo"),
    CAPWAP("capwap"),
    TCP("tcp"),
    UDP("udp"),
    UDP_LITE("udplite"),
    DCCP("dccp"),
    SCTP("sctp"),
    ICMP("icmp"),
    ICMPV6("icmpv6"),
    IGMP("igmp"),
    VRRP("vrrp"),
    OSPF("ospf"),
    PIM("pim"),
    /** What the walker does not look into: the bytes above the last layer it knows. */
    PAYLOAD("payload");

    private static final LayerType[] VALUES = values();

    /** How many there are: above every {@link #index()}. */
    static final int COUNT = VALUES.length;

    private final String label;
    private final int index;

    @SuppressWarnings("EnumOrdinal") // only this process sees it
    LayerType(String label) {
        this.label = label;
        index = ordinal();
    }

    public String label() {
        return label;
    }

    /** The number that a walk's table holds for it; it means nothing outside of the process. */
    int index() {
        return index;
    }

    static LayerType ofIndex(int index) {
        return VALUES[index];
    }
}
