package io.offhook.forward;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * MAC addresses of neighbours, as ARP (RFC 826) and neighbour discovery (RFC 4861) told them, of all lanes of a router.
 * Bounded; what was not confirmed for its lifetime is forgotten. Reading takes no lock: a change makes the table anew, which
 * is why so many of them a second are taken and no more.
 *
 * <p>Neighbours that nobody asked for, who asked the router first, have half of the room and a rate of their own: whoever
 * invents such cannot keep the answers out that the router waits for.
 */
public final class NeighborTable {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long CHANGES_PER_SECOND = 1000;
    /** Questions that are remembered; of two at the same place the later one. */
    private static final int QUESTIONS = 1024;

    /** Open addressing; a key is in use where its MAC address is not 0. */
    private static final class Entries {
        final int mask;
        final long[] highs;
        final long[] lows;
        final int[] ports;
        final long[] linkAddresses;
        final long[] seenNs;
        final long[] askedNs;

        /** @param size a power of two */
        Entries(int size) {
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
            while (linkAddresses[at] != 0) {
                if (highs[at] == high && lows[at] == low && ports[at] == port) {
                    return at;
                }
                at = at + 1 & mask;
            }
            return -at - 1;
        }
    }

    private final int capacity;
    private final long lifetimeNs;
    private final TokenBuckets answers;
    private final TokenBuckets others;
    private final long[] questions = new long[QUESTIONS];
    private volatile Entries entries = new Entries(64);
    private long refused;

    /**
     * An empty table.
     *
     * @param capacity neighbours, 16 to 65,536
     * @param lifetimeNs how long one is believed without being confirmed
     * @param nowNs the time, of the clock that the others are told
     */
    public NeighborTable(int capacity, long lifetimeNs, long nowNs) {
        this.capacity = capacity;
        this.lifetimeNs = lifetimeNs;
        answers = new TokenBuckets(1, CHANGES_PER_SECOND, 1_000_000_000L, nowNs);
        others = new TokenBuckets(1, CHANGES_PER_SECOND, 1_000_000_000L, nowNs);
    }

    private static long mix(int port, long high, long low) {
        return (high * 0xff51afd7ed558ccdL ^ low + port) * 0xc4ceb9fe1a85ec53L;
    }

    private static int question(long mixed) {
        return (int) (mixed >>> 40) & QUESTIONS - 1;
    }

    /** Notes that the router has asked for a neighbour. */
    void expect(int port, long high, long low) {
        long mixed = mix(port, high, low);
        WORD.setOpaque(questions, question(mixed), mixed);
    }

    private boolean isExpected(int port, long high, long low) {
        long mixed = mix(port, high, low);
        return (long) WORD.getOpaque(questions, question(mixed)) == mixed;
    }

    /** The MAC address of a neighbour, or 0 where it is not known. */
    long find(int port, long high, long low, long nowNs) {
        Entries now = entries;
        int at = now.find(port, high, low);
        return at < 0 || nowNs - (long) WORD.getOpaque(now.seenNs, at) > lifetimeNs ? 0 : now.linkAddresses[at];
    }

    /** Whether a neighbour that is in use should be asked again: its time is three quarters over, and nobody asked just now. */
    boolean isToBeAsked(int port, long high, long low, long nowNs) {
        Entries now = entries;
        int at = now.find(port, high, low);
        if (at < 0 || nowNs - (long) WORD.getOpaque(now.seenNs, at) < lifetimeNs / 4 * 3) {
            return false;
        }
        long asked = (long) WORD.getOpaque(now.askedNs, at);
        return nowNs - asked > 1_000_000_000L && WORD.compareAndSet(now.askedNs, at, asked, nowNs);
    }

    /** Notes a neighbour, or that it is there still. */
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
        Entries before = entries;
        int kept = 0;
        for (int i = 0; i <= before.mask; i++) {
            kept += isKept(before, i, nowNs) ? 1 : 0;
        }
        boolean isKnown = before.find(port, high, low) >= 0;
        if (kept >= (isExpected ? capacity : capacity / 2) && !isKnown) {
            refused++;
            return;
        }
        Entries after = new Entries(Math.max(64, Integer.highestOneBit(kept + 1) << 2));
        for (int i = 0; i <= before.mask; i++) {
            if (isKept(before, i, nowNs)) {
                put(after, before.ports[i], before.highs[i], before.lows[i], before.linkAddresses[i], before.seenNs[i]);
            }
        }
        put(after, port, high, low, linkAddress, nowNs);
        entries = after;
    }

    private boolean isKept(Entries of, int i, long nowNs) {
        return of.linkAddresses[i] != 0 && nowNs - of.seenNs[i] <= lifetimeNs;
    }

    private static void put(Entries into, int port, long high, long low, long linkAddress, long seenNs) {
        int found = into.find(port, high, low);
        int at = found < 0 ? -found - 1 : found;
        into.ports[at] = port;
        into.highs[at] = high;
        into.lows[at] = low;
        into.linkAddresses[at] = linkAddress;
        into.seenNs[at] = seenNs;
        into.askedNs[at] = seenNs;
    }

    /** Neighbours in it, and those whose time is over and whose place nobody took. */
    public int count() {
        Entries now = entries;
        int count = 0;
        for (long linkAddress : now.linkAddresses) {
            count += linkAddress == 0 ? 0 : 1;
        }
        return count;
    }

    /** How many were not noted, for want of room or since too many came in a second. */
    public synchronized long refused() {
        return refused;
    }
}
