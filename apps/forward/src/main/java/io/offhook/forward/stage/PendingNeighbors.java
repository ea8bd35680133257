package io.offhook.forward.stage;

/**
 * Next hops whose MAC address a lane has requested, and the packets that wait for it; both are bounded. A request is
 * sent three times, a second apart (RFC 4861, 10: MAX_MULTICAST_SOLICIT, RETRANS_TIMER). If all entries are in use, as
 * during an address scan, the hop that has been awaited longest is evicted, since an existing one answers at once (RFC
 * 6583, 6.2).
 */
final class PendingNeighbors {
    static final int HOPS = 64;
    static final int PACKETS = 16;

    private static final int TRIES = 3;
    private static final long RETRY_NS = 1_000_000_000L;
    /** The least time that a hop is awaited before it may be evicted. */
    private static final long PATIENCE_NS = 100_000_000L;

    private final boolean[] areUsed = new boolean[HOPS];
    private final boolean[] areIpv4 = new boolean[HOPS];
    private final int[] ports = new int[HOPS];
    private final long[] highs = new long[HOPS];
    private final long[] lows = new long[HOPS];
    private final long[] startedNs = new long[HOPS];
    private final long[] askedNs = new long[HOPS];
    private final int[] tries = new int[HOPS];
    private final int[] counts = new int[HOPS];
    private final int[][] frames = new int[HOPS][PACKETS];
    private final int[][] lengths = new int[HOPS][PACKETS];
    private final int[][] origins = new int[HOPS][PACKETS];
    private int used;

    int used() {
        return used;
    }

    boolean isUsed(int hop) {
        return areUsed[hop];
    }

    boolean isIpv4(int hop) {
        return areIpv4[hop];
    }

    int port(int hop) {
        return ports[hop];
    }

    long high(int hop) {
        return highs[hop];
    }

    long low(int hop) {
        return lows[hop];
    }

    int count(int hop) {
        return counts[hop];
    }

    int frame(int hop, int i) {
        return frames[hop][i];
    }

    int length(int hop, int i) {
        return lengths[hop][i];
    }

    /** The port that received a packet. */
    int origin(int hop, int i) {
        return origins[hop][i];
    }

    /** The existing entry of a hop, or a new one; -1 if all are in use. */
    int entry(int port, boolean isIpv4, long high, long low, long nowNs) {
        int free = -1;
        for (int i = 0; i < HOPS; i++) {
            if (!areUsed[i]) {
                free = i;
            } else if (ports[i] == port && highs[i] == high && lows[i] == low && areIpv4[i] == isIpv4) {
                return i;
            }
        }
        if (free >= 0) {
            areUsed[free] = true;
            areIpv4[free] = isIpv4;
            ports[free] = port;
            highs[free] = high;
            lows[free] = low;
            startedNs[free] = nowNs;
            tries[free] = 0;
            counts[free] = 0;
            used++;
        }
        return free;
    }

    /** The hop that has been awaited longest, if long enough to be evicted; -1 if there is none. */
    int longestWaiting(long nowNs) {
        int longest = -1;
        long least = PATIENCE_NS;
        for (int i = 0; i < HOPS; i++) {
            if (areUsed[i] && nowNs - startedNs[i] >= least) {
                least = nowNs - startedNs[i];
                longest = i;
            }
        }
        return longest;
    }

    boolean isFull(int hop) {
        return counts[hop] == PACKETS;
    }

    /** @param origin the port that received it */
    void add(int hop, int frame, int length, int origin) {
        frames[hop][counts[hop]] = frame;
        origins[hop][counts[hop]] = origin;
        lengths[hop][counts[hop]++] = length;
    }

    /** Whether a request is due, the first or a repetition; if so, it counts as sent. */
    boolean isToBeAsked(int hop, long nowNs) {
        if (tries[hop] > 0 && nowNs - askedNs[hop] < RETRY_NS || tries[hop] == TRIES) {
            return false;
        }
        tries[hop]++;
        askedNs[hop] = nowNs;
        return true;
    }

    /** Whether all requests were sent without an answer. */
    boolean hasFailed(int hop, long nowNs) {
        return tries[hop] == TRIES && nowNs - askedNs[hop] >= RETRY_NS;
    }

    /** Removes the first packets, which were forwarded. */
    void shift(int hop, int gone) {
        int left = counts[hop] - gone;
        System.arraycopy(frames[hop], gone, frames[hop], 0, left);
        System.arraycopy(lengths[hop], gone, lengths[hop], 0, left);
        System.arraycopy(origins[hop], gone, origins[hop], 0, left);
        counts[hop] = left;
    }

    void release(int hop) {
        areUsed[hop] = false;
        used--;
    }
}
