package io.offhook.packet;

import java.util.Locale;

/**
 * What a transport payload may be, as {@link ApplicationRecognizer} names it. The walker knows none of these, and no
 * decision of it rests on them.
 */
public enum Application {
    /** None of the others, or nothing that tells. */
    UNKNOWN("data"),
    DNS("DNS"),
    /** Multicast DNS (RFC 6762). */
    MDNS("MDNS"),
    /** Link-local multicast name resolution (RFC 4795). */
    LLMNR("LLMNR"),
    /** DHCP and BOOTP. */
    DHCP("DHCP"),
    DHCPV6("DHCPv6"),
    NTP("NTP"),
    TFTP("TFTP"),
    TLS("TLS"),
    /** Named, and not looked into. */
    DTLS("DTLS"),
    QUIC("QUIC"),
    HTTP("HTTP"),
    /** Named, and not looked into. */
    RTSP("RTSP"),
    STUN("STUN"),
    /** Data of a channel of TURN. */
    TURN("TURN"),
    /** Told by its form alone; its view is in offhook-rtp. */
    RTP("RTP"),
    /** Told by its form alone; its view is in offhook-rtp. */
    RTCP("RTCP"),
    /** Told by its start line; its view is in offhook-sip. */
    SIP("SIP"),
    MGCP("MGCP"),
    H225("H225"),
    SKINNY("SKINNY"),
    /** T.38 fax. */
    UDPTL("UDPTL"),
    DIAMETER("DIAMETER"),
    RADIUS("RADIUS"),
    SNMP("SNMP"),
    SYSLOG("SYSLOG"),
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
