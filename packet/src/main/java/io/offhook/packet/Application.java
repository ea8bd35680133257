package io.offhook.packet;

import java.util.Locale;

/**
 * What a transport payload may be, as {@link ApplicationRecognizer} names it. The walker knows none of these, and no
 * decision of it rests on them.
 */
public enum Application {
    /** None of the others, or nothing that tells. */
    UNKNOWN("data"),
    /** DNS (RFC 1035), multicast DNS too. */
    DNS("DNS"),
    /** Multicast DNS (RFC 6762). */
    MDNS("MDNS"),
    /** Link-local multicast name resolution (RFC 4795). */
    LLMNR("LLMNR"),
    /** DHCP and BOOTP. */
    DHCP("DHCP"),
    /** DHCP for IPv6 (RFC 8415). */
    DHCPV6("DHCPv6"),
    /** NTP (RFC 5905). */
    NTP("NTP"),
    /** TFTP (RFC 1350). */
    TFTP("TFTP"),
    /** A TLS record (RFC 8446). */
    TLS("TLS"),
    /** Named, and not looked into. */
    DTLS("DTLS"),
    /** QUIC (RFC 9000). */
    QUIC("QUIC"),
    /** HTTP/1 (RFC 9112). */
    HTTP("HTTP"),
    /** Named, and not looked into. */
    RTSP("RTSP"),
    /** STUN and TURN (RFC 8489, RFC 8656). */
    STUN("STUN"),
    /** Data of a channel of TURN. */
    TURN("TURN"),
    /** Told by its form alone; its view is in offhook-rtp. */
    RTP("RTP"),
    /** Told by its form alone; its view is in offhook-rtp. */
    RTCP("RTCP"),
    /** Told by its start line; its view is in offhook-sip. */
    SIP("SIP"),
    /** MGCP (RFC 3435). */
    MGCP("MGCP"),
    /** H.225 call signalling (ITU-T H.225.0). */
    H225("H225"),
    /** Cisco's Skinny. */
    SKINNY("SKINNY"),
    /** T.38 fax. */
    UDPTL("UDPTL"),
    /** Diameter (RFC 6733). */
    DIAMETER("DIAMETER"),
    /** RADIUS (RFC 2865). */
    RADIUS("RADIUS"),
    /** SNMP (RFC 3416). */
    SNMP("SNMP"),
    /** Syslog (RFC 5424). */
    SYSLOG("SYSLOG"),
    /** WireGuard. */
    WIREGUARD("WIREGUARD"),
    /** Named, and not looked into. */
    ZRTP("ZRTP"),
    /** Named, and not looked into. */
    HEP("HEP3"),
    /** NetBIOS names; named, and not looked into. */
    NBNS("NBNS"),
    /** NetBIOS datagrams; named, and not looked into. */
    NBDS("NBDS"),
    /** Named, and not looked into. */
    SSDP("SSDP"),
    /** Named, and not looked into. */
    IAX2("IAX2");

    private final String title;

    Application(String title) {
        this.title = title;
    }

    /** What tables call it: "DHCPv6". */
    public String title() {
        return title;
    }

    /** What JSON calls its layer: "dhcpv6". */
    public String label() {
        return title.toLowerCase(Locale.ROOT);
    }
}
