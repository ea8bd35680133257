package io.offhook.flow.fragment;

/** The counters of a {@link FragmentTable}. {@link #label()} is the name in JSON and text output. */
public enum FragmentCounter {
    /** Fragments passed to the table. */
    FRAGMENTS("fragments"),
    /** Datagrams completed, including packets that were whole already. */
    COMPLETED("fragmentDatagramsCompleted"),
    /** Completed datagrams that lack bytes because a fragment was snapped. */
    COMPLETED_SHORT("fragmentDatagramsCompletedShort"),
    /** Fragments whose bytes had all arrived before: sent or captured twice. */
    DUPLICATES("fragmentDuplicates"),
    /** Fragments that overlap earlier ones in part, or entirely but with different bytes. */
    OVERLAPS("fragmentOverlaps"),
    /**
     * Fragments, other than the last of their datagram, that are smaller than any link requires: IPv4 packets below 68
     * bytes (RFC 791, 3.2; RFC 1858), IPv6 packets below 640 bytes, half of the smallest MTU (RFC 8200, 5). They are
     * reassembled like others.
     */
    TINY("fragmentsTiny"),
    /** Fragments with an impossible header, and fragments that extend beyond 65,535 bytes. */
    MALFORMED("fragmentsMalformed"),
    /** Fragments captured without their whole header. */
    TRUNCATED("fragmentsTruncated"),
    /**
     * Datagrams discarded because of overlapping fragments (IPv6), contradictory lengths, or a size above 65,535 bytes.
     */
    DISCARDED("fragmentDatagramsDiscarded"),
    /** Fragments that arrived for a discarded IPv6 datagram. */
    AFTER_DISCARD("fragmentsAfterDiscard"),
    /** Datagrams whose missing fragments did not arrive before the timeout. */
    TIMED_OUT("fragmentDatagramsTimedOut"),
    /** Datagrams evicted at the limits on datagrams, fragments or memory. */
    EVICTED("fragmentDatagramsEvicted"),
    /** Datagrams that were incomplete when the capture ended. */
    UNFINISHED("fragmentDatagramsUnfinished");

    private final String label;

    FragmentCounter(String label) {
        this.label = label;
    }

    /** The name of the counter in JSON and text output. */
    public String label() {
        return label;
    }
}
