package io.offhook.analysis;

/** What a frame carries, as far as calls are concerned: recognized once, by content, for everyone who looks at it. */
public enum Payload {
    /** A SIP message in a datagram. */
    SIP,
    /** A datagram that has the form of RTP. */
    RTP,
    /** A compound RTCP packet. */
    RTCP,
    /** STUN (RFC 8489), as of ICE. */
    STUN,
    /** A TCP segment, with or without bytes; what its stream carries is found out by a {@link StreamProtocol}. */
    TCP,
    /** ICMP or ICMPv6. */
    ICMP,
    /** An IP fragment; what the datagram carries is known once the last of its fragments came. */
    FRAGMENT,
    /** None of these. */
    OTHER
}
