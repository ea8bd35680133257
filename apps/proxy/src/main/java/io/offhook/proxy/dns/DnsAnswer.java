package io.offhook.proxy.dns;

import java.util.List;

/**
 * What is known about a question.
 *
 * @param kind whether there are records, and if not, why
 * @param records of the type that was asked for; empty unless {@link Kind#FOUND}
 * @param ttlSeconds how long it may be kept, as the servers say; for a negative answer that of the SOA record, -1 if
 *     there was none
 */
record DnsAnswer(Kind kind, List<DnsRecord> records, long ttlSeconds) {
    enum Kind {
        FOUND,
        /** The name has no records of this type. */
        NO_DATA,
        /** There is no such name. */
        NO_NAME,
        /** No server gave an answer that could be used. */
        FAILED,
        /** Not asked: too many questions are open. */
        REFUSED
    }

    static final DnsAnswer NO_DATA = new DnsAnswer(Kind.NO_DATA, List.of(), -1);
    static final DnsAnswer NO_NAME = new DnsAnswer(Kind.NO_NAME, List.of(), -1);
    static final DnsAnswer FAILED = new DnsAnswer(Kind.FAILED, List.of(), -1);
    static final DnsAnswer REFUSED = new DnsAnswer(Kind.REFUSED, List.of(), -1);

    DnsAnswer {
        records = List.copyOf(records);
    }

    boolean isFound() {
        return kind == Kind.FOUND;
    }

    boolean isNegative() {
        return kind == Kind.NO_DATA || kind == Kind.NO_NAME;
    }
}
