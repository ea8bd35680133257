package io.offhook.packet.link;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.TypeLengthValues;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A PPPoE header (RFC 2516, 4), of the discovery or of the session stage.
 *
 * <pre>
 *  0   4   8        16                32
 * +---+---+--------+-----------------+
 * |ver|typ|  code  |   session id    |
 * +---+---+--------+-----------------+
 * |     length     | payload
 * +----------------+----
 * </pre>
 */
public final class PppoeView extends CarrierView<PppoeView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 6;

    /** The code of the session stage. */
    public static final int SESSION_DATA = 0;

    /** The offset of version and type, in bytes. */
    public static final int VERSION_TYPE = 0;

    private static final int CODE = 1;
    /** The offset of the session, in bytes. */
    public static final int SESSION_ID = 2;
    /** The offset of the payload length, in bytes. */
    public static final int PAYLOAD_LENGTH = 4;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public PppoeView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.PPPOE;
    }

    /** Wraps a PPPoE header: TRUNCATED below 6 bytes, UNSUPPORTED if version or type is not 1. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset + VERSION_TYPE) != 0x11) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, LENGTH);
    }

    /** The version stated in the header. */
    public int version() {
        return u8(VERSION_TYPE) >>> 4;
    }

    /** Sets {@link #version()}; 0 to 15. */
    public PppoeView version(int version) {
        return putBits(VERSION_TYPE, 0, 4, "version", version);
    }

    /** Always 1. */
    public int type() {
        return u8(VERSION_TYPE) & 15;
    }

    /** Sets {@link #type()}; 0 to 15. */
    public PppoeView type(int type) {
        return putBits(VERSION_TYPE, 4, 4, "type", type);
    }

    /** 0 for session data, else the kind of discovery packet. */
    public int code() {
        return u8(CODE);
    }

    /** Sets {@link #code()}; 0 to 255. */
    public PppoeView code(int code) {
        return putU8(CODE, "code", code);
    }

    /** The session; 0 in discovery until it is given. */
    public int sessionId() {
        return u16(SESSION_ID);
    }

    /** Sets {@link #sessionId()}; 0 to 65535. */
    public PppoeView sessionId(int sessionId) {
        return putU16(SESSION_ID, "sessionId", sessionId);
    }

    /** The length of the payload as the header has it, in bytes. */
    public int payloadLengthField() {
        return u16(PAYLOAD_LENGTH);
    }

    /** Sets {@link #payloadLengthField()}; 0 to 65535. */
    public PppoeView payloadLengthField(int payloadLengthField) {
        return putU16(PAYLOAD_LENGTH, "payloadLengthField", payloadLengthField);
    }

    /** The number of available bytes of the payload. */
    @Override
    public int payloadLength() {
        return Math.min(payloadLengthField(), length - LENGTH);
    }

    /** Whether the header states more bytes than are available. */
    public boolean isSnapped() {
        return payloadLengthField() > length - LENGTH;
    }

    @Override
    public String toString() {
        return "pppoe code " + code() + " session " + sessionId() + " length " + payloadLengthField();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<PppoeView> {
        private final TypeLengthValues tags = new TypeLengthValues(TypeLengthValues.Form.PPPOE_TAGS);

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "pppoe",
                    new PppoeView(),
                    HeaderLayout.of(LENGTH)
                            .bits("version", VERSION_TYPE, 0, 4)
                            .bits("type", VERSION_TYPE, 4, 4)
                            .number("code", CODE, 8)
                            .number("sessionId", SESSION_ID, 16)
                            .number("payloadLength", PAYLOAD_LENGTH, 16));
        }

        /** With the tags of discovery (RFC 2516, appendix A). */
        @Override
        public void fields(Layer layer, FieldVisitor to) {
            super.fields(layer, to);
            if (!layer.wrap(view) || view.code() == SESSION_DATA) {
                return;
            }
            tags.wrap(layer.segment(), view.payloadOffset(), view.payloadLength());
            while (tags.next()) {
                switch ((int) tags.type()) {
                    case 0x0101 -> to.text("serviceName", tags.text());
                    case 0x0102 -> to.text("concentratorName", tags.text());
                    case 0x0103 -> tags.bytes("hostUnique", to);
                    case 0x0104 -> tags.bytes("cookie", to);
                    case 0x0120 -> to.number("maximumPayload", tags.u16(0));
                    default -> tags.bytes("tag" + tags.type(), to);
                }
            }
        }
    }
}
