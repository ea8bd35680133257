package io.offhook.packet.transport;

import io.offhook.packet.CarrierView;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A UDP-Lite header (RFC 3828, 3.1): UDP, but for the length, in the place of which stands how much the checksum
 * covers.
 *
 * <pre>
 *  0               8               16              24              32
 * +-------------------------------+-------------------------------+
 * |          source port          |        destination port       |
 * +-------------------------------+-------------------------------+
 * |       checksum coverage       |            checksum           |
 * +-------------------------------+-------------------------------+
 * </pre>
 */
public final class UdpLiteView extends CarrierView<UdpLiteView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 8;

    /** The offset of the source port, in bytes. */
    public static final int SOURCE_PORT = 0;

    private static final int DESTINATION_PORT = 2;
    /** The offset of the checksum coverage, in bytes. */
    public static final int CHECKSUM_COVERAGE = 4;

    /** The offset of the checksum, in bytes. */
    public static final int CHECKSUM = 6;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public UdpLiteView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.UDP_LITE;
    }

    /** Wraps a header: TRUNCATED below 8 bytes, MALFORMED if the coverage is 1 to 7. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int coverage = NetworkOrder.u16(segment, offset + CHECKSUM_COVERAGE);
        if (coverage != 0 && coverage < LENGTH) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, LENGTH);
    }

    /** The source port. */
    public int sourcePort() {
        return u16(SOURCE_PORT);
    }

    /** Sets {@link #sourcePort()}; 0 to 65535. */
    public UdpLiteView sourcePort(int sourcePort) {
        return putU16(SOURCE_PORT, "sourcePort", sourcePort);
    }

    /** The destination port. */
    public int destinationPort() {
        return u16(DESTINATION_PORT);
    }

    /** Sets {@link #destinationPort()}; 0 to 65535. */
    public UdpLiteView destinationPort(int destinationPort) {
        return putU16(DESTINATION_PORT, "destinationPort", destinationPort);
    }

    /** The number of bytes that the checksum covers, header included; 0 for all. */
    public int checksumCoverage() {
        return u16(CHECKSUM_COVERAGE);
    }

    /** Sets {@link #checksumCoverage()}; 0 to 65535. */
    public UdpLiteView checksumCoverage(int checksumCoverage) {
        return putU16(CHECKSUM_COVERAGE, "checksumCoverage", checksumCoverage);
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public UdpLiteView checksum(int checksum) {
        return putU16(CHECKSUM, "checksum", checksum);
    }

    @Override
    public String toString() {
        return "udplite " + sourcePort() + " -> " + destinationPort();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
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
