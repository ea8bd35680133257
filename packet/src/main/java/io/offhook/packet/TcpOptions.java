package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * The options of a TCP header (RFC 9293, 3.2; RFC 7323; RFC 2018), one after the other.
 *
 * <p>{@code while (options.next()) switch (options.kind()) ...}. No-operation and end of list are stepped over. An option
 * whose length cannot be ends the iteration; {@link #isMalformed()} then says so. The accessors of a kind read 0 on an
 * option of another kind, or too short for its own.
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on.
 */
public final class TcpOptions {
    public static final int END = 0;
    public static final int NO_OPERATION = 1;
    public static final int MAXIMUM_SEGMENT_SIZE = 2;
    public static final int WINDOW_SCALE = 3;
    public static final int SACK_PERMITTED = 4;
    public static final int SACK = 5;
    public static final int TIMESTAMPS = 8;

    private static final int HEADER = 2;
    private static final int SACK_BLOCK = 8;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private long end;
    private int kind;
    private int length;
    private boolean isMalformed;

    /** An iterator over nothing yet: wrap it first. */
    public TcpOptions() {}

    /** Puts the iterator before the first of {@code length} bytes of options. */
    public void wrap(MemorySegment segment, long offset, int length) {
        this.segment = segment;
        this.offset = offset;
        this.end = offset + length;
        this.length = 0;
        kind = END;
        isMalformed = false;
    }

    /** Moves to the next option; false when there is none. */
    public boolean next() {
        offset += length;
        length = 0;
        while (offset < end && NetworkOrder.u8(segment, offset) == NO_OPERATION) {
            offset++;
        }
        kind = offset < end ? NetworkOrder.u8(segment, offset) : END;
        if (kind == END) {
            offset = end;
            return false;
        }
        int size = offset + 1 < end ? NetworkOrder.u8(segment, offset + 1) : 0;
        if (size < HEADER || size > end - offset) {
            isMalformed = true;
            kind = END;
            offset = end;
            return false;
        }
        length = size;
        return true;
    }

    /** Whether the iteration ended on an option whose length cannot be. */
    public boolean isMalformed() {
        return isMalformed;
    }

    /** 0 before the first option and after the last. */
    public int kind() {
        return kind;
    }

    /** With kind and length, in bytes. */
    public int length() {
        return length;
    }

    /** Where the option's data starts, behind kind and length. */
    public long dataOffset() {
        return offset + HEADER;
    }

    public int dataLength() {
        return Math.max(length - HEADER, 0);
    }

    /** In bytes. */
    public int maximumSegmentSize() {
        return is(MAXIMUM_SEGMENT_SIZE, 4) ? NetworkOrder.u16(segment, offset + 2) : 0;
    }

    /** Bits to shift the window by; above 14 the sender errs (RFC 7323, 2.3). */
    public int windowScale() {
        return is(WINDOW_SCALE, 3) ? NetworkOrder.u8(segment, offset + 2) : 0;
    }

    /** The sender's clock, 32 bits. */
    public long timestampValue() {
        return is(TIMESTAMPS, 10) ? NetworkOrder.u32(segment, offset + 2) : 0;
    }

    public long timestampEchoReply() {
        return is(TIMESTAMPS, 10) ? NetworkOrder.u32(segment, offset + 6) : 0;
    }

    /** 0 to 4 in what senders may make; more fit here if a sender errs. */
    public int sackBlockCount() {
        return kind == SACK ? dataLength() / SACK_BLOCK : 0;
    }

    /** The first sequence number of block {@code i}; 0 when there is no such block. */
    public long sackLeft(int i) {
        return i >= 0 && i < sackBlockCount() ? NetworkOrder.u32(segment, dataOffset() + (long) i * SACK_BLOCK) : 0;
    }

    /** The sequence number behind block {@code i}; 0 when there is no such block. */
    public long sackRight(int i) {
        return i >= 0 && i < sackBlockCount() ? NetworkOrder.u32(segment, dataOffset() + (long) i * SACK_BLOCK + 4) : 0;
    }

    private boolean is(int kind, int length) {
        return this.kind == kind && this.length >= length;
    }

    @Override
    public String toString() {
        return "tcp option " + kind + " of " + length + " bytes";
    }
}
