package io.offhook.testkit.traffic;

/** How media is protected. */
public enum Security {
    NONE("RTP/AVP"),
    /** SRTP with keys in the SDP (RFC 4568). */
    SDES("RTP/SAVP"),
    /** SRTP with keys from a DTLS handshake on the media path (RFC 5764). */
    DTLS("UDP/TLS/RTP/SAVPF");

    private final String profile;

    Security(String profile) {
        this.profile = profile;
    }

    /** The transport in SDP's m= line. */
    String profile() {
        return profile;
    }
}
