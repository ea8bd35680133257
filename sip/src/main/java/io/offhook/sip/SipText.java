package io.offhook.sip;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Bytes copied out of a segment, a message or what may be one. SIP is text and read byte by byte: of an array that is one
 * instruction, of a segment a dozen methods, which become part of each place that reads.
 *
 * <pre>
 * if (SipRecognizer.isMessageStart(segment, offset, length, text)) {
 *     long hash = SipMessageView.callIdHash(text.octets(), 0, text.length());
 * }
 * </pre>
 *
 * <p>The array is used again for the next text and grows to the longest one, at most {@value #LIMIT} bytes. Copying
 * allocates when it grows, and an object to reach the bytes by when the segment is not that of the time before.
 * Single-threaded.
 */
public final class SipText {
    /** Longest text, in bytes. */
    public static final int LIMIT = SipBufferPool.MESSAGE_LIMIT;

    /** A buffer cannot reach over more than 2 GiB; in a segment larger than {@link #REACH} it starts at a multiple of this. */
    private static final long STEP = 1L << 30;

    private static final long REACH = STEP + LIMIT;

    private byte[] octets = SipLexer.NONE;
    private int length;
    private MemorySegment segment = MemorySegment.NULL;
    /** The segment, or what of it a buffer reaches: a segment's own copy into an array generates classes when first used. */
    private ByteBuffer window = segment.asByteBuffer();

    private long windowStart;
    private long windowEnd;

    /** No bytes yet. */
    public SipText() {}

    /**
     * Copies bytes to the start of {@link #octets()}.
     *
     * @param length how many, of which {@value #LIMIT} are copied; negative counts as none
     * @throws IndexOutOfBoundsException when they are not all in the segment
     */
    @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"
    }) // one in the place of one that is gone is equal to it
    public void copy(MemorySegment segment, long offset, int length) {
        int bytes = Math.min(Math.max(length, 0), LIMIT);
        if (bytes > octets.length) {
            octets = new byte[Math.max(bytes, Math.min(2 * octets.length, LIMIT))];
        }
        if (segment != this.segment || offset < windowStart || offset > windowEnd - bytes) {
            reach(segment, Objects.checkFromIndexSize(offset, (long) bytes, segment.byteSize()));
        }
        window.get((int) (offset - windowStart), octets, 0, bytes);
        this.length = bytes;
    }

    /** The array, of which {@link #length()} bytes are the text. Valid until the next copy, not to be written. */
    public byte[] octets() {
        return octets;
    }

    /** Bytes of the text; what follows them in the array is of none. */
    public int length() {
        return length;
    }

    private void reach(MemorySegment from, long offset) {
        long size = from.byteSize();
        long start = size <= REACH ? 0 : offset & -STEP;
        long end = Math.min(size, start + REACH);
        window = (size <= REACH ? from : from.asSlice(start, end - start)).asByteBuffer();
        windowStart = start;
        windowEnd = end;
        segment = from;
    }
}
