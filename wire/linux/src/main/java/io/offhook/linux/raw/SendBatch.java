package io.offhook.linux.raw;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.linux.libc.SysSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Messages for a single call of sendmmsg(2): an array of {@code struct mmsghdr} with one {@code struct iovec} each.
 * Only the kernel copies the data. Not thread-safe.
 */
public final class SendBatch implements AutoCloseable {
    private final int capacity;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment messages;
    private final MemorySegment vectors;
    private int count;

    /**
     * Creates an empty batch.
     *
     * @param capacity the most messages, 1 to 1024
     */
    public SendBatch(int capacity) {
        if (capacity < 1 || capacity > 1024) {
            throw new IllegalArgumentException("capacity " + capacity + " is outside 1 to 1024");
        }
        this.capacity = capacity;
        messages = arena.allocate((long) capacity * SysSocket.MESSAGE_BYTES, Long.BYTES);
        vectors = arena.allocate((long) capacity * SysSocket.VECTOR_BYTES, Long.BYTES);
        for (long i = 0; i < capacity; i++) {
            long at = i * SysSocket.MESSAGE_BYTES;
            messages.set(JAVA_LONG, at + SysSocket.MESSAGE_VECTORS, vectors.address() + i * SysSocket.VECTOR_BYTES);
            messages.set(JAVA_LONG, at + SysSocket.MESSAGE_VECTOR_COUNT, 1);
        }
    }

    /** Removes all messages. */
    public void clear() {
        count = 0;
    }

    /** The number of messages. */
    public int count() {
        return count;
    }

    /**
     * Adds a message. Its memory must stay unchanged until it was sent.
     *
     * @param address the first byte
     * @param length the length in bytes
     * @throws IllegalStateException if the batch is full
     */
    public void add(long address, int length) {
        if (count == capacity) {
            throw new IllegalStateException("the batch is full: it holds " + capacity + " messages");
        }
        long at = (long) count++ * SysSocket.VECTOR_BYTES;
        vectors.set(JAVA_LONG, at, address);
        vectors.set(JAVA_LONG, at + SysSocket.VECTOR_LENGTH, length);
    }

    /**
     * Sends messages without blocking.
     *
     * @param socket the socket to send on
     * @param first the index of the first message, from 0
     * @return the number of messages sent, 1 or more; or a negative errno for the first one
     */
    public int send(NativeSocket socket, int first) {
        if (first < 0 || first >= count) {
            throw new IndexOutOfBoundsException("message " + first + " is not in 0 to " + (count - 1));
        }
        return SysSocket.sendmmsg(
                socket.descriptor(),
                messages.address() + (long) first * SysSocket.MESSAGE_BYTES,
                count - first,
                SysSocket.MSG_DONTWAIT);
    }

    @Override
    public void close() {
        arena.close();
    }
}
