package io.offhook.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Messages that one call sends, sendmmsg(2): where each lies, in an array of {@code struct mmsghdr} with a {@code struct
 * iovec} each. Nothing is copied before the kernel does. One thread at a time.
 */
public final class SendBatch implements AutoCloseable {
    /** struct mmsghdr of 64-bit systems: struct msghdr, what was sent (32). */
    static final int MESSAGE_BYTES = 64;

    static final int MESSAGE_VECTORS = 16;
    static final int MESSAGE_VECTOR_COUNT = 24;

    /** struct iovec: address, length. */
    static final int VECTOR_BYTES = 16;

    static final int VECTOR_LENGTH = 8;
    static final int MSG_DONTWAIT = 0x40;

    private final int capacity;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment messages;
    private final MemorySegment vectors;
    private int count;

    /**
     * A batch without messages.
     *
     * @param capacity messages at most, 1 to 1024
     */
    public SendBatch(int capacity) {
        if (capacity < 1 || capacity > 1024) {
            throw new IllegalArgumentException("capacity " + capacity + " is outside 1 to 1024");
        }
        this.capacity = capacity;
        messages = arena.allocate((long) capacity * MESSAGE_BYTES, Long.BYTES);
        vectors = arena.allocate((long) capacity * VECTOR_BYTES, Long.BYTES);
        for (long i = 0; i < capacity; i++) {
            long at = i * MESSAGE_BYTES;
            messages.set(JAVA_LONG, at + MESSAGE_VECTORS, vectors.address() + i * VECTOR_BYTES);
            messages.set(JAVA_LONG, at + MESSAGE_VECTOR_COUNT, 1);
        }
    }

    /** Forgets all messages. */
    public void clear() {
        count = 0;
    }

    /** Messages in it. */
    public int count() {
        return count;
    }

    /**
     * One more, in memory that stays as it is until it was sent.
     *
     * @param address of its first byte
     */
    public void add(long address, int length) {
        if (count == capacity) {
            throw new IllegalStateException("the batch has its " + capacity + " messages");
        }
        long at = (long) count++ * VECTOR_BYTES;
        vectors.set(JAVA_LONG, at, address);
        vectors.set(JAVA_LONG, at + VECTOR_LENGTH, length);
    }

    /**
     * Sends messages without waiting, from one on.
     *
     * @param first of them, from 0
     * @return how many were taken, 1 or more, or a negative errno of the first
     */
    public int send(NativeSocket socket, int first) {
        if (first < 0 || first >= count) {
            throw new IndexOutOfBoundsException("message " + first + " of " + count);
        }
        return SysSocket.sendmmsg(
                socket.descriptor(), messages.address() + (long) first * MESSAGE_BYTES, count - first, MSG_DONTWAIT);
    }

    @Override
    public void close() {
        arena.close();
    }
}
