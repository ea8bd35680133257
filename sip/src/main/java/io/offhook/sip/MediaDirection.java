package io.offhook.sip;

/** Which way media flows, as the side that wrote the description sees it (RFC 8866, 6.7). */
public enum MediaDirection {
    /** As SDP says it (RFC 8866, 6.7), from its sender's side. */
    SENDRECV,
    /** As SDP says it (RFC 8866, 6.7), from its sender's side. */
    SENDONLY,
    /** As SDP says it (RFC 8866, 6.7), from its sender's side. */
    RECVONLY,
    /** As SDP says it (RFC 8866, 6.7), from its sender's side. */
    INACTIVE;

    /** Whether that side says it sends. */
    public boolean sends() {
        return this == SENDRECV || this == SENDONLY;
    }

    /** Whether that side says it receives. */
    public boolean receives() {
        return this == SENDRECV || this == RECVONLY;
    }
}
