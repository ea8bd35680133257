package io.offhook.packet.transport;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A DCCP header (RFC 4340, 5.1), with sequence numbers of 48 bits or of 24.
 *
 * <pre>
 *  0               8               16              24              32
 * +-------------------------------+-------------------------------+
 * |          source port          |        destination port       |
 * +---------------+-------+-------+-------------------------------+
 * |  data offset  |conges.|checks.|            checksum           |
 * +---------------+-------+-------+-------------------------------+
 * |     |  type |E|
 * +-----+-------+-+
 * | sequence number, acknowledgment, options ...
 * </pre>
 */
public final class DccpView extends CarrierView<DccpView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 12;

    /** Bytes that a header with long sequence numbers has at least. */
    public static final int EXTENDED_LENGTH = 16;
    /** The offset of the source port, in bytes. */
    public static final int SOURCE_PORT = 0;

    private static final int DESTINATION_PORT = 2;
    /** The offset of the data offset, in bytes. */
    public static final int DATA_OFFSET = 4;

    /** The offset of checksum coverage (4 bits from bit 4 on), in bytes. */
    public static final int CONGESTION_CONTROL = 5;
    /** The offset of the checksum, in bytes. */
    public static final int CHECKSUM = 6;
    /** The offset of the type (4 bits from bit 3 on) and the flag of long sequence numbers, in bytes. */
    public static final int TYPE = 8;

    private static final int SEQUENCE_NUMBER = 9;
    private static final int LONG_SEQUENCE_NUMBER = 10;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public DccpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.DCCP;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than it states, MALFORMED if it says fewer than it needs.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int header = NetworkOrder.u8(segment, offset + DATA_OFFSET) << 2;
        boolean isExtended = (NetworkOrder.u8(segment, offset + TYPE) & 1) != 0;
        if (header < (isExtended ? EXTENDED_LENGTH : MIN_LENGTH)) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, header);
    }

    /** The source port. */
    public int sourcePort() {
        return u16(SOURCE_PORT);
    }

    /** Sets {@link #sourcePort()}; 0 to 65535. */
    public DccpView sourcePort(int sourcePort) {
        return putU16(SOURCE_PORT, "sourcePort", sourcePort);
    }

    /** The destination port. */
    public int destinationPort() {
        return u16(DESTINATION_PORT);
    }

    /** Sets {@link #destinationPort()}; 0 to 65535. */
    public DccpView destinationPort(int destinationPort) {
        return putU16(DESTINATION_PORT, "destinationPort", destinationPort);
    }

    /** The offset of the data from the start of the header, in units of 4 bytes. */
    public int dataOffset() {
        return u8(DATA_OFFSET);
    }

    /** Sets {@link #dataOffset()}; 0 to 255. */
    public DccpView dataOffset(int dataOffset) {
        return putU8(DATA_OFFSET, "dataOffset", dataOffset);
    }

    /** CCVal: what the sender's congestion control says there (RFC 4340, 5.1), 4 bits. */
    public int congestionControl() {
        return u8(CONGESTION_CONTROL) >>> 4;
    }

    /** Sets {@link #congestionControl()}; 0 to 15. */
    public DccpView congestionControl(int congestionControl) {
        return putBits(CONGESTION_CONTROL, 0, 4, "congestionControl", congestionControl);
    }

    /** 0 for all; else units of 4 bytes of data, plus one. */
    public int checksumCoverage() {
        return u8(CONGESTION_CONTROL) & 0xf;
    }

    /** Sets {@link #checksumCoverage()}; 0 to 15. */
    public DccpView checksumCoverage(int checksumCoverage) {
        return putBits(CONGESTION_CONTROL, 4, 4, "checksumCoverage", checksumCoverage);
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public DccpView checksum(int checksum) {
        return putU16(CHECKSUM, "checksum", checksum);
    }

    /** 0 request, 1 response, 2 data, 3 ack, 4 data and ack, 5 close request, 6 close, 7 reset, 8 sync, 9 sync ack. */
    public int type() {
        return u8(TYPE) >>> 1 & 0xf;
    }

    /** Sets {@link #type()}; 0 to 15. */
    public DccpView type(int type) {
        return putBits(TYPE, 3, 4, "type", type);
    }

    /** Whether sequence numbers have 48 bits. */
    public boolean isExtended() {
        return (u8(TYPE) & 0x1) != 0;
    }

    /** Sets {@link #isExtended()}. */
    public DccpView extended(boolean extended) {
        return putFlag(TYPE, 7, extended);
    }

    /** 48 or 24 bits. */
    public long sequenceNumber() {
        return isExtended() ? u48(LONG_SEQUENCE_NUMBER) : u24(SEQUENCE_NUMBER);
    }

    /**
     * Sets {@link #sequenceNumber()}.
     *
     * @throws IllegalArgumentException if it does not fit in 48 bits, or 24
     */
    public DccpView sequenceNumber(long sequenceNumber) {
        int bits = isExtended() ? 48 : 24;
        int at = isExtended() ? LONG_SEQUENCE_NUMBER : SEQUENCE_NUMBER;
        return putBits(at, 0, bits, "sequenceNumber", sequenceNumber);
    }

    @Override
    public String toString() {
        return "dccp " + sourcePort() + " -> " + destinationPort() + " type " + type();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<DccpView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "dccp",
                    new DccpView(),
                    HeaderLayout.of(MIN_LENGTH)
                            .number("sourcePort", SOURCE_PORT, 16)
                            .number("destinationPort", DESTINATION_PORT, 16)
                            .number("dataOffset", DATA_OFFSET, 8)
                            .bits("congestionControl", CONGESTION_CONTROL, 0, 4)
                            .bits("checksumCoverage", CONGESTION_CONTROL, 4, 4)
                            .number("checksum", CHECKSUM, 16)
                            .bits("type", TYPE, 3, 4)
                            .flag("extended", TYPE, 7));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            to.number("sequenceNumber", view.sequenceNumber());
        }
    }
}
