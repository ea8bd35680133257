package io.offhook.sip;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Bytes copied out of a segment: a message, or what may be one. SIP is text and read byte by byte. Reading a byte of an
 * array takes one instruction, reading a byte of a segment a dozen inlined methods at each call site.
 *
 * <pre>
 * if (SipRecognizer.isMessageStart(segment, offset, length, text)) {
 *     long hash = SipMessageView.callIdHash(text.octets(), 0, text.length());
 * }
 * </pre>
 *
 * <p>The array is reused for the next text and grows to the longest one, up to {@value #LIMIT} bytes. Copying allocates
 * if the array grows, and once whenever the segment differs from that of the previous call. Single-threaded.
 */
public final class SipText {
    /** The longest text, in bytes. */
    public static final int LIMIT = SipBufferPool.MESSAGE_LIMIT;

    /**
     * A byte buffer covers at most 2 GiB; in a segment larger than {@link #REACH} it starts at a multiple of this step.
     */
    private static final long STEP = 1L << 30;

    private static final long REACH = STEP + LIMIT;

    private byte[] octets = SipLexer.NONE;
    private int length;
    private MemorySegment segment = MemorySegment.NULL;
    /**
     * The segment, or the part of it that a buffer covers. MemorySegment's own copy to an array generates classes on
     * first use.
     */
    private ByteBuffer window = segment.asByteBuffer();

    private long windowStart;
    private long windowEnd;

    /** Creates an empty text. */
    public SipText() {}

    /**
     * Copies bytes to the start of {@link #octets()}.
     *
     * @param segment the segment to copy from
     * @param offset the first byte in the segment
     * @param length the number of bytes, of which at most {@value #LIMIT} are copied; a negative number counts as 0
     * @throws IndexOutOfBoundsException if the bytes are not all within the segment
     */
    @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"
    }) // a segment that replaced a closed one may be equal to it
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

    /**
     * The array, of which the first {@link #length()} bytes are the text. Valid until the next copy; must not be
     * modified.
     */
    public byte[] octets() {
        return octets;
    }

    /** The length of the text in bytes; bytes after it in the array are undefined. */
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
