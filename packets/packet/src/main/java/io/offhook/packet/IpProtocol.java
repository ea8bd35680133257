package io.offhook.packet;

/** Assigned IP protocol numbers and IPv6 next headers (IANA); unsigned 8 bits. */
public final class IpProtocol {
    /** IPv6 hop-by-hop options (RFC 8200, 4.3). */
    public static final int HOP_BY_HOP = 0;
    /** ICMP (RFC 792). */
    public static final int ICMP = 1;
    /** IGMP (RFC 3376). */
    public static final int IGMP = 2;
    /** IPv4 in IP (RFC 2003). */
    public static final int IPV4 = 4;
    /** TCP (RFC 9293). */
    public static final int TCP = 6;
    /** UDP (RFC 768). */
    public static final int UDP = 17;
    /** DCCP (RFC 4340). */
    public static final int DCCP = 33;
    /** IPv6 in IP (RFC 2473). */
    public static final int IPV6 = 41;
    /** IPv6 routing header (RFC 8200, 4.4). */
    public static final int ROUTING = 43;
    /** IPv6 fragment header (RFC 8200, 4.5). */
    public static final int FRAGMENT = 44;
    /** GRE (RFC 2784). */
    public static final int GRE = 47;
    /** ESP (RFC 4303). */
    public static final int ESP = 50;
    /** AH (RFC 4302). */
    public static final int AUTHENTICATION = 51;
    /** ICMPv6 (RFC 4443). */
    public static final int ICMPV6 = 58;
    /** Nothing follows (RFC 8200, 4.7). */
    public static final int NO_NEXT = 59;
    /** IPv6 destination options (RFC 8200, 4.6). */
    public static final int DESTINATION_OPTIONS = 60;
    /** OSPF (RFC 2328). */
    public static final int OSPF = 89;
    /** Ethernet in IP (RFC 3378). */
    public static final int ETHER_IP = 97;
    /** PIM (RFC 7761). */
    public static final int PIM = 103;
    /** VRRP (RFC 9568). */
    public static final int VRRP = 112;
    /** L2TP, version 3 (RFC 3931). */
    public static final int L2TP = 115;
    /** SCTP (RFC 9260). */
    public static final int SCTP = 132;
    /** IPv6 mobility header (RFC 6275). */
    public static final int MOBILITY = 135;
    /** UDP-Lite (RFC 3828). */
    public static final int UDP_LITE = 136;
    /** MPLS in IP (RFC 4023). */
    public static final int MPLS = 137;
    /** Host identity (RFC 7401). */
    public static final int HIP = 139;
    /** Shim6 (RFC 5533). */
    public static final int SHIM6 = 140;
    /** Ethernet behind a segment routing header (RFC 8986). */
    public static final int ETHERNET = 143;

    private IpProtocol() {}
}
