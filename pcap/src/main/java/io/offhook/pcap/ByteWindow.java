package io.offhook.pcap;

import java.lang.foreign.MemorySegment;

/**
 * The part of a capture's bytes that lies in memory: a whole mapped file, or what was read of a stream so far. A reader
 * moves {@link #position} on; it may set it beyond {@link #limit} to pass over bytes it need not see.
 */
final class ByteWindow {
    MemorySegment segment = MemorySegment.NULL;
    /** Next byte to read, in the segment. */
    long position;
    /** End of the bytes that are there, in the segment. */
    long limit;
    /** Where the segment's byte 0 lies in the (decompressed) file; negative when the segment starts with a carried tail. */
    long origin;

    long fileOffset(long segmentOffset) {
        return origin + segmentOffset;
    }

    long available() {
        return limit - position;
    }
}
