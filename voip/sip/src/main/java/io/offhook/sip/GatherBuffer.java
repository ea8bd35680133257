package io.offhook.sip;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Gathers bytes from several pieces, in a buffer that is borrowed from the pool while it is not empty. */
final class GatherBuffer {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final SipBufferPool pool;
    private byte[] buffer = SipLexer.NONE;
    private int length;

    GatherBuffer(SipBufferPool pool) {
        this.pool = pool;
    }

    boolean isEmpty() {
        return length == 0;
    }

    int length() {
        return length;
    }

    /** The number of bytes that may still be added. */
    int room() {
        return SipBufferPool.MESSAGE_LIMIT - length;
    }

    byte[] octets() {
        return buffer;
    }

    /** Appends bytes. Returns false, and appends nothing, if the limit would be exceeded or the pool has no buffer. */
    boolean append(byte[] source, int offset, int bytes) {
        if (!reserve(bytes)) {
            return false;
        }
        System.arraycopy(source, offset, buffer, length, bytes);
        length += bytes;
        return true;
    }

    /** As {@link #append}, for bytes masked with a four-byte key (RFC 6455, 5.3), which it unmasks. */
    boolean appendUnmasked(byte[] source, int offset, int bytes, int key) {
        if (!reserve(bytes)) {
            return false;
        }
        long wideKey = (long) key << 32 | key & 0xffff_ffffL;
        int at = 0;
        while (at + 8 <= bytes) {
            WORD.set(buffer, length + at, (long) WORD.get(source, offset + at) ^ wideKey);
            at += 8;
        }
        while (at < bytes) {
            buffer[length + at] = (byte) (source[offset + at] ^ key >>> 24 - 8 * (at & 3));
            at++;
        }
        length += bytes;
        return true;
    }

    /** Makes room for further bytes, to be written at {@link #length()} and then added by {@link #grow}. */
    boolean reserve(int bytes) {
        if (bytes > room()) {
            return false;
        }
        int needed = length + bytes;
        if (needed <= buffer.length) {
            return true;
        }
        byte[] larger = pool.borrow(needed);
        if (larger == null) {
            return false;
        }
        System.arraycopy(buffer, 0, larger, 0, length);
        int kept = length;
        clear();
        buffer = larger;
        length = kept;
        return true;
    }

    void grow(int bytes) {
        length += bytes;
    }

    /** Drops the first bytes. */
    void shift(int bytes) {
        if (bytes >= length) {
            clear();
        } else if (bytes > 0) {
            System.arraycopy(buffer, bytes, buffer, 0, length - bytes);
            length -= bytes;
        }
    }

    /** Empties the buffer and returns it to the pool. */
    void clear() {
        if (buffer.length > 0) {
            pool.giveBack(buffer);
            buffer = SipLexer.NONE;
        }
        length = 0;
    }
}
