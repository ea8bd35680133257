package io.offhook.decrypt;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The bytes of one direction that are held, from the header of its next record on (RFC 5246, 6.2): type, version, length, content. Their
 * number is bounded, and counted by the shard.
 */
final class TlsRecords {
    /** With its header; TLS 1.2 allows 2048 bytes more than the content (RFC 5246, 6.2.3). */
    static final int LONGEST = TlsRecordCipher.HEADER + (1 << 14) + 2048;

    static final int CHANGE_CIPHER_SPEC = 20;
    static final int HANDSHAKE = 22;
    static final int APPLICATION_DATA = 23;
    private static final int HEARTBEAT = 24;

    private static final int FIRST_BYTES = 2048;

    private final TlsShard shard;
    private byte[] held = new byte[FIRST_BYTES];
    private int from;
    private int to;

    TlsRecords(TlsShard shard) {
        this.shard = shard;
    }

    /** @return false if there would be more than {@link TlsDirection#MOST_WAITING}, or than the shard may hold */
    boolean add(MemorySegment segment, long offset, int length) {
        if (from > 0 && to + length > held.length) {
            System.arraycopy(held, from, held, 0, to - from);
            to -= from;
            from = 0;
        }
        if (to + length > held.length) {
            if (to + length > TlsDirection.MOST_WAITING) {
                return false;
            }
            held = Arrays.copyOf(held, Math.min(TlsDirection.MOST_WAITING, Math.max(to + length, 2 * held.length)));
        }
        if (!shard.hold(length)) {
            return false;
        }
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, held, to, length);
        to += length;
        return true;
    }

    /** Lets go of the first bytes. */
    void release(int bytes) {
        shard.hold(-bytes);
        from += bytes;
        if (from == to) {
            from = 0;
            to = 0;
        }
    }

    /** Lets go of all of them. */
    void clear() {
        release(to - from);
    }

    /** Lets go of all, and of the memory; nothing is added any more. */
    void end() {
        clear();
        held = new byte[0];
    }

    boolean hasHeader() {
        return to - from >= TlsRecordCipher.HEADER;
    }

    /** Whether the header can be one; there is one. */
    boolean isRecord() {
        int type = type();
        return type >= CHANGE_CIPHER_SPEC
                && type <= HEARTBEAT
                && held[from + 1] == 3
                && length() <= LONGEST - TlsRecordCipher.HEADER;
    }

    /** Whether all of the record is there; its header is. */
    boolean isWhole() {
        return to - from >= TlsRecordCipher.HEADER + length();
    }

    /** The type of the record, 0 to 255. */
    int type() {
        return held[from] & 0xff;
    }

    /** The bytes behind the header. */
    int length() {
        return (held[from + 3] & 0xff) << 8 | held[from + 4] & 0xff;
    }

    /** What contains the record. */
    byte[] octets() {
        return held;
    }

    /** Where the header of the record is in {@link #octets}. */
    int at() {
        return from;
    }

    /** Where the content of the record is in {@link #octets}. */
    int contentAt() {
        return from + TlsRecordCipher.HEADER;
    }
}
