package io.offhook.flow;

/** What a {@link FragmentTable} counts. {@link #label()} is what JSON and text output call it. */
public enum FragmentCounter {
    /** Packets given to the table. */
    FRAGMENTS("fragments"),
    /** Datagrams that became complete, and packets that were whole already. */
    COMPLETED("fragmentDatagramsCompleted"),
    /** Of the completed ones, those that lack bytes as a fragment was captured short. */
    COMPLETED_SHORT("fragmentDatagramsCompletedShort"),
    /** Fragments of which every byte was there: sent, or captured, twice. */
    DUPLICATES("fragmentDuplicates"),
    /** Fragments of which a part was there, or of which all was there with other bytes. */
    OVERLAPS("fragmentOverlaps"),
    /**
     * Fragments, not the last of their datagram, that are smaller than any link asks for: IPv4 packets below 68 bytes (RFC
     * 791, 3.2; RFC 1858), IPv6 packets below 640, half of the smallest MTU (RFC 8200, 5). They are put together like others.
     */
    TINY("fragmentsTiny"),
    /** Fragments whose header cannot be, and those that lie beyond 65,535 bytes. */
    MALFORMED("fragmentsMalformed"),
    /** Fragments captured so short that their header is not there. */
    TRUNCATED("fragmentsTruncated"),
    /** Datagrams given up for overlapping fragments (IPv6), lengths that contradict each other, or a size above 65,535. */
    DISCARDED("fragmentDatagramsDiscarded"),
    /** Fragments that came for a discarded IPv6 datagram. */
    AFTER_DISCARD("fragmentsAfterDiscard"),
    /** Datagrams whose missing fragments did not come in time. */
    TIMED_OUT("fragmentDatagramsTimedOut"),
    /** Datagrams given up for the limits on datagrams, fragments or memory. */
    EVICTED("fragmentDatagramsEvicted"),
    /** Datagrams still incomplete when the capture ended. */
    UNFINISHED("fragmentDatagramsUnfinished");

    private final String label;

    FragmentCounter(String label) {
        this.label = label;
    }

    /** What JSON and text output call it. */
    public String label() {
        return label;
    }
}
