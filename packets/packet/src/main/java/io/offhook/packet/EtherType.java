package io.offhook.packet;

import java.util.Locale;

/** Assigned EtherTypes (IEEE 802 numbers of the IANA registry); unsigned 16 bits. */
public final class EtherType {
    /** The lowest (IEEE 802.3, 3.2.6): below it the field is a length, or nothing. */
    public static final int MIN = 0x0600;
    /** Up to here the field is a length (IEEE 802.3, 3.2.6). */
    public static final int MAX_LENGTH = 1500;

    /** IPv4 (RFC 894). */
    public static final int IPV4 = 0x0800;
    /** ARP (RFC 826). */
    public static final int ARP = 0x0806;
    /** ERSPAN type III, in GRE. */
    public static final int ERSPAN_3 = 0x22eb;
    /** Transparent Ethernet bridging: a whole Ethernet frame follows (RFC 1701). */
    public static final int TRANSPARENT_BRIDGING = 0x6558;
    /** Reverse ARP (RFC 903). */
    public static final int REVERSE_ARP = 0x8035;
    /** A customer's VLAN tag (IEEE 802.1Q). */
    public static final int VLAN = 0x8100;
    /** IPv6 (RFC 2464). */
    public static final int IPV6 = 0x86dd;
    /** Slow protocols (IEEE 802.3, 57A): link aggregation control is one. */
    public static final int SLOW_PROTOCOLS = 0x8809;
    /** PPP, in GRE (RFC 2637). */
    public static final int PPP = 0x880b;
    /** WCCP: packets that a router redirects, in GRE. */
    public static final int REDIRECTED = 0x883e;
    /** MPLS (RFC 5332). */
    public static final int MPLS = 0x8847;
    /** MPLS, of a multicast tree (RFC 5332). */
    public static final int MPLS_MULTICAST = 0x8848;
    /** PPPoE, discovery stage (RFC 2516). */
    public static final int PPPOE_DISCOVERY = 0x8863;
    /** PPPoE, session stage (RFC 2516). */
    public static final int PPPOE_SESSION = 0x8864;
    /** Port authentication (IEEE 802.1X). */
    public static final int PORT_AUTHENTICATION = 0x888e;
    /** A service provider's VLAN tag (IEEE 802.1ad). */
    public static final int SERVICE_VLAN = 0x88a8;
    /** ERSPAN types I and II, in GRE. */
    public static final int ERSPAN_2 = 0x88be;
    /** Link layer discovery (IEEE 802.1AB). */
    public static final int LLDP = 0x88cc;
    /** MACsec (IEEE 802.1AE). */
    public static final int MACSEC = 0x88e5;
    /** The service instance tag of a backbone (IEEE 802.1ah). */
    public static final int PBB = 0x88e7;
    /** Precision time (IEEE 1588). */
    public static final int PRECISION_TIME = 0x88f7;
    /** Cisco's FabricPath. */
    public static final int FABRIC_PATH = 0x8903;
    /** Cisco's security group tag. */
    public static final int CISCO_METADATA = 0x8909;
    /** Cisco's VN-Tag. */
    public static final int VNTAG = 0x8926;
    /** The tag of a bridge port extender (IEEE 802.1BR). */
    public static final int EXTENDER_TAG = 0x893f;
    /** The network service header (RFC 8300). */
    public static final int NSH = 0x894f;
    /** Loopback of the configuration test protocol. */
    public static final int LOOPBACK = 0x9000;

    private EtherType() {}

    /** The name of a frame of that type in tables: a short name, or the number. */
    public static String title(int type) {
        return switch (type) {
            case ARP -> "ARP";
            case IPV4 -> "IPv4";
            case IPV6 -> "IPv6";
            case PORT_AUTHENTICATION -> "EAPOL";
            case LLDP -> "LLDP";
            case SLOW_PROTOCOLS -> "LACP";
            case PRECISION_TIME -> "PTP";
            case LOOPBACK -> "LOOP";
            default -> type <= MAX_LENGTH ? "802.3" : String.format(Locale.ROOT, "0x%04x", type);
        };
    }
}
