package io.offhook.transport;

import org.jspecify.annotations.Nullable;

/** Received bytes that cannot be used before more arrive: contiguous, in an array borrowed while there are any. */
final class HeldOctets {
    private static final byte[] NONE = {};

    private final OctetPool pool;
    private byte @Nullable [] octets;
    private int length;

    HeldOctets(OctetPool pool) {
        this.pool = pool;
    }

    int length() {
        return length;
    }

    byte[] octets() {
        byte[] held = octets;
        return held == null ? NONE : held;
    }

    void append(byte[] from, int offset, int count) {
        if (count == 0) {
            return;
        }
        byte[] held = octets;
        if (held == null) {
            held = pool.borrow(count);
        } else if (held.length - length < count) {
            byte[] larger = pool.borrow(length + count);
            System.arraycopy(held, 0, larger, 0, length);
            pool.giveBack(held);
            held = larger;
        }
        octets = held;
        System.arraycopy(from, offset, held, length, count);
        length += count;
    }

    /** Removes bytes from the front; at most {@link #length()}. */
    void discard(int count) {
        byte[] held = octets;
        if (held == null || count == 0) {
            return;
        }
        length -= count;
        if (length == 0) {
            pool.giveBack(held);
            octets = null;
        } else {
            System.arraycopy(held, count, held, 0, length);
        }
    }
}
