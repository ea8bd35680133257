package io.offhook.analysis;

/** What a frame carries, as far as calls are concerned; recognized once, by content. */
public enum Payload {
    /** A SIP message in a datagram. */
    SIP,
    /** A datagram that has the form of RTP. */
    RTP,
    /** A compound RTCP packet. */
    RTCP,
    /** STUN (RFC 8489), as of ICE. */
    STUN,
    /** Data of a TURN relay (RFC 8656): ChannelData, or a Send or Data indication. */
    TURN,
    /** HEP: a packet that an agent captured elsewhere. */
    HEP,
    /** An SCTP packet with data that may be SIP (RFC 4168). */
    SCTP,
    /** A TCP segment, with or without payload; a {@link StreamProtocol} recognizes what its stream carries. */
    TCP,
    /** ICMP or ICMPv6. */
    ICMP,
    /** An IP fragment; what the datagram carries is known when its last fragment has arrived. */
    FRAGMENT,
    /** None of these. */
    OTHER
}
