package io.offhook.packet.transport;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A TCP header (RFC 9293, 3.1). Its options are read by {@link TcpOptions}.
 *
 * <pre>
 *  0                16               32
 * +----------------+----------------+
 * |  source port   | destination p. |
 * +----------------+----------------+
 * |         sequence number         |
 * +---------------------------------+
 * |      acknowledgment number      |
 * +----+---+-+-+-+-+----------------+
 * |off.|   flags    |     window    |
 * +----+------------+---------------+
 * |    checksum     | urgent pointer|
 * +-----------------+---------------+
 * |   options ...
 * </pre>
 */
public final class TcpView extends CarrierView<TcpView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 20;
    /** A flag of {@link #flags()} (RFC 9293, 3.1). */
    public static final int FIN = 0x01;
    /** A flag of {@link #flags()} (RFC 9293, 3.1). */
    public static final int SYN = 0x02;
    /** A flag of {@link #flags()} (RFC 9293, 3.1). */
    public static final int RST = 0x04;
    /** A flag of {@link #flags()} (RFC 9293, 3.1). */
    public static final int PSH = 0x08;
    /** A flag of {@link #flags()} (RFC 9293, 3.1). */
    public static final int ACK = 0x10;
    /** A flag of {@link #flags()} (RFC 9293, 3.1). */
    public static final int URG = 0x20;
    /** A flag of {@link #flags()} (RFC 3168, 6.1). */
    public static final int ECE = 0x40;
    /** A flag of {@link #flags()} (RFC 3168, 6.1). */
    public static final int CWR = 0x80;

    /** The offset of the source port, in bytes. */
    public static final int SOURCE_PORT = 0;

    private static final int DESTINATION_PORT = 2;
    /** The offset of the sequence number, in bytes. */
    public static final int SEQUENCE_NUMBER = 4;
    /** The offset of the acknowledgment number, in bytes. */
    public static final int ACKNOWLEDGMENT_NUMBER = 8;
    /** The offset of data offset (4 bits) and flags, in bytes. */
    public static final int OFFSET_FLAGS = 12;

    /** The offset of the window, in bytes. */
    public static final int WINDOW = 14;
    /** The offset of the checksum, in bytes. */
    public static final int CHECKSUM = 16;

    private static final int URGENT_POINTER = 18;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public TcpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.TCP;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than it states, MALFORMED if it says fewer than 20.
     *
     * @param length the number of bytes available from {@code offset}: the segment's, link padding not counted
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int header = NetworkOrder.u8(segment, offset + OFFSET_FLAGS) >>> 4 << 2;
        if (header < MIN_LENGTH) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, header);
    }

    /** The source port. */
    public int sourcePort() {
        return u16(SOURCE_PORT);
    }

    /** Sets {@link #sourcePort()}; 0 to 65535. */
    public TcpView sourcePort(int sourcePort) {
        return putU16(SOURCE_PORT, "sourcePort", sourcePort);
    }

    /** The destination port. */
    public int destinationPort() {
        return u16(DESTINATION_PORT);
    }

    /** Sets {@link #destinationPort()}; 0 to 65535. */
    public TcpView destinationPort(int destinationPort) {
        return putU16(DESTINATION_PORT, "destinationPort", destinationPort);
    }

    /** 32 bits; to be compared by signed subtraction. */
    public long sequenceNumber() {
        return u32(SEQUENCE_NUMBER);
    }

    /** Sets {@link #sequenceNumber()}; 0 to 4294967295. */
    public TcpView sequenceNumber(long sequenceNumber) {
        return putU32(SEQUENCE_NUMBER, "sequenceNumber", sequenceNumber);
    }

    /** The sequence number that the sender expects next. */
    public long acknowledgmentNumber() {
        return u32(ACKNOWLEDGMENT_NUMBER);
    }

    /** Sets {@link #acknowledgmentNumber()}; 0 to 4294967295. */
    public TcpView acknowledgmentNumber(long acknowledgmentNumber) {
        return putU32(ACKNOWLEDGMENT_NUMBER, "acknowledgmentNumber", acknowledgmentNumber);
    }

    /**
     * Sets {@link #headerLength()}.
     *
     * @param headerLength 20 to 60 in fours, and not more than is there
     */
    public TcpView headerLength(int headerLength) {
        FieldRange.checkMultiple("headerLength", headerLength, MIN_LENGTH, Math.min(60, length), 4);
        putBits(OFFSET_FLAGS, 0, 4, "headerLength", headerLength >>> 2);
        this.headerLength = headerLength;
        return this;
    }

    /** 12 bits: {@link #FIN} to {@link #CWR}, and the four reserved ones above them. */
    public int flags() {
        return u16(OFFSET_FLAGS) & 0xfff;
    }

    /** Sets {@link #flags()}; 0 to 4095. */
    public TcpView flags(int flags) {
        return putBits(OFFSET_FLAGS, 4, 12, "flags", flags);
    }

    /** Whether the sender has no more data. */
    public boolean isFin() {
        return (flags() & FIN) != 0;
    }

    /** Whether the sender opens the connection. */
    public boolean isSyn() {
        return (flags() & SYN) != 0;
    }

    /** Whether the connection is reset. */
    public boolean isRst() {
        return (flags() & RST) != 0;
    }

    /** Whether the receiver is to hand the data on at once. */
    public boolean isPsh() {
        return (flags() & PSH) != 0;
    }

    /** Whether the acknowledgment number means something. */
    public boolean isAck() {
        return (flags() & ACK) != 0;
    }

    /** The window as stated in the header, in bytes before scaling. */
    public int window() {
        return u16(WINDOW);
    }

    /** Sets {@link #window()}; 0 to 65535. */
    public TcpView window(int window) {
        return putU16(WINDOW, "window", window);
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public TcpView checksum(int checksum) {
        return putU16(CHECKSUM, "checksum", checksum);
    }

    /** Where urgent data ends, from the sequence number on. */
    public int urgentPointer() {
        return u16(URGENT_POINTER);
    }

    /** Sets {@link #urgentPointer()}; 0 to 65535. */
    public TcpView urgentPointer(int urgentPointer) {
        return putU16(URGENT_POINTER, "urgentPointer", urgentPointer);
    }

    /** The offset of the options in the segment. */
    public long optionsOffset() {
        return offset + MIN_LENGTH;
    }

    /** The length of the options, in bytes. */
    public int optionsLength() {
        return headerLength - MIN_LENGTH;
    }

    /** Puts the iterator before the first option. */
    public void options(TcpOptions options) {
        options.wrap(segment, optionsOffset(), optionsLength());
    }

    @Override
    public String toString() {
        return "tcp " + sourcePort() + " -> " + destinationPort() + " flags 0x" + Integer.toHexString(flags())
                + " sequence " + sequenceNumber() + " acknowledgment " + acknowledgmentNumber();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<TcpView> {
        private static final String[] FLAG_NAMES = {"FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR", "AE"};

        private final TcpOptions options = new TcpOptions();

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "tcp",
                    new TcpView(),
                    HeaderLayout.of(MIN_LENGTH)
                            .number("sourcePort", SOURCE_PORT, 16)
                            .number("destinationPort", DESTINATION_PORT, 16)
                            .number("sequenceNumber", SEQUENCE_NUMBER, 32)
                            .number("acknowledgmentNumber", ACKNOWLEDGMENT_NUMBER, 32)
                            .bits("flags", OFFSET_FLAGS, 4, 12)
                            .number("window", WINDOW, 16)
                            .number("checksum", CHECKSUM, 16)
                            .number("urgentPointer", URGENT_POINTER, 16)
                            .whenMalformed(ACKNOWLEDGMENT_NUMBER)
                            .whenCutBefore(CHECKSUM, SEQUENCE_NUMBER));
        }

        @Override
        public void fields(Layer layer, FieldVisitor to) {
            to.number("headerLength", layer.headerLength());
            super.fields(layer, to);
            options.wrap(layer.segment(), layer.offset() + MIN_LENGTH, layer.headerLength() - MIN_LENGTH);
            while (options.next()) {
                options.visit(to);
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            if (!layer.wrap(view)) {
                to.text("header cut");
                return true;
            }
            flags(to);
            to.text(" Seq=").number(view.sequenceNumber());
            if (view.isAck()) {
                to.text(" Ack=").number(view.acknowledgmentNumber());
            }
            to.text(" Win=").number(view.window());
            to.text(" Len=").number(layer.packet().payloadWireLength());
            return true;
        }

        private void flags(SafeText to) {
            to.text("[");
            boolean isFirst = true;
            for (int i = 0; i < FLAG_NAMES.length; i++) {
                if ((view.flags() >>> i & 1) != 0) {
                    to.text(isFirst ? "" : ",").text(FLAG_NAMES[i]);
                    isFirst = false;
                }
            }
            to.text("]");
        }
    }
}
