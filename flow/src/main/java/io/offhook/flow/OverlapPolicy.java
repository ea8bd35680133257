package io.offhook.flow;

/**
 * Which bytes count where two fragments of a datagram, or two segments of a TCP stream, have the same positions and other
 * bytes. Receivers differ, which is how an attacker shows one thing to an observer and another to the host behind it
 * (Ptacek and Newsham, 1998); so an observer has to choose what its hosts do.
 *
 * <p>For IP fragments: Shankar and Paxson, "Active Mapping" (2003), and Novak, "Target-Based Fragmentation Reassembly"
 * (2005). For TCP: Novak and Sturges, "Target-Based TCP Stream Reassembly" (2007). "Begins" and "ends" are those of a
 * fragment or segment as far as it is still there: what lost its front to another begins later.
 *
 * <p>Left out: "BSD-right" of the first paper (of IP fragments the later one counts, unless it begins before the other),
 * which one print server has; and the TCP of Linux before 2.4, IRIX and HP-UX, as far as they differ from those below.
 */
public enum OverlapPolicy {
    /** What came first stays. */
    FIRST,
    /** What came last counts. */
    LAST,
    /**
     * What came first stays, unless the later one begins before it. FreeBSD, NetBSD, OpenBSD, AIX, macOS.
     */
    BSD,
    /**
     * IP: what came first stays, unless the later one begins before it or where it begins. TCP: unless the later one begins
     * before it, or where it begins and ends behind it. Linux 2.4 and later; since 4.19 it discards IPv4 datagrams with an
     * overlap, as RFC 5722 has it for IPv6.
     */
    LINUX,
    /**
     * IP: what came first stays, unless the later one begins before it and ends behind it. TCP: as {@link #BSD}. Windows
     * 2000, XP and 2003; the TCP of Vista and later is {@link #FIRST}.
     */
    WINDOWS,
    /**
     * IP: what came first stays, unless the later one begins before it and does not end before it. TCP: what came last
     * counts, unless it ends before the other, or begins behind it and ends where it ends. Solaris; of TCP also HP-UX 11.
     */
    SOLARIS;

    /** Whether the bytes of a later IP fragment count, where it overlaps with an earlier one. */
    boolean laterFragmentCounts(long start, long end, long earlierStart, long earlierEnd) {
        return switch (this) {
            case FIRST -> false;
            case LAST -> true;
            case BSD -> start < earlierStart;
            case LINUX -> start <= earlierStart;
            case WINDOWS -> start < earlierStart && end > earlierEnd;
            case SOLARIS -> start < earlierStart && end >= earlierEnd;
        };
    }

    /** Whether the bytes of a later TCP segment count, where it overlaps with an earlier one that waits for its turn. */
    boolean laterSegmentCounts(long start, long end, long earlierStart, long earlierEnd) {
        return switch (this) {
            case FIRST -> false;
            case LAST -> true;
            case BSD, WINDOWS -> start < earlierStart;
            case LINUX -> start < earlierStart || start == earlierStart && end > earlierEnd;
            case SOLARIS -> start <= earlierStart ? end >= earlierEnd : end > earlierEnd;
        };
    }
}
