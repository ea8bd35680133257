package io.offhook.monitor.xray;

/**
 * What waited in a socket, or in several that share a port, and what came in there. A message is read once less waits than
 * came in behind it. Of UDP the kernel counts memory, not octets: a datagram counts as much as the least that was ever seen waiting.
 */
final class QueueTrack {
    /** How long a datagram may be on its way from the interface into the socket. */
    private static final long DELIVERY_NS = 500_000L;

    final Spans<Long> waiting = new Spans<>();
    private final Spans<Long> arrivals = new Spans<>();
    private long least = Long.MAX_VALUE;

    /** Adds a sample. */
    void add(long beforeNs, long atNs, long bytes) {
        waiting.add(beforeNs, atNs, bytes);
        if (bytes > 0) {
            least = Math.min(least, bytes);
        }
    }

    /**
     * A message came in.
     *
     * @param bytes in a stream its octets; 0 for a datagram
     */
    void arrived(long atNs, long bytes) {
        arrivals.add(atNs - 1, atNs, bytes);
    }

    /** Until when a message that came in at a moment was seen to wait: this moment if it was not. */
    long unreadUntil(long cameNs, long toNs) {
        long[] until = {cameNs};
        boolean[] isRead = new boolean[1];
        waiting.overlapping(cameNs + DELIVERY_NS, toNs, (_, seenNs, bytes) -> {
            isRead[0] |= bytes == 0 || bytes <= behind(cameNs, seenNs - DELIVERY_NS);
            until[0] = isRead[0] ? until[0] : Math.min(seenNs, toNs);
        });
        return until[0];
    }

    /** The bytes that came in after a moment and until another. */
    private long behind(long afterNs, long untilNs) {
        long[] sum = new long[1];
        arrivals.overlapping(afterNs + 1, untilNs + 1, (_, atNs, bytes) -> {
            if (atNs > afterNs && atNs <= untilNs) {
                sum[0] += bytes == 0 ? least : bytes;
            }
        });
        return sum[0];
    }

    void forget(long beforeNs) {
        waiting.forget(beforeNs);
        arrivals.forget(beforeNs);
    }
}
