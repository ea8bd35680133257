package io.offhook.packet.tunnel;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldRange;
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
 * A header of L2TP version 2 (RFC 2661, 3.1). Which of the optional fields there are, the flags say; those that are not
 * there read 0.
 *
 * <pre>
 *  0               8               16              24              32
 * +-----------------------+-------+
 * |         flags         |version|
 * +-----------------------+-------+
 * | length, tunnel, session, sequence numbers, offset ...
 * </pre>
 */
public final class L2tpView extends CarrierView<L2tpView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 6;

    /** Bytes of a session's header over IP (RFC 3931, 4.1.1). */
    public static final int OVER_IP_LENGTH = 4;

    /** The flag of a control message. */
    public static final int FLAG_CONTROL = 0x8000;

    /** The flag of a header with a length. */
    public static final int FLAG_LENGTH = 0x4000;

    /** The flag of a header with sequence numbers. */
    public static final int FLAG_SEQUENCE = 0x0800;

    /** The flag of a header with a padding before its payload. */
    public static final int FLAG_OFFSET = 0x0200;
    /** The offset of flags and version, in bytes. */
    public static final int FLAGS = 0;

    private static final int VERSION = 1;
    /** The offset of the length, in bytes from the start of a header that has one. */
    public static final int MESSAGE_LENGTH = 2;

    // behind flags and length
    private static final int TUNNEL_ID = 0;
    private static final int SESSION_ID = 2;
    private static final int SEQUENCE_NUMBER = 4;
    private static final int EXPECTED_SEQUENCE_NUMBER = 6;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public L2tpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.L2TP;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than its flags require, UNSUPPORTED if its version is not
     * 2.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if ((NetworkOrder.u16(segment, offset + FLAGS) & 0xf) != 2) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, headerLength(segment, offset, length));
    }

    /**
     * From the highest bit: control, length, two that are 0, sequence, one that is 0, offset, priority, four that are
     * 0.
     */
    public int flags() {
        return u16(FLAGS) >>> 4;
    }

    /** Sets {@link #flags()}; 0 to 4095. */
    public L2tpView flags(int flags) {
        return putBits(FLAGS, 0, 12, "flags", flags);
    }

    /** The version stated in the header. */
    public int version() {
        return u8(VERSION) & 0xf;
    }

    /** Sets {@link #version()}; 0 to 15. */
    public L2tpView version(int version) {
        return putBits(VERSION, 4, 4, "version", version);
    }

    /** Of the header, or a number above the available bytes. */
    private static int headerLength(MemorySegment segment, long offset, int length) {
        int bits = NetworkOrder.u16(segment, offset + FLAGS);
        int header = MIN_LENGTH + ((bits & FLAG_LENGTH) != 0 ? 2 : 0) + ((bits & FLAG_SEQUENCE) != 0 ? 4 : 0);
        if ((bits & FLAG_OFFSET) == 0) {
            return header;
        }
        return length < header + 2 ? header + 2 : header + 2 + NetworkOrder.u16(segment, offset + header);
    }

    /** Whether it is a control message, and carries no PPP frame. */
    public boolean isControl() {
        return has(FLAG_CONTROL);
    }

    private boolean has(int flag) {
        return (u16(FLAGS) & flag) != 0;
    }

    private int idsAt() {
        return has(FLAG_LENGTH) ? MESSAGE_LENGTH + 2 : MESSAGE_LENGTH;
    }

    /** The length of the whole message with its header, in bytes; 0 if the header has none. */
    public int messageLength() {
        return has(FLAG_LENGTH) ? u16(MESSAGE_LENGTH) : 0;
    }

    /** Sets {@link #messageLength()}; 0 to 65535. */
    public L2tpView messageLength(int messageLength) {
        FieldRange.require("messageLength", has(FLAG_LENGTH));
        return putU16(MESSAGE_LENGTH, "messageLength", messageLength);
    }

    /** The tunnel, as the receiver numbers them. */
    public int tunnelId() {
        return u16(idsAt() + TUNNEL_ID);
    }

    /** Sets {@link #tunnelId()}; 0 to 65535. */
    public L2tpView tunnelId(int tunnelId) {
        return putU16(idsAt() + TUNNEL_ID, "tunnelId", tunnelId);
    }

    /** The session that the packet belongs to. */
    public int sessionId() {
        return u16(idsAt() + SESSION_ID);
    }

    /** Sets {@link #sessionId()}; 0 to 65535. */
    public L2tpView sessionId(int sessionId) {
        return putU16(idsAt() + SESSION_ID, "sessionId", sessionId);
    }

    /** Whether the header has a sequence number. */
    public boolean hasSequenceNumber() {
        return has(FLAG_SEQUENCE);
    }

    /** Ns: the number of the message among those of its sender; 0 without one. */
    public int sequenceNumber() {
        return hasSequenceNumber() ? u16(idsAt() + SEQUENCE_NUMBER) : 0;
    }

    /** Sets {@link #sequenceNumber()}; 0 to 65535. */
    public L2tpView sequenceNumber(int sequenceNumber) {
        FieldRange.require("sequenceNumber", hasSequenceNumber());
        return putU16(idsAt() + SEQUENCE_NUMBER, "sequenceNumber", sequenceNumber);
    }

    /** The sequence number that is expected next; it means nothing in data. */
    public int expectedSequenceNumber() {
        return hasSequenceNumber() ? u16(idsAt() + EXPECTED_SEQUENCE_NUMBER) : 0;
    }

    /** Sets {@link #expectedSequenceNumber()}; 0 to 65535. */
    public L2tpView expectedSequenceNumber(int expectedSequenceNumber) {
        FieldRange.require("expectedSequenceNumber", hasSequenceNumber());
        return putU16(idsAt() + EXPECTED_SEQUENCE_NUMBER, "expectedSequenceNumber", expectedSequenceNumber);
    }

    @Override
    public String toString() {
        return "l2tp tunnel " + tunnelId() + " session " + sessionId();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<L2tpView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "l2tp",
                    new L2tpView(),
                    HeaderLayout.of(MIN_LENGTH)
                            .bits("flags", FLAGS, 0, 12)
                            .bits("version", VERSION, 4, 4)
                            .whenCutBefore(MIN_LENGTH, 0));
        }

        /** Of L2TP over IP, which is version 3, there is the session only. */
        @Override
        public void fields(Layer layer, FieldVisitor to) {
            if (layer.headerLength() >= MIN_LENGTH) {
                super.fields(layer, to);
            }
            if (layer.headerLength() == OVER_IP_LENGTH) {
                to.number("sessionId", layer.u32(0));
            } else if (layer.wrapHeader(view)) {
                to.flag("control", view.isControl());
                to.number("tunnelId", view.tunnelId());
                to.number("sessionId", view.sessionId());
                if (view.hasSequenceNumber()) {
                    to.number("sequenceNumber", view.sequenceNumber());
                    to.number("expectedSequenceNumber", view.expectedSequenceNumber());
                }
            }
        }
    }
}
