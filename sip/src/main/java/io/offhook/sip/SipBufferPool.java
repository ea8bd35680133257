package io.offhook.sip;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The buffers in which the streams of one lane gather messages that come in several segments. A stream borrows one only
 * while a message is unfinished, so that thousands of idle connections hold nothing.
 *
 * <p>Sizes go from 4 KiB in steps of four to what holds a message of {@value #MESSAGE_LIMIT} bytes. Buffers are kept for
 * reuse; all of them together never exceed the limit: then a request is refused and counted, and the stream drops its
 * unfinished message. Single-threaded, owned by one lane.
 */
public final class SipBufferPool {
    /** Longest message that is put together, in bytes. */
    public static final int MESSAGE_LIMIT = 256 * 1024;

    private static final int SMALLEST = 4096;
    private static final int CLASSES = 4;

    private final SipText piece = new SipText();
    private final long limitBytes;
    private final ArrayDeque<byte[]>[] free;
    private long allocatedBytes;
    private long refusals;

    /**
     * A pool that has taken no memory yet.
     *
     * @param limitBytes of all buffers together, at least that of one message
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of generic type cannot be made otherwise
    public SipBufferPool(long limitBytes) {
        if (limitBytes < MESSAGE_LIMIT) {
            throw new IllegalArgumentException("limitBytes " + limitBytes + " is below " + MESSAGE_LIMIT);
        }
        this.limitBytes = limitBytes;
        free = new ArrayDeque[CLASSES];
        for (int i = 0; i < CLASSES; i++) {
            free[i] = new ArrayDeque<>();
        }
    }

    /** Where the stream that takes bytes from a segment has them meanwhile. */
    SipText piece() {
        return piece;
    }

    /** A buffer of at least so many bytes, at most {@value #MESSAGE_LIMIT}; null when the limit is reached. */
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

    /** How often the limit was in the way. */
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
