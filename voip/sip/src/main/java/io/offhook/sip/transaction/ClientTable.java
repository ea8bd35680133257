package io.offhook.sip.transaction;

import io.offhook.sip.SipHop;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The client transactions of a layer: by the slot that their branch names, and those that wait by where they went. */
final class ClientTable {
    private static final int FIRST_SLOTS = 1024;

    private final TransactionLayer layer;
    private final HopTable waiting;
    private @Nullable ClientTransaction[] slots = new ClientTransaction[FIRST_SLOTS];
    private int used;
    private int count;
    private long started;
    private @Nullable ClientTransaction free;

    ClientTable(TransactionLayer layer, long secret) {
        this.layer = layer;
        waiting = new HopTable(secret);
    }

    /** The number of transactions that are not over. */
    int count() {
        return count;
    }

    /** Those that were sent and have no response, by where they went. */
    HopTable waiting() {
        return waiting;
    }

    /** The transaction of a slot, which may be over; null if there was never one. */
    @Nullable
    ClientTransaction at(int slot) {
        return slot < used ? slots[slot] : null;
    }

    /** How many transactions were begun: the number of the next one. */
    long started() {
        return started;
    }

    /** Takes a transaction for another request. */
    ClientTransaction take() {
        ClientTransaction client = free;
        if (client == null) {
            if (used == slots.length) {
                slots = Arrays.copyOf(slots, 2 * slots.length);
            }
            client = new ClientTransaction(layer, used);
            slots[used++] = client;
        } else {
            free = client.nextFree;
            client.nextFree = null;
        }
        count++;
        client.number = started++;
        return client;
    }

    /** Takes one back that is over. */
    void release(ClientTransaction client) {
        count--;
        client.nextFree = free;
        free = client;
    }

    /** Transactions that wait for a response from there fail; those that are begun meanwhile do not. */
    void fail(SipHop to, TransactionCounters counters, long nowNs) {
        long end = started;
        ClientTransaction oldest = waiting.oldest(to);
        while (oldest != null && oldest.number < end) {
            waiting.remove(oldest);
            counters.countTransportFailure();
            oldest.fail(nowNs);
            oldest = waiting.oldest(to);
        }
    }

    /** Gives memory that is not needed back to the heap. */
    void trim() {
        waiting.trim();
        if (count == 0 && used > 0) {
            slots = new ClientTransaction[FIRST_SLOTS];
            used = 0;
            free = null;
        }
    }
}
