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
 * Setters refuse what the field cannot hold and change nothing else, no checksum either; see {@link io.offhook.packet}.
 */
public final class SctpView implements LayerView {
    /** Bytes of the header. */
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

    /** The port that it was sent from. */
    public int sourcePort() {
        return NetworkOrder.u16(segment, offset + SOURCE_PORT);
    }

    /** Sets {@link #sourcePort()}; 0 to 65535. */
    public SctpView sourcePort(int sourcePort) {
        FieldRange.check("sourcePort", sourcePort, 0xffff);
        NetworkOrder.putU16(segment, offset + SOURCE_PORT, sourcePort);
        return this;
    }

    /** The port that it was sent to. */
    public int destinationPort() {
        return NetworkOrder.u16(segment, offset + DESTINATION_PORT);
    }

    /** Sets {@link #destinationPort()}; 0 to 65535. */
    public SctpView destinationPort(int destinationPort) {
        FieldRange.check("destinationPort", destinationPort, 0xffff);
        NetworkOrder.putU16(segment, offset + DESTINATION_PORT, destinationPort);
        return this;
    }

    /** What the receiver gave the association; 0 in a packet with INIT. */
    public long verificationTag() {
        return NetworkOrder.u32(segment, offset + VERIFICATION_TAG);
    }

    /** Sets {@link #verificationTag()}; 0 to 4294967295. */
    public SctpView verificationTag(long verificationTag) {
        FieldRange.check("verificationTag", verificationTag, 0xffff_ffffL);
        NetworkOrder.putU32(segment, offset + VERIFICATION_TAG, verificationTag);
        return this;
    }

    /** CRC32c as the header has it, right or wrong; see {@link Crc32c}. */
    public long checksum() {
        return NetworkOrder.u32(segment, offset + CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 4294967295. */
    public SctpView checksum(long checksum) {
        FieldRange.check("checksum", checksum, 0xffff_ffffL);
        NetworkOrder.putU32(segment, offset + CHECKSUM, checksum);
        return this;
    }

    /** Where the first chunk starts. */
    public long payloadOffset() {
        return offset + LENGTH;
    }

    /** Bytes behind the header that are there. */
    public int payloadLength() {
        return length - LENGTH;
    }

    @Override
    public String toString() {
        return "sctp " + sourcePort() + " -> " + destinationPort();
    }
}
