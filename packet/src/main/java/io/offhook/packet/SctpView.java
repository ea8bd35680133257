package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * The common header of an SCTP packet (RFC 9260, 3.1); chunks follow.
 *
 * <pre>
 *  0                16               32
 * +----------------+----------------+
 * |  source port   | destination p. |
 * +----------------+----------------+
 * |        verification tag         |
 * +---------------------------------+
 * |        checksum (CRC32c)        |
 * +---------------------------------+
 * |   chunks ...
 * </pre>
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on.
 */
public final class SctpView implements LayerView {
    public static final int LENGTH = 12;

    private static final int SOURCE_PORT = 0;
    private static final int DESTINATION_PORT = 2;
    private static final int VERIFICATION_TAG = 4;
    private static final int CHECKSUM = 8;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;

    /** A view on nothing yet: {@link #wrap} first. */
    public SctpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.SCTP;
    }

    /**
     * Puts the view on a header; TRUNCATED below 12 bytes.
     *
     * @param length bytes that are there from {@code offset} on
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        return WrapStatus.OK;
    }

    public int sourcePort() {
        return NetworkOrder.u16(segment, offset + SOURCE_PORT);
    }

    public int destinationPort() {
        return NetworkOrder.u16(segment, offset + DESTINATION_PORT);
    }

    public long verificationTag() {
        return NetworkOrder.u32(segment, offset + VERIFICATION_TAG);
    }

    public long checksum() {
        return NetworkOrder.u32(segment, offset + CHECKSUM);
    }

    /** Where the first chunk starts. */
    public long payloadOffset() {
        return offset + LENGTH;
    }

    public int payloadLength() {
        return length - LENGTH;
    }

    @Override
    public String toString() {
        return "sctp " + sourcePort() + " -> " + destinationPort();
    }
}
