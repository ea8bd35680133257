package io.offhook.sip.transaction;

import org.jspecify.annotations.Nullable;

/**
 * Server transactions by their 128-bit key: open addressing with linear probing, at most three quarters full; deletion
 * moves what follows, so that no marks remain. Grows and shrinks by powers of two.
 */
final class KeyTable {
    private static final int SMALLEST = 1024;

    private @Nullable ServerTransaction[] slots = new ServerTransaction[SMALLEST];
    private int count;

    int count() {
        return count;
    }

    /** The number of transactions without a final response; looks at all. */
    int pending() {
        int pending = 0;
        for (ServerTransaction transaction : slots) {
            pending += transaction != null && transaction.isPending() ? 1 : 0;
        }
        return pending;
    }

    @Nullable
    ServerTransaction find(long high, long low) {
        int mask = slots.length - 1;
        for (int at = (int) low & mask; ; at = at + 1 & mask) {
            ServerTransaction transaction = slots[at];
            if (transaction == null || transaction.keyLow == low && transaction.keyHigh == high) {
                return transaction;
            }
        }
    }

    void add(ServerTransaction transaction) {
        if (count + 1 > slots.length / 4 * 3) {
            resize(slots.length * 2);
        }
        place(transaction);
        count++;
    }

    void remove(ServerTransaction transaction) {
        int mask = slots.length - 1;
        int at = (int) transaction.keyLow & mask;
        while (slots[at] != transaction) {
            if (slots[at] == null) {
                return;
            }
            at = at + 1 & mask;
        }
        count--;
        int hole = at;
        for (int i = at + 1 & mask; ; i = i + 1 & mask) {
            ServerTransaction other = slots[i];
            if (other == null) {
                break;
            }
            int home = (int) other.keyLow & mask;
            // it may move into the hole if its home is not between the hole and its place
            if ((i - home & mask) >= (i - hole & mask)) {
                slots[hole] = other;
                hole = i;
            }
        }
        slots[hole] = null;
    }

    /** Becomes smaller if it is nearly empty. */
    void trim() {
        if (slots.length > SMALLEST && count < slots.length / 8) {
            resize(slots.length / 2);
        }
    }

    private void resize(int size) {
        ServerTransaction[] old = slots;
        slots = new ServerTransaction[size];
        for (ServerTransaction transaction : old) {
            if (transaction != null) {
                place(transaction);
            }
        }
    }

    private void place(ServerTransaction transaction) {
        int mask = slots.length - 1;
        int at = (int) transaction.keyLow & mask;
        while (slots[at] != null) {
            at = at + 1 & mask;
        }
        slots[at] = transaction;
    }
}
