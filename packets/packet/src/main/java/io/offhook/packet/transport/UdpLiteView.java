package io.offhook.packet.transport;

import io.offhook.packet.FieldBits;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A UDP-Lite header (RFC 3828, 3.1): UDP, but for the length, in the place of which stands how much the checksum covers.
 *
 * <pre>
 *  0               8               16              24              32
 * +-------------------------------+-------------------------------+
 * |          source port          |        destination port       |
 * +-------------------------------+-------------------------------+
 * |       checksum coverage       |            checksum           |
 * +-------------------------------+-------------------------------+
 * </pre>
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on. Setters change the
 * bytes in place; on a read-only segment they fail as the segment does. After one of a type, a flag or a length, wrap again.
 */
public final class UdpLiteView implements LayerView {
    /** Bytes of the header. */
    public static final int LENGTH = 8;

    /** Where the source port is, in bytes from the start. */
    public static final int SOURCE_PORT = 0;

    private static final int DESTINATION_PORT = 2;
    /** Where the checksum coverage is, in bytes from the start. */
    public static final int CHECKSUM_COVERAGE = 4;

    /** Where the checksum is, in bytes from the start. */
    public static final int CHECKSUM = 6;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;

    /** A view on nothing yet: {@link #wrap} first. */
    public UdpLiteView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.UDP_LITE;
    }

    /**
     * Puts the view on a header: TRUNCATED below 8 bytes, MALFORMED when the coverage is 1 to 7.
     *
     * @param length bytes that are there from {@code offset} on
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int coverage = NetworkOrder.u16(segment, offset + CHECKSUM_COVERAGE);
        if (coverage != 0 && coverage < LENGTH) {
            return WrapStatus.MALFORMED;
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
    public UdpLiteView sourcePort(int sourcePort) {
        FieldBits.put(segment, offset, 8 * SOURCE_PORT, 16, "sourcePort", sourcePort);
        return this;
    }

    /** The port that it was sent to. */
    public int destinationPort() {
        return NetworkOrder.u16(segment, offset + DESTINATION_PORT);
    }

    /** Sets {@link #destinationPort()}; 0 to 65535. */
    public UdpLiteView destinationPort(int destinationPort) {
        FieldBits.put(segment, offset, 8 * DESTINATION_PORT, 16, "destinationPort", destinationPort);
        return this;
    }

    /** In bytes, the header's too; 0 for all. */
    public int checksumCoverage() {
        return NetworkOrder.u16(segment, offset + CHECKSUM_COVERAGE);
    }

    /** Sets {@link #checksumCoverage()}; 0 to 65535. */
    public UdpLiteView checksumCoverage(int checksumCoverage) {
        FieldBits.put(segment, offset, 8 * CHECKSUM_COVERAGE, 16, "checksumCoverage", checksumCoverage);
        return this;
    }

    /** As the header has it, right or wrong. */
    public int checksum() {
        return NetworkOrder.u16(segment, offset + CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public UdpLiteView checksum(int checksum) {
        FieldBits.put(segment, offset, 8 * CHECKSUM, 16, "checksum", checksum);
        return this;
    }

    /** Where the bytes behind the header start, in the segment. */
    public long payloadOffset() {
        return offset + LENGTH;
    }

    /** Bytes behind the header that are there. */
    public int payloadLength() {
        return length - LENGTH;
    }

    @Override
    public String toString() {
        return "udplite " + sourcePort() + " -> " + destinationPort();
    }

    /** What is reported of it; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Ready for any header. */
        public Descriptor() {
            super(
                    "udplite",
                    HeaderLayout.of(LENGTH)
                            .number("sourcePort", SOURCE_PORT, 16)
                            .number("destinationPort", DESTINATION_PORT, 16)
                            .number("checksumCoverage", CHECKSUM_COVERAGE, 16)
                            .number("checksum", CHECKSUM, 16));
        }
    }
}
