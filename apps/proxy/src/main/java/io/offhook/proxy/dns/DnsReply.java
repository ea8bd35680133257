package io.offhook.proxy.dns;

/**
 * What one server said.
 *
 * @param kind what kind of answer it is
 * @param answer what it says; {@link DnsAnswer#FAILED} for all kinds but {@link Kind#ANSWER}
 * @param alias the name that the question's name is an alias of and about which nothing was said; "" otherwise
 * @param aliasTtlSeconds how long the alias may be kept
 */
record DnsReply(Kind kind, DnsAnswer answer, String alias, long aliasTtlSeconds) {
    enum Kind {
        ANSWER,
        /** An alias without the records of its target: the target must be asked about. */
        ALIAS,
        /** Another identifier or question. */
        MISMATCHED,
        MALFORMED,
        TRUNCATED,
        /** The server does not understand EDNS. */
        NO_EDNS,
        ALIAS_LOOP,
        SERVER_ERROR,
        TIMEOUT,
        UNREACHABLE
    }

    static DnsReply of(Kind kind) {
        return new DnsReply(kind, DnsAnswer.FAILED, "", 0);
    }

    static DnsReply of(DnsAnswer answer) {
        return new DnsReply(Kind.ANSWER, answer, "", 0);
    }

    static DnsReply alias(String name, long ttlSeconds) {
        return new DnsReply(Kind.ALIAS, DnsAnswer.FAILED, name, ttlSeconds);
    }
}
