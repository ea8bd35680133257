package io.offhook.sip.digest;

import java.util.List;

/**
 * What a {@link DigestVerifier} offers and accepts.
 *
 * @param algorithms those that are offered, in the order of the challenges; one to three, without sessions
 * @param nonceLifetimeMs how long a nonce can be used, in ms; at least 1
 * @param nonceLimit the most nonces whose counts are remembered, at least 16
 * @param bindsToSource whether a nonce is refused from another IP address than that it was given to
 * @param offersAuthInt whether auth-int is offered beside auth
 * @param acceptsNoQop whether responses without qop (RFC 2069) are accepted, once for each nonce
 * @param comparesUri whether the URI of the credentials must be equivalent to the Request-URI (RFC 7616, 3.4.6)
 * @param md5Only beginnings of User-Agents, in any case, that give up at an algorithm they do not know instead of passing
 *     over it (RFC 8760, 2.4); they are offered MD5 alone, where it is among the algorithms
 */
public record DigestSettings(
        List<DigestAlgorithm> algorithms,
        long nonceLifetimeMs,
        int nonceLimit,
        boolean bindsToSource,
        boolean offersAuthInt,
        boolean acceptsNoQop,
        boolean comparesUri,
        List<String> md5Only) {
    /** Phones that are known to give up at SHA-256: baresip has it from 3.11 on. */
    public static final List<String> KNOWN_MD5_ONLY = List.of(
            "baresip v0.",
            "baresip v1.",
            "baresip v2.",
            "baresip v3.0.",
            "baresip v3.1.",
            "baresip v3.2.",
            "baresip v3.3.",
            "baresip v3.4.",
            "baresip v3.5.",
            "baresip v3.6.",
            "baresip v3.7.",
            "baresip v3.8.",
            "baresip v3.9.",
            "baresip v3.10.");

    /**
     * SHA-256 and then MD5 (RFC 8760, 2.4), to some phones MD5 alone; five minutes; 100,000 nonces; from any address; qop
     * optional; the URI compared.
     */
    public static final DigestSettings DEFAULT = new DigestSettings(
            List.of(DigestAlgorithm.SHA_256, DigestAlgorithm.MD5),
            300_000,
            100_000,
            false,
            false,
            true,
            true,
            KNOWN_MD5_ONLY);

    /** Checks the ranges. */
    public DigestSettings {
        algorithms = List.copyOf(algorithms);
        md5Only = List.copyOf(md5Only);
        if (algorithms.isEmpty() || algorithms.stream().anyMatch(DigestAlgorithm::isSession)) {
            throw new IllegalArgumentException(
                    "algorithms " + algorithms + " must be one or more of MD5, SHA-256 and SHA-512-256");
        }
        if (nonceLifetimeMs < 1 || nonceLimit < 16) {
            throw new IllegalArgumentException("a nonce lifetime of " + nonceLifetimeMs + " ms and a limit of "
                    + nonceLimit + " nonces must be at least 1 ms and 16");
        }
    }

    /** What is offered to a User-Agent. */
    List<DigestAlgorithm> algorithmsFor(String userAgent) {
        boolean isMd5Only =
                md5Only.stream().anyMatch(start -> userAgent.regionMatches(true, 0, start, 0, start.length()));
        return isMd5Only && algorithms.contains(DigestAlgorithm.MD5) ? List.of(DigestAlgorithm.MD5) : algorithms;
    }
}
