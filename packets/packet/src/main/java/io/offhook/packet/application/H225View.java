package io.offhook.packet.application;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * The start of an H.225 call signalling message over TCP: TPKT (RFC 1006, 6), then the header of Q.931 (ITU-T Q.931,
 * 4).
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+---------------+-------------------------------+
 * |  tpkt version |               |         message length        |
 * +---------------+---------------+-------------------------------+
 * | discriminator |call reference.|
 * +---------------+---------------+
 * | call reference, message type, information elements ...
 * </pre>
 */
public final class H225View extends CarrierView<H225View> {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 6;

    private static final int CALL_CONTROL = 8;
    private static final int MAX_REFERENCE = 4;
    private static final int TPKT_VERSION = 0;
    private static final int MESSAGE_LENGTH = 2;
    private static final int DISCRIMINATOR = 4;
    private static final int CALL_REFERENCE_LENGTH = 5;
    private static final int CALL_REFERENCE = 6;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public H225View() {}

    /**
     * Wraps a message: TRUNCATED if fewer bytes are available than up to the message type, UNSUPPORTED if it is none
     * of call control.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        boolean isTpkt = NetworkOrder.u16(segment, offset + TPKT_VERSION) == 0x0300;
        if (!isTpkt || NetworkOrder.u8(segment, offset + DISCRIMINATOR) != CALL_CONTROL) {
            return WrapStatus.UNSUPPORTED;
        }
        int reference = NetworkOrder.u8(segment, offset + CALL_REFERENCE_LENGTH);
        if (reference > MAX_REFERENCE) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, CALL_REFERENCE + reference + 1);
    }

    /** The version of the preceding TPKT header, 3 (RFC 1006, 6). */
    public int tpktVersion() {
        return u8(TPKT_VERSION);
    }

    /** Sets {@link #tpktVersion()}; 0 to 255. */
    public H225View tpktVersion(int tpktVersion) {
        return putU8(TPKT_VERSION, "tpktVersion", tpktVersion);
    }

    /** The length of the message with TPKT's header, in bytes. */
    public int messageLength() {
        return u16(MESSAGE_LENGTH);
    }

    /** Sets {@link #messageLength()}; 0 to 65535. */
    public H225View messageLength(int messageLength) {
        return putU16(MESSAGE_LENGTH, "messageLength", messageLength);
    }

    /** 8, call control. */
    public int discriminator() {
        return u8(DISCRIMINATOR);
    }

    /** Sets {@link #discriminator()}; 0 to 255. */
    public H225View discriminator(int discriminator) {
        return putU8(DISCRIMINATOR, "discriminator", discriminator);
    }

    /** The length of the call reference, in bytes; 2 in H.225. */
    public int callReferenceLength() {
        return u8(CALL_REFERENCE_LENGTH);
    }

    /** Sets {@link #callReferenceLength()}; 0 to 255. */
    public H225View callReferenceLength(int callReferenceLength) {
        return putU8(CALL_REFERENCE_LENGTH, "callReferenceLength", callReferenceLength);
    }

    /** 15 bits of H.225's two bytes, without the flag of who made it. */
    public int callReference() {
        return callReferenceLength() == 2 ? u16(CALL_REFERENCE) & 0x7fff : 0;
    }

    /** Sets {@link #callReference()}; 0 to 32767. */
    public H225View callReference(int callReference) {
        FieldRange.require("callReference", callReferenceLength() == 2);
        return putBits(CALL_REFERENCE, 1, 15, "callReference", callReference);
    }

    /** Whether the message comes from the side that was called. */
    public boolean isFromCalled() {
        return callReferenceLength() > 0 && (u8(CALL_REFERENCE) & 0x80) != 0;
    }

    /** Sets {@link #isFromCalled()}. */
    public H225View fromCalled(boolean fromCalled) {
        FieldRange.require("fromCalled", callReferenceLength() > 0);
        return putFlag(CALL_REFERENCE, 0, fromCalled);
    }

    /** 1 alerting, 2 call proceeding, 3 progress, 5 setup, 7 connect, 90 release complete, 98 facility, 110 notify. */
    public int messageType() {
        return u8(CALL_REFERENCE + callReferenceLength());
    }

    /** Sets {@link #messageType()}; 0 to 255. */
    public H225View messageType(int messageType) {
        return putU8(CALL_REFERENCE + callReferenceLength(), "messageType", messageType);
    }

    @Override
    public String toString() {
        return "h225 type " + messageType();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<H225View> {
        private static final int REFERENCE_BYTES = 2;

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "h225",
                    new H225View(),
                    HeaderLayout.of(MIN_LENGTH)
                            .number("tpktVersion", TPKT_VERSION, 8)
                            .number("messageLength", MESSAGE_LENGTH, 16)
                            .number("discriminator", DISCRIMINATOR, 8)
                            .number("callReferenceLength", CALL_REFERENCE_LENGTH, 8));
        }

        /** By TPKT and the header of Q.931; in H.225.0 a call reference has two bytes. */
        @Override
        public boolean isMarked(LayerType transport, Layer payload) {
            return transport == LayerType.TCP && payload.wrap(view) && view.callReferenceLength() == REFERENCE_BYTES;
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            to.number("callReference", view.callReference());
            to.number("messageType", view.messageType());
        }
    }
}
