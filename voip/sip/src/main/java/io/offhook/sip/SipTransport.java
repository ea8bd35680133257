package io.offhook.sip;

/** What SIP messages were carried by, as a Via header names it (RFC 3261, 7.1; RFC 7118). */
public enum SipTransport {
    /** One message a datagram. */
    UDP,
    /** A stream of messages, each as long as its Content-Length says. */
    TCP,
    /** WebSocket: one message a WebSocket message. */
    WS,
    /** SCTP: one message a user message (RFC 4168). */
    SCTP
}
