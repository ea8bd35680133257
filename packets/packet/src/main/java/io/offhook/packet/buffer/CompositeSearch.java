package io.offhook.packet.buffer;

import io.offhook.packet.FieldRange;
import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;

/** Finds bytes in a composite buffer: stretch by stretch, eight bytes at a time. */
final class CompositeSearch {
    private static final long LOW_BITS = 0x0101_0101_0101_0101L;

    private CompositeSearch() {}

    static long indexOf(CompositeBuffer buffer, int value, long position, long length) {
        buffer.check(position, length);
        FieldRange.check("value", value, 0xff);
        long to = position + length;
        for (long at = position; at < to; ) {
            long partEnd = Math.min(at + buffer.contiguousLength(at), to);
            long found = inStretch(buffer.segmentAt(at), buffer.offsetAt(at), partEnd - at, value);
            if (found >= 0) {
                return at + found;
            }
            at = partEnd;
        }
        return -1;
    }

    /** The distance of the byte from {@code offset}; -1 if it is not among the {@code length} bytes there. */
    private static long inStretch(MemorySegment segment, long offset, long length, int value) {
        long pattern = value * LOW_BITS;
        long at = 0;
        // the byte sought becomes a zero byte, and only from such a byte is there a borrow
        while (at + 8 <= length && !hasZero(NetworkOrder.bits64(segment, offset + at) ^ pattern)) {
            at += 8;
        }
        for (; at < length; at++) {
            if (NetworkOrder.u8(segment, offset + at) == value) {
                return at;
            }
        }
        return -1;
    }

    private static boolean hasZero(long word) {
        return (word - LOW_BITS & ~word & LOW_BITS << 7) != 0;
    }

    static long indexOf(CompositeBuffer buffer, MemorySegment pattern, long position, long length) {
        buffer.check(position, length);
        if (pattern.byteSize() == 0) {
            return position;
        }
        int head = NetworkOrder.u8(pattern, 0);
        long places = length - pattern.byteSize() + 1;
        for (long at = position; at < position + places; at++) {
            at = indexOf(buffer, head, at, position + places - at);
            if (at < 0 || matches(buffer, pattern, at)) {
                return at;
            }
        }
        return -1;
    }

    static boolean matches(CompositeBuffer buffer, MemorySegment pattern, long position) {
        buffer.check(position, 0);
        long length = pattern.byteSize();
        if (length > buffer.end() - position) {
            return false;
        }
        for (long done = 0; done < length; ) {
            long at = position + done;
            long part = Math.min(buffer.contiguousLength(at), length - done);
            long from = buffer.offsetAt(at);
            MemorySegment segment = buffer.segmentAt(at);
            if (MemorySegment.mismatch(segment, from, from + part, pattern, done, done + part) >= 0) {
                return false;
            }
            done += part;
        }
        return true;
    }
}
