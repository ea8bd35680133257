package io.offhook.flow;

/**
 * Decides which bytes count if two fragments of a datagram, or two segments of a TCP stream, overlap with different
 * content. Receivers differ, which lets an attacker show one thing to an observer and another to the host behind it
 * (Ptacek and Newsham, 1998). An observer therefore has to choose the policy of its hosts.
 *
 * <p>For IP fragments: Shankar and Paxson, "Active Mapping" (2003), and Novak, "Target-Based Fragmentation Reassembly"
 * (2005). For TCP: Novak and Sturges, "Target-Based TCP Stream Reassembly" (2007). "Begins" and "ends" refer to the
 * remaining part of a fragment or segment: one that lost its front to another begins later.
 *
 * <p>Not supported: "BSD-right" of the first paper (of IP fragments the later one counts, unless it begins before the
 * other), which one print server implements; and the TCP of Linux before 2.4, IRIX and HP-UX, as far as they differ
 * from the policies below.
 */
public enum OverlapPolicy {
    /** The bytes that arrived first are kept. */
    FIRST,
    /** The bytes that arrived last count. */
    LAST,
    /**
     * The bytes that arrived first are kept, unless the later piece begins before the earlier one. FreeBSD, NetBSD,
     * OpenBSD, AIX, macOS.
     */
    BSD,
    /**
     * IP: the bytes that arrived first are kept, unless the later fragment begins before or at the start of the earlier
     * one. TCP: unless the later segment begins before the earlier one, or begins where it begins and ends behind it.
     * Linux 2.4 and later; since 4.19 it discards IPv4 datagrams with overlaps, as RFC 5722 requires for IPv6.
     */
    LINUX,
    /**
     * IP: the bytes that arrived first are kept, unless the later fragment begins before the earlier one and ends
     * behind it. TCP: as {@link #BSD}. Windows 2000, XP and 2003; the TCP of Vista and later is {@link #FIRST}.
     */
    WINDOWS,
    /**
     * IP: the bytes that arrived first are kept, unless the later fragment begins before the earlier one and does not
     * end before it. TCP: the bytes that arrived last count, unless the later segment ends before the earlier one, or
     * begins behind its start and ends where it ends. Solaris; for TCP also HP-UX 11.
     */
    SOLARIS;

    /**
     * Whether the bytes of a later IP fragment count where it overlaps an earlier one. Ranges are offsets in the
     * payload of the datagram; ends are exclusive.
     */
    public boolean laterFragmentCounts(long start, long end, long earlierStart, long earlierEnd) {
        return switch (this) {
            case FIRST -> false;
            case LAST -> true;
            case BSD -> start < earlierStart;
            case LINUX -> start <= earlierStart;
            case WINDOWS -> start < earlierStart && end > earlierEnd;
            case SOLARIS -> start < earlierStart && end >= earlierEnd;
        };
    }

    /**
     * Whether the bytes of a later TCP segment count where it overlaps an earlier one that is still held. Ranges are
     * stream positions; ends are exclusive.
     */
    public boolean laterSegmentCounts(long start, long end, long earlierStart, long earlierEnd) {
        return switch (this) {
            case FIRST -> false;
            case LAST -> true;
            case BSD, WINDOWS -> start < earlierStart;
            case LINUX -> start < earlierStart || start == earlierStart && end > earlierEnd;
            case SOLARIS -> start <= earlierStart ? end >= earlierEnd : end > earlierEnd;
        };
    }
}
