package io.offhook.sip;

/** What SIP messages were carried by, as a Via header names it (RFC 3261, 7.1; RFC 7118). */
public enum SipTransport {
    /** One message a datagram. */
    UDP,
    /** A stream of messages, each as long as its Content-Length says. */
    TCP,
    /** TLS over TCP: a stream of messages, as over TCP (RFC 3261, 26.2.1). */
    TLS,
    /** WebSocket: one message a WebSocket message (RFC 7118). */
    WS,
    /** WebSocket over TLS. */
    WSS,
    /** SCTP: one message a user message (RFC 4168). */
    SCTP;

    /** Whether it delivers each message once and in order, so that nothing is retransmitted (RFC 3261, 17). */
    public boolean isReliable() {
        return this != UDP;
    }

    /** Whether it is protected by TLS. */
    public boolean isSecure() {
        return this == TLS || this == WSS;
    }

    /** The port where none is given: 5061 for what is secure, else 5060 (RFC 3261, 19.1.2; 80 and 443 of WebSocket are those of the URI of HTTP). */
    public int defaultPort() {
        return isSecure() ? 5061 : 5060;
    }
}
