package io.offhook.packet.transport;

import io.offhook.packet.FieldBits;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
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
 *
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes. Setters write in place,
 * and fail on a read-only segment. After setting a type, a flag or a length, wrap again.
 */
public final class DccpView implements LayerView {
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

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public DccpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.DCCP;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than it states, MALFORMED if it says fewer than it needs.
     *
     * @param length the number of bytes available from {@code offset}
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
        if (length < header) {
            return WrapStatus.TRUNCATED;
        }
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        return WrapStatus.OK;
    }

    /** The source port. */
    public int sourcePort() {
        return NetworkOrder.u16(segment, offset + SOURCE_PORT);
    }

    /** Sets {@link #sourcePort()}; 0 to 65535. */
    public DccpView sourcePort(int sourcePort) {
        FieldBits.put(segment, offset, 8 * SOURCE_PORT, 16, "sourcePort", sourcePort);
        return this;
    }

    /** The destination port. */
    public int destinationPort() {
        return NetworkOrder.u16(segment, offset + DESTINATION_PORT);
    }

    /** Sets {@link #destinationPort()}; 0 to 65535. */
    public DccpView destinationPort(int destinationPort) {
        FieldBits.put(segment, offset, 8 * DESTINATION_PORT, 16, "destinationPort", destinationPort);
        return this;
    }

    /** The offset of the data from the start of the header, in units of 4 bytes. */
    public int dataOffset() {
        return NetworkOrder.u8(segment, offset + DATA_OFFSET);
    }

    /** Sets {@link #dataOffset()}; 0 to 255. */
    public DccpView dataOffset(int dataOffset) {
        FieldBits.put(segment, offset, 8 * DATA_OFFSET, 8, "dataOffset", dataOffset);
        return this;
    }

    /** CCVal: what the sender's congestion control says there (RFC 4340, 5.1), 4 bits. */
    public int congestionControl() {
        return NetworkOrder.u8(segment, offset + CONGESTION_CONTROL) >>> 4;
    }

    /** Sets {@link #congestionControl()}; 0 to 15. */
    public DccpView congestionControl(int congestionControl) {
        FieldBits.put(segment, offset, 8 * CONGESTION_CONTROL, 4, "congestionControl", congestionControl);
        return this;
    }

    /** 0 for all; else units of 4 bytes of data, plus one. */
    public int checksumCoverage() {
        return NetworkOrder.u8(segment, offset + CONGESTION_CONTROL) & 0xf;
    }

    /** Sets {@link #checksumCoverage()}; 0 to 15. */
    public DccpView checksumCoverage(int checksumCoverage) {
        FieldBits.put(segment, offset, 8 * CONGESTION_CONTROL + 4, 4, "checksumCoverage", checksumCoverage);
        return this;
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return NetworkOrder.u16(segment, offset + CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public DccpView checksum(int checksum) {
        FieldBits.put(segment, offset, 8 * CHECKSUM, 16, "checksum", checksum);
        return this;
    }

    /** 0 request, 1 response, 2 data, 3 ack, 4 data and ack, 5 close request, 6 close, 7 reset, 8 sync, 9 sync ack. */
    public int type() {
        return NetworkOrder.u8(segment, offset + TYPE) >>> 1 & 0xf;
    }

    /** Sets {@link #type()}; 0 to 15. */
    public DccpView type(int type) {
        FieldBits.put(segment, offset, 8 * TYPE + 3, 4, "type", type);
        return this;
    }

    /** Whether sequence numbers have 48 bits. */
    public boolean isExtended() {
        return (NetworkOrder.u8(segment, offset + TYPE) & 0x1) != 0;
    }

    /** Sets {@link #isExtended()}. */
    public DccpView extended(boolean extended) {
        FieldBits.put(segment, offset, 8 * TYPE + 7, extended);
        return this;
    }

    /** 48 or 24 bits. */
    public long sequenceNumber() {
        return isExtended()
                ? NetworkOrder.u48(segment, offset + LONG_SEQUENCE_NUMBER)
                : NetworkOrder.u24(segment, offset + SEQUENCE_NUMBER);
    }

    /**
     * Sets {@link #sequenceNumber()}.
     *
     * @throws IllegalArgumentException if it does not fit in 48 bits, or 24
     */
    public DccpView sequenceNumber(long sequenceNumber) {
        int bits = isExtended() ? 48 : 24;
        int at = isExtended() ? LONG_SEQUENCE_NUMBER : SEQUENCE_NUMBER;
        FieldBits.put(segment, offset, 8 * at, bits, "sequenceNumber", sequenceNumber);
        return this;
    }

    /** The length of the header with acknowledgment and options, in bytes. */
    public int headerLength() {
        return dataOffset() << 2;
    }

    /** The offset in the segment of the first byte after the header. */
    public long payloadOffset() {
        return offset + headerLength();
    }

    /** The number of available bytes after the header. */
    public int payloadLength() {
        return length - headerLength();
    }

    @Override
    public String toString() {
        return "dccp " + sourcePort() + " -> " + destinationPort() + " type " + type();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        private final DccpView dccp = new DccpView();

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "dccp",
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
        public void fields(Layer layer, FieldVisitor to) {
            super.fields(layer, to);
            if (layer.wrapHeader(dccp)) {
                to.number("sequenceNumber", dccp.sequenceNumber());
            }
        }
    }
}
