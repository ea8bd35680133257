package io.offhook.sip;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The buffers in which the streams of one lane gather messages that span several segments. A stream borrows a buffer
 * only while a message is incomplete, so idle connections hold no memory.
 *
 * <p>Sizes range from 4 KiB, in steps of a factor of four, to a buffer for {@value #MESSAGE_LIMIT} bytes. Buffers are
 * kept for reuse, and their total never exceeds the limit. Beyond it a request is refused and counted, and the stream
 * drops its incomplete message. Single-threaded, owned by one lane.
 */
public final class SipBufferPool {
    /** The longest message that is assembled, in bytes. */
    public static final int MESSAGE_LIMIT = 256 * 1024;

    private static final int SMALLEST = 4096;
    private static final int CLASSES = 4;

    private final SipText piece = new SipText();
    private final long limitBytes;
    private final ArrayDeque<byte[]>[] free;
    private long allocatedBytes;
    private long refusals;

    /**
     * Creates a pool, which allocates nothing yet.
     *
     * @param limitBytes the most bytes of all buffers together; at least {@value #MESSAGE_LIMIT}
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // there is no other way to create a generic array
    public SipBufferPool(long limitBytes) {
        if (limitBytes < MESSAGE_LIMIT) {
            throw new IllegalArgumentException(
                    "limitBytes " + limitBytes + " is below " + MESSAGE_LIMIT + ", the length of the longest message");
        }
        this.limitBytes = limitBytes;
        free = new ArrayDeque[CLASSES];
        for (int i = 0; i < CLASSES; i++) {
            free[i] = new ArrayDeque<>();
        }
    }

    /** The buffer for bytes that a stream copies out of a segment. */
    SipText piece() {
        return piece;
    }

    /**
     * Lends a buffer of at least {@code minimum} bytes, up to {@value #MESSAGE_LIMIT}; null if the limit is reached.
     */
    byte @Nullable [] borrow(int minimum) {
        for (int i = sizeClass(minimum); i < CLASSES; i++) {
            byte[] reused = free[i].pollLast();
            if (reused != null) {
                return reused;
            }
        }
        int size = size(sizeClass(minimum));
        if (allocatedBytes + size > limitBytes) {
            refusals++;
            return null;
        }
        allocatedBytes += size;
        return new byte[size];
    }

    void giveBack(byte[] buffer) {
        free[sizeClass(buffer.length)].addLast(buffer);
    }

    /** Bytes of all buffers, lent and free. */
    public long allocatedBytes() {
        return allocatedBytes;
    }

    /** The number of requests refused because of the limit. */
    public long refusals() {
        return refusals;
    }

    private static int sizeClass(int bytes) {
        int i = 0;
        while (size(i) < bytes) {
            i++;
        }
        return i;
    }

    private static int size(int sizeClass) {
        return SMALLEST << 2 * sizeClass;
    }
}
