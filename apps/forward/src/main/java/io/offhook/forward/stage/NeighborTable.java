package io.offhook.forward.stage;

import io.offhook.forward.EthernetFrames;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * MAC addresses of neighbours, learned by ARP (RFC 826) and neighbour discovery (RFC 4861), shared by the lanes of a
 * router. Bounded; an entry not confirmed for its lifetime is forgotten. Lookups take no lock; changes do, so their
 * rate is limited.
 *
 * <p>Neighbours that the router did not ask for have a separate rate and at most half of the room, so that forged
 * requests cannot displace the answers that the router waits for.
 */
public final class NeighborTable {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long CHANGES_PER_SECOND = 1000;
    /** The questions that are remembered; of two with the same hash, the later one. */
    private static final int QUESTIONS = 1024;

    /**
     * A hash table with open addressing, at most half full. A slot is in use if its MAC address, which is written last,
     * is not 0.
     */
    private static final class Entries {
        final int mask;
        final long[] highs;
        final long[] lows;
        final int[] ports;
        final long[] linkAddresses;
        final long[] seenNs;
        final long[] askedNs;
        int used;
        /** No entry was seen earlier. */
        long oldestNs;

        /** @param size a power of two */
        Entries(int size, long oldestNs) {
            this.oldestNs = oldestNs;
            mask = size - 1;
            highs = new long[size];
            lows = new long[size];
            ports = new int[size];
            linkAddresses = new long[size];
            seenNs = new long[size];
            askedNs = new long[size];
        }

        int find(int port, long high, long low) {
            int at = (int) (mix(port, high, low) >>> 33) & mask;
            while ((long) WORD.getAcquire(linkAddresses, at) != 0) {
                if (highs[at] == high && lows[at] == low && ports[at] == port) {
                    return at;
                }
                at = at + 1 & mask;
            }
            return -at - 1;
        }

        void put(int port, long high, long low, long linkAddress, long nowNs) {
            int found = find(port, high, low);
            int at = found < 0 ? -found - 1 : found;
            if (found < 0) {
                ports[at] = port;
                highs[at] = high;
                lows[at] = low;
                used++;
            }
            WORD.setOpaque(seenNs, at, nowNs);
            WORD.setOpaque(askedNs, at, nowNs);
            WORD.setRelease(linkAddresses, at, linkAddress);
        }
    }

    private final int capacity;
    private final long lifetimeNs;
    private final TokenBuckets answers;
    private final TokenBuckets others;
    private final long[] questions = new long[QUESTIONS];
    private volatile Entries entries;
    private long refused;

    /**
     * Creates an empty table.
     *
     * @param capacity the most neighbours, 16 to 65,536
     * @param lifetimeNs how long an entry is valid without confirmation
     * @param nowNs the time, by the same clock as in all other calls
     */
    public NeighborTable(int capacity, long lifetimeNs, long nowNs) {
        this.capacity = capacity;
        this.lifetimeNs = lifetimeNs;
        entries = new Entries(64, nowNs);
        answers = new TokenBuckets(1, CHANGES_PER_SECOND, 1_000_000_000L, nowNs);
        others = new TokenBuckets(1, CHANGES_PER_SECOND, 1_000_000_000L, nowNs);
    }

    private static long mix(int port, long high, long low) {
        return (high * 0xff51afd7ed558ccdL ^ low + port) * 0xc4ceb9fe1a85ec53L;
    }

    private static int question(long mixed) {
        return (int) (mixed >>> 40) & QUESTIONS - 1;
    }

    /** Remembers that the router asked for a neighbour. */
    void expect(int port, long high, long low) {
        long mixed = mix(port, high, low);
        WORD.setOpaque(questions, question(mixed), mixed);
    }

    private boolean isExpected(int port, long high, long low) {
        long mixed = mix(port, high, low);
        return (long) WORD.getOpaque(questions, question(mixed)) == mixed;
    }

    /** The MAC address of a neighbour, or 0 if unknown. */
    long find(int port, long high, long low, long nowNs) {
        Entries now = entries;
        int at = now.find(port, high, low);
        return at < 0 || nowNs - (long) WORD.getOpaque(now.seenNs, at) > lifetimeNs ? 0 : now.linkAddresses[at];
    }

    /**
     * Whether to confirm a neighbour in use: three quarters of its lifetime are over, and it was not asked in the last
     * second.
     */
    boolean isToBeAsked(int port, long high, long low, long nowNs) {
        Entries now = entries;
        int at = now.find(port, high, low);
        if (at < 0 || nowNs - (long) WORD.getOpaque(now.seenNs, at) < lifetimeNs / 4 * 3) {
            return false;
        }
        long asked = (long) WORD.getOpaque(now.askedNs, at);
        return nowNs - asked > 1_000_000_000L && WORD.compareAndSet(now.askedNs, at, asked, nowNs);
    }

    /** Adds or confirms a neighbour. */
    void learn(int port, long high, long low, long linkAddress, long nowNs) {
        if (linkAddress == 0 || EthernetFrames.isMulticast(linkAddress)) {
            return;
        }
        Entries now = entries;
        int at = now.find(port, high, low);
        if (at >= 0 && now.linkAddresses[at] == linkAddress) {
            WORD.setOpaque(now.seenNs, at, nowNs);
        } else {
            change(port, high, low, linkAddress, nowNs);
        }
    }

    private synchronized void change(int port, long high, long low, long linkAddress, long nowNs) {
        boolean isExpected = isExpected(port, high, low);
        if (!(isExpected ? answers : others).take(1, 1, nowNs)) {
            refused++;
            return;
        }
        int most = isExpected ? capacity : capacity / 2;
        Entries into = entries;
        boolean isFull = into.used >= most || 2 * into.used > into.mask;
        if (isFull && into.find(port, high, low) < 0) {
            into = renewed(into, nowNs);
            if (into.used >= most) {
                refused++;
                return;
            }
        }
        into.put(port, high, low, linkAddress, nowNs);
    }

    /** A table without expired entries and with room for more; the same table if neither is needed. */
    private Entries renewed(Entries before, long nowNs) {
        boolean isTight = 2 * before.used > before.mask;
        if (!isTight && nowNs - before.oldestNs <= lifetimeNs) {
            return before;
        }
        int kept = 0;
        long oldestAgeNs = 0;
        for (int i = 0; i <= before.mask; i++) {
            if (isKept(before, i, nowNs)) {
                kept++;
                oldestAgeNs = Math.max(oldestAgeNs, nowNs - before.seenNs[i]);
            }
        }
        if (!isTight && kept == before.used) {
            before.oldestNs = nowNs - oldestAgeNs;
            return before;
        }
        Entries after = new Entries(Math.max(64, Integer.highestOneBit(kept + 1) << 2), nowNs - oldestAgeNs);
        for (int i = 0; i <= before.mask; i++) {
            if (isKept(before, i, nowNs)) {
                after.put(before.ports[i], before.highs[i], before.lows[i], before.linkAddresses[i], before.seenNs[i]);
            }
        }
        entries = after;
        return after;
    }

    private boolean isKept(Entries of, int i, long nowNs) {
        return of.linkAddresses[i] != 0 && nowNs - of.seenNs[i] <= lifetimeNs;
    }

    /** The number of neighbours, including expired ones that were not replaced yet. */
    public synchronized int count() {
        return entries.used;
    }

    /** How many neighbours were refused for want of room, or because too many arrived per second. */
    public synchronized long refused() {
        return refused;
    }
}
