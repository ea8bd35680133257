package io.offhook.analysis;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;

/** What a row of RTP needs of the header (RFC 3550, 5.1), from its first eight bytes where these are enough. */
final class RtpHeader {
    /** The offset of the SSRC. */
    static final int SSRC = 8;

    private RtpHeader() {}

    /** The length with CSRCs and extension. */
    static int length(MemorySegment segment, long offset, int length, long start) {
        int first = (int) (start >>> 56);
        int headerLength = Recognizer.RTP_HEADER + (first & 15) * 4;
        if ((first & 0x10) != 0 && headerLength + 4 <= length) {
            headerLength += 4 + 4 * NetworkOrder.u16(segment, offset + headerLength + 2);
        }
        return headerLength;
    }

    /** The number of padding bytes, if its place was captured. */
    static int padding(MemorySegment segment, long offset, int length, int wireLength, long start) {
        boolean isPadded = (start >>> 56 & 0x20) != 0;
        return isPadded && length == wireLength ? NetworkOrder.u8(segment, offset + length - 1) : 0;
    }

    /** Timestamp, sequence number, marker and payload type, as {@link io.offhook.rtp.RtpRows} has them. */
    static long row(long start) {
        return start << 32 | (start >>> 32 & 0xffff) << 16 | start >>> 48 & 0xff;
    }

    /** The first eight payload bytes, which telephone events need (RFC 4733, 2.3). */
    static long payloadHead(MemorySegment segment, long offset, int length) {
        if (length >= 8) {
            return NetworkOrder.bits64(segment, offset);
        }
        long head = 0;
        for (int i = 0; i < length; i++) {
            head |= (long) NetworkOrder.u8(segment, offset + i) << 56 - 8 * i;
        }
        return head;
    }
}
