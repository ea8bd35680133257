package io.offhook.sip.transaction;

import io.offhook.sip.SipHop;
import org.jspecify.annotations.Nullable;

/**
 * The client transactions that wait for a first response, by where their requests went: an error of the transport costs what
 * it concerns, however many others there are, and however many errors come.
 *
 * <p>Transactions with one destination, which is transport, address and port, are linked through themselves in a ring, oldest
 * first. The oldest stands in the table: open addressing with linear probing, at most half full; deletion moves what follows,
 * so that no marks remain. Grows and shrinks by powers of two; a destination's place depends on a secret, so that nobody can
 * have his destinations meet in one.
 */
final class HopTable {
    private static final int SMALLEST = 256;

    private final long secret;
    private @Nullable ClientTransaction[] slots = new ClientTransaction[SMALLEST];
    private int count;

    HopTable(long secret) {
        this.secret = secret;
    }

    /** The number of destinations. */
    int count() {
        return count;
    }

    /** The oldest transaction of a destination; null if there is none. */
    @Nullable
    ClientTransaction oldest(SipHop to) {
        return slots[place(to)];
    }

    /** Adds a transaction, which is in no table. */
    void add(ClientTransaction transaction) {
        int at = place(transaction.hop());
        ClientTransaction oldest = slots[at];
        if (oldest == null) {
            transaction.newer = transaction;
            transaction.older = transaction;
            slots[at] = transaction;
            count++;
            if (count > slots.length / 2) {
                resize(2 * slots.length);
            }
            return;
        }
        ClientTransaction newest = oldest.older;
        transaction.older = newest;
        transaction.newer = oldest;
        oldest.older = transaction;
        if (newest != null) {
            newest.newer = transaction;
        }
    }

    /** Removes a transaction, if it is there. */
    void remove(ClientTransaction transaction) {
        ClientTransaction newer = transaction.newer;
        ClientTransaction older = transaction.older;
        if (newer == null || older == null) {
            return;
        }
        transaction.newer = null;
        transaction.older = null;
        boolean isLast = newer == transaction;
        if (!isLast) {
            newer.older = older;
            older.newer = newer;
        }
        int at = place(transaction.hop());
        if (slots[at] == transaction) {
            slots[at] = isLast ? null : newer;
        }
        if (isLast) {
            count--;
            closeGap(at);
        }
    }

    private void closeGap(int gap) {
        int mask = slots.length - 1;
        int hole = gap;
        for (int i = gap + 1 & mask; ; i = i + 1 & mask) {
            ClientTransaction other = slots[i];
            if (other == null) {
                return;
            }
            // it may move into the hole if its home is not between the hole and its place
            if ((i - home(other.hop()) & mask) >= (i - hole & mask)) {
                slots[hole] = other;
                slots[i] = null;
                hole = i;
            }
        }
    }

    /** Becomes smaller if it is nearly empty. */
    void trim() {
        if (slots.length > SMALLEST && count < slots.length / 8) {
            resize(slots.length / 2);
        }
    }

    private void resize(int size) {
        ClientTransaction[] old = slots;
        slots = new ClientTransaction[size];
        for (ClientTransaction oldest : old) {
            if (oldest != null) {
                slots[place(oldest.hop())] = oldest;
            }
        }
    }

    /** Where the oldest transaction of a destination is, or is to be. */
    private int place(SipHop to) {
        int mask = slots.length - 1;
        for (int at = home(to); ; at = at + 1 & mask) {
            ClientTransaction oldest = slots[at];
            if (oldest == null || oldest.hop().isSameRemote(to)) {
                return at;
            }
        }
    }

    @SuppressWarnings("EnumOrdinal") // of this process only
    private int home(SipHop to) {
        long mixed = mixed(to.high() ^ secret) + to.low();
        mixed = mixed(mixed ^ (long) to.port() << 8 ^ to.transport().ordinal());
        return (int) (mixed >>> 32) & slots.length - 1;
    }

    /** The finalizer of SplitMix64 (Steele, Lea and Flood, 2014): a bijection in which each bit depends on each. */
    private static long mixed(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ mixed >>> 31;
    }
}
