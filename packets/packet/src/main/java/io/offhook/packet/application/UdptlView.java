package io.offhook.packet.application;

import io.offhook.packet.Claims;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A packet of T.38 fax over UDPTL (ITU-T T.38, 9.1): a sequence number, one message, and earlier messages or a check to
 * put them together again.
 *
 * <pre>
 *  0               8               16              24              32
 * +-------------------------------+
 * |        sequence number        |
 * +-------------------------------+
 * | length (8 bits), message; length, earlier messages ...
 * </pre>
 */
public final class UdptlView extends HeaderView<UdptlView> {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 3;

    private static final int MESSAGE = 2;
    private static final int SEQUENCE_NUMBER = 0;

    // behind the first message
    private static final int ERROR_CORRECTION = 0;
    private static final int REDUNDANT_COUNT = 1;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public UdptlView() {}

    /**
     * Wraps a packet: TRUNCATED if its first message is not all there, UNSUPPORTED if that has 128 bytes or more,
     * as faxes do not.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int message = NetworkOrder.u8(segment, offset + MESSAGE);
        if (message >= 128) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, MIN_LENGTH + message);
    }

    /** The number of the packet, 16 bits. */
    public int sequenceNumber() {
        return u16(SEQUENCE_NUMBER);
    }

    /** Sets {@link #sequenceNumber()}; 0 to 65535. */
    public UdptlView sequenceNumber(int sequenceNumber) {
        return putU16(SEQUENCE_NUMBER, "sequenceNumber", sequenceNumber);
    }

    /** The length of the first message, in bytes. */
    public int messageLength() {
        return u8(MESSAGE);
    }

    /** Sets {@link #messageLength()}; 0 to 255. */
    public UdptlView messageLength(int messageLength) {
        return putU8(MESSAGE, "messageLength", messageLength);
    }

    /** Where the primary message starts: T.38's own. */
    public long messageOffset() {
        return offset + MIN_LENGTH;
    }

    /** Whether what follows is a check over earlier messages (FEC), and not these once more. */
    public boolean isErrorCorrection() {
        int at = MIN_LENGTH + messageLength();
        return length > at && (u8(at + ERROR_CORRECTION) & 0x80) != 0;
    }

    /** Sets {@link #isErrorCorrection()}. */
    public UdptlView errorCorrection(boolean errorCorrection) {
        int at = MIN_LENGTH + messageLength();
        FieldRange.require("errorCorrection", length > at);
        return putFlag(at + ERROR_CORRECTION, 0, errorCorrection);
    }

    /** Earlier messages that follow; 0 with error correction, and where the packet ends before. */
    public int redundantCount() {
        int at = MIN_LENGTH + messageLength();
        return length > at + REDUNDANT_COUNT && !isErrorCorrection() ? u8(at + REDUNDANT_COUNT) : 0;
    }

    /** Sets {@link #redundantCount()}; 0 to 255. */
    public UdptlView redundantCount(int redundantCount) {
        int at = MIN_LENGTH + messageLength();
        FieldRange.require("redundantCount", length > at + REDUNDANT_COUNT && !isErrorCorrection());
        return putU8(at + REDUNDANT_COUNT, "redundantCount", redundantCount);
    }

    @Override
    public String toString() {
        return "udptl " + sequenceNumber();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<UdptlView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "udptl",
                    new UdptlView(),
                    HeaderLayout.of(MIN_LENGTH).number("sequenceNumber", SEQUENCE_NUMBER, 16),
                    Claims.NONE.udp(6004));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            to.number("messageLength", view.messageLength());
            to.flag("errorCorrection", view.isErrorCorrection());
            to.number("redundantCount", view.redundantCount());
        }
    }
}
