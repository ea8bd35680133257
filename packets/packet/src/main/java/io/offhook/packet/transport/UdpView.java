package io.offhook.packet.transport;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldRange;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.SafeText;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A UDP header (RFC 768).
 *
 * <pre>
 *  0                16               32
 * +----------------+----------------+
 * |  source port   | destination p. |
 * +----------------+----------------+
 * |     length     |    checksum    |
 * +----------------+----------------+
 * |   payload ...
 * </pre>
 *
 * <p>A length of 0 is a jumbogram's (RFC 2675, 4): then the payload is all that is there.
 */
public final class UdpView extends CarrierView<UdpView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 8;

    /** The offset of the source port, in bytes. */
    public static final int SOURCE_PORT = 0;
    /** The offset of the destination port, in bytes. */
    public static final int DESTINATION_PORT = 2;
    /** The offset of the length, in bytes. */
    public static final int DATAGRAM_LENGTH = 4;

    /** The offset of the checksum, in bytes. */
    public static final int CHECKSUM = 6;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public UdpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.UDP;
    }

    /** Wraps a header: TRUNCATED below 8 bytes, MALFORMED if its length is 1 to 7. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int field = NetworkOrder.u16(segment, offset + DATAGRAM_LENGTH);
        if (field != 0 && field < LENGTH) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, LENGTH);
    }

    /** The source port. */
    public int sourcePort() {
        return u16(SOURCE_PORT);
    }

    /** Sets {@link #sourcePort()}; 0 to 65535. */
    public UdpView sourcePort(int sourcePort) {
        return putU16(SOURCE_PORT, "sourcePort", sourcePort);
    }

    /** The destination port. */
    public int destinationPort() {
        return u16(DESTINATION_PORT);
    }

    /** Sets {@link #destinationPort()}; 0 to 65535. */
    public UdpView destinationPort(int destinationPort) {
        return putU16(DESTINATION_PORT, "destinationPort", destinationPort);
    }

    /** The length of header and payload in bytes, as stated in the header. */
    public int length() {
        return u16(DATAGRAM_LENGTH);
    }

    /**
     * Sets {@link #length()}.
     *
     * @param datagramLength 8 to 65535, or 0
     */
    public UdpView length(int datagramLength) {
        FieldRange.check("length", datagramLength, datagramLength == 0 ? 0 : LENGTH, 0xffff);
        return putU16(DATAGRAM_LENGTH, "length", datagramLength);
    }

    /** 0 if the sender made none. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public UdpView checksum(int checksum) {
        return putU16(CHECKSUM, "checksum", checksum);
    }

    /** The number of available bytes of the payload. */
    @Override
    public int payloadLength() {
        return isSnapped() || length() == 0 ? length - LENGTH : length() - LENGTH;
    }

    /** Whether the header states more bytes than are available. */
    public boolean isSnapped() {
        return length() > length;
    }

    @Override
    public String toString() {
        return "udp " + sourcePort() + " -> " + destinationPort() + " length " + length();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "udp",
                    HeaderLayout.of(LENGTH)
                            .number("sourcePort", SOURCE_PORT, 16)
                            .number("destinationPort", DESTINATION_PORT, 16)
                            .number("length", DATAGRAM_LENGTH, 16)
                            .number("checksum", CHECKSUM, 16));
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            int length = layer.packet().payloadLength();
            int wireLength = layer.packet().payloadWireLength();
            if (length == 0) {
                to.text(wireLength > 0 ? "not captured" : "empty");
            } else {
                to.number(wireLength).text(" bytes");
            }
            return true;
        }
    }
}
