package io.offhook.packet;

import io.offhook.packet.walk.PacketWalker;

/** The types of layer that {@link PacketWalker} distinguishes. {@link #label()} is the name in JSON and text output. */
public enum LayerType {
    /** Ethernet II, or IEEE 802.3 with LLC behind it. */
    ETHERNET("ethernet"),
    /** FDDI; LLC is behind it. */
    FDDI("fddi"),
    /** IEEE 802.5; LLC is behind it. */
    TOKEN_RING("tokenRing"),
    /** Linux cooked capture, version 1. */
    LINUX_SLL("sll"),
    /** Linux cooked capture, version 2. */
    LINUX_SLL2("sll2"),
    /** The address family in front of loopback's packets. */
    NULL_LOOPBACK("null"),
    /** The protocol field of PPP (RFC 1661), behind address and control where these are. */
    PPP("ppp"),
    /** PPP over Ethernet (RFC 2516), discovery and session. */
    PPPOE("pppoe"),
    /** HDLC as Cisco's routers speak it. */
    CISCO_HDLC("chdlc"),
    /** Frame Relay (ITU-T Q.922). */
    FRAME_RELAY("fr"),
    /** A Linux netfilter log record. */
    NFLOG("nflog"),
    /** ARCnet (RFC 1201). */
    ARCNET("arcnet"),
    /** IP over InfiniBand. */
    IPOIB("ipoib"),
    /** A header of Juniper routers about a frame. */
    JUNIPER("juniper"),
    /** The radio header of an IEEE 802.11 frame (radiotap.org). */
    RADIOTAP("radiotap"),
    /** The Prism header of an IEEE 802.11 frame, of wlan-ng and drivers of its time. */
    PRISM("prism"),
    /** The header of the AVS drivers for an IEEE 802.11 frame. */
    AVS("avs"),
    /** Per-packet information: a header that names the link type of what follows. */
    PPI("ppi"),
    /** IEEE 802.11. */
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
    /** Cisco's tag with the security group of the sender. */
    CISCO_METADATA("ciscoMetadata"),
    /** A label of a stack (RFC 3032). */
    MPLS("mpls"),
    /** The control word of a pseudowire (RFC 4385). */
    PSEUDOWIRE("pseudowire"),
    /** USB, from a bus monitor: named, but not decoded. */
    USB("usb"),
    /** Bluetooth, of the air or of a controller: named, but not decoded. */
    BLUETOOTH("bluetooth"),
    /** IEEE 802.15.4: named, but not decoded. */
    WPAN("wpan"),
    /** A CAN bus: named, but not decoded. */
    CAN("can"),
    /** Messages of the Linux kernel: named, but not decoded. */
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
    /** IPv4 (RFC 791), with its options. */
    IPV4("ipv4"),
    /** The fixed header of IPv6 (RFC 8200). */
    IPV6("ipv6"),
    /** IPv6 hop-by-hop options (RFC 8200, 4.3). */
    HOP_BY_HOP("ipv6.hopByHop"),
    /** IPv6 destination options (RFC 8200, 4.6). */
    DESTINATION_OPTIONS("ipv6.destinationOptions"),
    /** An IPv6 routing header (RFC 8200, 4.4). */
    ROUTING("ipv6.routing"),
    /** An IPv6 fragment header (RFC 8200, 4.5). */
    IPV6_FRAGMENT("ipv6.fragment"),
    /** An IPv6 mobility header (RFC 6275, 6.1). */
    MOBILITY("ipv6.mobility"),
    /** HIP or Shim6: extension headers of the common form that are stepped over. */
    IPV6_EXTENSION("ipv6.extension"),
    /** AH (RFC 4302). */
    AUTHENTICATION("ah"),
    /** ESP (RFC 4303): what follows is encrypted, as a rule. */
    ESP("esp"),
    /** GRE (RFC 2784), NVGRE too. */
    GRE("gre"),
    /** A mirrored frame's header, type II or III. */
    ERSPAN("erspan"),
    /** The network service header (RFC 8300). */
    NSH("nsh"),
    /** VXLAN (RFC 7348), and with the generic protocol extension. */
    VXLAN("vxlan"),
    /** Geneve (RFC 8926), with its options. */
    GENEVE("geneve"),
    /** GTP-U (3GPP TS 29.281). */
    GTP_U("gtpu"),
    /** GTP-C, version 1 (3GPP TS 29.060) or 2 (TS 29.274). */
    GTP_C("gtpc"),
    /** L2TP, version 2 (RFC 2661) or 3 (RFC 3931). */
    L2TP("l2tp"),
    /** The headers that Teredo puts before an IPv6 packet (RFC 4380). */
    TEREDO("teredo"),
    /** CAPWAP data (RFC 5415, 4.3). */
    CAPWAP("capwap"),
    /** TCP (RFC 9293), with its options. */
    TCP("tcp"),
    /** UDP (RFC 768). */
    UDP("udp"),
    /** UDP-Lite (RFC 3828). */
    UDP_LITE("udplite"),
    /** DCCP (RFC 4340). */
    DCCP("dccp"),
    /** The common header of SCTP (RFC 9260); chunks are behind it. */
    SCTP("sctp"),
    /** ICMP (RFC 792). */
    ICMP("icmp"),
    /** ICMPv6 (RFC 4443), neighbour and listener discovery too. */
    ICMPV6("icmpv6"),
    /** IGMP, versions 1 to 3 (RFC 3376). */
    IGMP("igmp"),
    /** VRRP (RFC 3768, RFC 9568). */
    VRRP("vrrp"),
    /** OSPF, version 2 (RFC 2328) or 3 (RFC 5340). */
    OSPF("ospf"),
    /** PIM (RFC 7761). */
    PIM("pim"),
    /** A protocol that a program registered: the walker names which. */
    REGISTERED("registered"),
    /** The bytes above the last known layer, which the walker does not decode. */
    PAYLOAD("payload");

    private static final LayerType[] VALUES = values();

    /** The number of types, above every {@link #index()}. */
    public static final int COUNT = VALUES.length;

    private final String label;
    private final int index;

    @SuppressWarnings("EnumOrdinal") // only this process sees it
    LayerType(String label) {
        this.label = label;
        index = ordinal();
    }

    /** The name in JSON and text output. */
    public String label() {
        return label;
    }

    /** Its number in the table of a walk; meaningless outside the process. */
    public int index() {
        return index;
    }

    /**
     * The type that has this {@link #index()}.
     *
     * @throws ArrayIndexOutOfBoundsException if there is none
     */
    public static LayerType ofIndex(int index) {
        return VALUES[index];
    }
}
