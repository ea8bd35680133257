package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * Addresses of mbufs in native memory, to receive a burst into and send it from. It owns its mbufs: those that are
 * neither sent nor {@linkplain #free freed} nor taken elsewhere are lost to their pool. One thread at a time.
 */
public final class MbufArray {
    static final int MAX_CAPACITY = 65_535;

    private final MemorySegment addresses;
    private final long address;
    private final int capacity;
    private int count;

    /**
     * Creates an empty array.
     *
     * @param capacity the most mbufs that it holds, 1 to 65,535; bursts are usually 32 or 64
     */
    public MbufArray(int capacity) {
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException("capacity " + capacity + " is outside 1 to " + MAX_CAPACITY);
        }
        addresses = Arena.ofAuto().allocate(JAVA_LONG, capacity);
        address = addresses.address();
        this.capacity = capacity;
    }

    /** Returns the most mbufs that it holds. */
    public int capacity() {
        return capacity;
    }

    /** Returns the number of mbufs in it. */
    public int count() {
        return count;
    }

    /** Returns whether it has no mbufs. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** Returns whether no mbuf can be added. */
    public boolean isFull() {
        return count == capacity;
    }

    /**
     * Returns the address of an mbuf, for {@link MbufView#wrap}.
     *
     * @param i 0 to {@link #count} - 1
     */
    public long get(int i) {
        Objects.checkIndex(i, count);
        try {
            return MbufView.u64(address + ((long) i << 3));
        } finally {
            Reference.reachabilityFence(addresses);
        }
    }

    /** Replaces an mbuf; the old one then belongs to the caller. */
    public void set(int i, long mbuf) {
        Objects.checkIndex(i, count);
        try {
            MbufView.u64(address + ((long) i << 3), mbuf);
        } finally {
            Reference.reachabilityFence(addresses);
        }
    }

    /**
     * Adds an mbuf, which then belongs to the array.
     *
     * @param mbuf its address, not 0
     */
    public void add(long mbuf) {
        addresses.set(JAVA_LONG, (long) count << 3, mbuf);
        count++;
    }

    /**
     * Removes the mbufs from an index on, which then belong to the caller: for use after those to keep were {@linkplain
     * #set moved} to the front.
     *
     * @param count how many stay, 0 to {@link #count()}
     */
    public void truncate(int count) {
        if (count < 0 || count > this.count) {
            throw new IllegalArgumentException("count " + count + " is outside 0 to " + this.count);
        }
        this.count = count;
    }

    /** Removes all mbufs, which then belong to the caller. */
    public void clear() {
        count = 0;
    }

    /** Returns all mbufs to their pools, with all segments of their packets, by one call. */
    public void free() {
        if (count > 0) {
            try {
                RteMbuf.freeBulk(address, count);
            } finally {
                Reference.reachabilityFence(this);
            }
            count = 0;
        }
    }

    /** Returns the address of the first element; the array must be reachable while it is used. */
    long address() {
        return address;
    }

    /** Sets the number of mbufs that a burst has stored. */
    void count(int count) {
        this.count = count;
    }

    /** Removes the first mbufs and moves the rest to the front. */
    void removeFirst(int gone) {
        int left = count - gone;
        if (left > 0 && gone > 0) {
            MemorySegment.copy(addresses, (long) gone << 3, addresses, 0, (long) left << 3);
        }
        count = left;
    }

    @Override
    public String toString() {
        return count + " mbufs of " + capacity;
    }
}
