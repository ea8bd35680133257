package io.offhook.sip.digest;

import java.util.List;

/**
 * The algorithms that challenges offer.
 *
 * @param algorithms in the order of the challenges; one to three, without sessions
 * @param md5Only beginnings of User-Agents, in any case, that give up at an algorithm they do not know instead of passing
 *     over it (RFC 8760, 2.4); they are offered MD5 alone, where it is among the algorithms
 */
public record DigestOffer(List<DigestAlgorithm> algorithms, List<String> md5Only) {
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

    /** SHA-256 and then MD5 (RFC 8760, 2.4), to some phones MD5 alone. */
    public static final DigestOffer DEFAULT =
            new DigestOffer(List.of(DigestAlgorithm.SHA_256, DigestAlgorithm.MD5), KNOWN_MD5_ONLY);

    /** Checks the algorithms. */
    public DigestOffer {
        algorithms = List.copyOf(algorithms);
        md5Only = List.copyOf(md5Only);
        if (algorithms.isEmpty() || algorithms.stream().anyMatch(DigestAlgorithm::isSession)) {
            throw new IllegalArgumentException(
                    "algorithms " + algorithms + " must be one or more of MD5, SHA-256 and SHA-512-256");
        }
    }

    /** The same algorithms for everybody. */
    public static DigestOffer of(DigestAlgorithm... algorithms) {
        return new DigestOffer(List.of(algorithms), List.of());
    }

    /** What is offered to a User-Agent. */
    List<DigestAlgorithm> to(String userAgent) {
        boolean isMd5Only =
                md5Only.stream().anyMatch(start -> userAgent.regionMatches(true, 0, start, 0, start.length()));
        return isMd5Only && algorithms.contains(DigestAlgorithm.MD5) ? List.of(DigestAlgorithm.MD5) : algorithms;
    }
}
