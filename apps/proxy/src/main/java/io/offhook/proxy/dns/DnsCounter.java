package io.offhook.proxy.dns;

/** What {@link DnsCounts} counts. */
public enum DnsCounter {
    /** Queries sent, retries included. */
    QUERIES,
    /** Queries sent over TCP, as the answer over UDP was truncated. */
    TCP_QUERIES,
    /** Queries that a server did not answer in time. */
    TIMEOUTS,
    /** Queries that could not be sent, or whose server has no such port. */
    UNREACHABLE,
    /** Answers SERVFAIL, REFUSED and other errors. */
    SERVER_ERRORS,
    /** Answers that are no DNS messages. */
    MALFORMED,
    /** Datagrams with another identifier or question: late, or forged. */
    MISMATCHED,
    /** Answers that were truncated. */
    TRUNCATED,
    /** Answers whose aliases lead in a circle, or over more than 8 names. */
    ALIAS_LOOPS,
    /** Records beyond the limit of an answer, which were left out. */
    RECORDS_DROPPED,
    /** Questions answered from memory. */
    CACHE_HITS,
    /** Answers forgotten to make room. */
    CACHE_EVICTIONS,
    /** Outdated answers that served because no server answered. */
    STALE,
    /** Questions that joined one that was open. */
    COALESCED,
    /** Questions refused because too many were open. */
    REFUSED,
    /** Searches with hosts or targets that cannot be names of the DNS. */
    BAD_NAMES,
    /** Searches that ended before all of their questions were asked, as there were more than 96. */
    SEARCHES_CUT,
    /** ENUM rules that were left out: no terminal rule for SIP, or a substitution that is not understood or too costly. */
    ENUM_RULES_IGNORED
}
