package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * An authentication header (RFC 4302, 2). Integrity is not checked.
 *
 * <pre>
 *  0        8        16               32
 * +--------+--------+----------------+
 * | next   | length |    reserved    |
 * +--------+--------+----------------+
 * |              SPI                 |
 * +----------------------------------+
 * |        sequence number           |
 * +----------------------------------+
 * |   integrity check value ...
 * </pre>
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on.
 */
public final class AuthenticationView implements LayerView {
    public static final int MIN_LENGTH = 12;

    private static final int NEXT_HEADER = 0;
    private static final int WORDS = 1;
    private static final int SPI = 4;
    private static final int SEQUENCE_NUMBER = 8;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;
    private int headerLength;

    /** A view on nothing yet: {@link #wrap} first. */
    public AuthenticationView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.AUTHENTICATION;
    }

    /**
     * Puts the view on a header: TRUNCATED when there are fewer bytes than it says, MALFORMED when it says fewer than 12.
     *
     * @param length bytes that are there from {@code offset} on
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int header = (NetworkOrder.u8(segment, offset + WORDS) + 2) << 2;
        if (header < MIN_LENGTH) {
            return WrapStatus.MALFORMED;
        }
        if (length < header) {
            return WrapStatus.TRUNCATED;
        }
        headerLength = header;
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        return WrapStatus.OK;
    }

    /** The IP protocol number of what follows. */
    public int nextHeader() {
        return NetworkOrder.u8(segment, offset + NEXT_HEADER);
    }

    /** In bytes: the length field counts words of four, less two. */
    public int headerLength() {
        return headerLength;
    }

    /** The security parameters index. */
    public long spi() {
        return NetworkOrder.u32(segment, offset + SPI);
    }

    public long sequenceNumber() {
        return NetworkOrder.u32(segment, offset + SEQUENCE_NUMBER);
    }

    public long checkValueOffset() {
        return offset + MIN_LENGTH;
    }

    public int checkValueLength() {
        return headerLength - MIN_LENGTH;
    }

    public long payloadOffset() {
        return offset + headerLength;
    }

    public int payloadLength() {
        return length - headerLength;
    }

    @Override
    public String toString() {
        return "ah spi 0x" + Long.toHexString(spi()) + " sequence " + sequenceNumber();
    }
}
