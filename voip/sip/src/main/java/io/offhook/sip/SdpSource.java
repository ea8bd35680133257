package io.offhook.sip;

/**
 * A stream that a media line declares by its SSRC (RFC 5576).
 *
 * @param ssrc 32 bits, unsigned
 * @param cname the canonical name; "" if not given
 */
public record SdpSource(long ssrc, String cname) {}
