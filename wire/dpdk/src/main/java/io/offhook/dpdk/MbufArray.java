package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * Addresses of mbufs in native memory: what a burst is received into and sent from. It owns the mbufs in it: what is neither
 * sent nor {@linkplain #free freed} nor taken elsewhere is lost to its pool. One thread at a time.
 */
public final class MbufArray {
    static final int MAX_CAPACITY = 65_535;

    private final MemorySegment addresses;
    private final long address;
    private final int capacity;
    private int count;

    /**
     * An empty one.
     *
     * @param capacity the most mbufs it holds, 1 to 65,535; bursts are 32 or 64 by custom
     */
    public MbufArray(int capacity) {
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException("capacity " + capacity + " is outside 1 to " + MAX_CAPACITY);
        }
        addresses = Arena.ofAuto().allocate(JAVA_LONG, capacity);
        address = addresses.address();
        this.capacity = capacity;
    }

    /** The most mbufs that it holds. */
    public int capacity() {
        return capacity;
    }

    /** The mbufs in it. */
    public int count() {
        return count;
    }

    /** Whether none is in it. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** Whether no other can be added. */
    public boolean isFull() {
        return count == capacity;
    }

    /**
     * The address of an mbuf, for {@link MbufView#wrap}.
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

    /** Puts another in its place; the one before is the caller's. */
    public void set(int i, long mbuf) {
        Objects.checkIndex(i, count);
        try {
            MbufView.u64(address + ((long) i << 3), mbuf);
        } finally {
            Reference.reachabilityFence(addresses);
        }
    }

    /**
     * Adds one, which is the array's then.
     *
     * @param mbuf its address, not 0
     */
    public void add(long mbuf) {
        addresses.set(JAVA_LONG, (long) count << 3, mbuf);
        count++;
    }

    /**
     * Forgets the mbufs from one on, which are the caller's: after those that go on were {@linkplain #set moved} to the
     * front.
     *
     * @param count how many stay, 0 to {@link #count()}
     */
    public void truncate(int count) {
        if (count < 0 || count > this.count) {
            throw new IllegalArgumentException("count " + count + " is outside 0 to " + this.count);
        }
        this.count = count;
    }

    /** Forgets the mbufs in it, which are the caller's. */
    public void clear() {
        count = 0;
    }

    /** Gives all mbufs in it back to their pools, with all segments of their packets: one call. */
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

    /** Where the first address lies; the array must be reachable while it is used. */
    long address() {
        return address;
    }

    /** What a burst has put into it from the beginning on. */
    void count(int count) {
        this.count = count;
    }

    /** The first are gone; those left come to the front. */
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
