package io.offhook.sip;

/**
 * A stream that a media line names by SSRC (RFC 5576).
 *
 * @param ssrc 32 bits, unsigned
 * @param cname the canonical name, "" where none is given
 */
public record SdpSource(long ssrc, String cname) {}
