package io.offhook.sip.digest;

/**
 * What a {@link DigestVerifier} offers and accepts.
 *
 * @param offer the algorithms of challenges, and for whom
 * @param nonceLifetimeMs how long a nonce can be used, in ms; at least 1
 * @param nonceLimit the most nonces whose counts are remembered, at least 16
 * @param bindsToSource whether a nonce is refused from another IP address than that it was given to
 * @param offersAuthInt whether auth-int is offered beside auth
 * @param acceptsNoQop whether responses without qop (RFC 2069) are accepted, once for each nonce
 * @param comparesUri whether the URI of the credentials must be equivalent to the Request-URI (RFC 7616, 3.4.6)
 */
public record DigestSettings(
        DigestOffer offer,
        long nonceLifetimeMs,
        int nonceLimit,
        boolean bindsToSource,
        boolean offersAuthInt,
        boolean acceptsNoQop,
        boolean comparesUri) {
    /**
     * SHA-256 and then MD5 (RFC 8760, 2.4), to some phones MD5 alone; five minutes; 100,000 nonces; from any address; qop
     * optional; the URI compared.
     */
    public static final DigestSettings DEFAULT =
            new DigestSettings(DigestOffer.DEFAULT, 300_000, 100_000, false, false, true, true);

    /** Checks the ranges. */
    public DigestSettings {
        if (nonceLifetimeMs < 1 || nonceLimit < 16) {
            throw new IllegalArgumentException("a nonce lifetime of " + nonceLifetimeMs + " ms and a limit of "
                    + nonceLimit + " nonces must be at least 1 ms and 16");
        }
    }
}
