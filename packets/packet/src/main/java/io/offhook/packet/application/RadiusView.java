package io.offhook.packet.application;

import io.offhook.packet.Claims;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.TypeLengthValues;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A RADIUS packet (RFC 2865, 3; accounting: RFC 2866). Attributes follow, in
 * {@link TypeLengthValues.Form#RADIUS_ATTRIBUTES}.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+---------------+-------------------------------+
 * |      code     |   identifier  |         message length        |
 * +---------------+---------------+-------------------------------+
 * |                                                    (16 bytes) |
 * +---------------------------------------------------------------+
 * | attributes ...
 * </pre>
 */
public final class RadiusView extends HeaderView<RadiusView> {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 20;

    private static final int MAX_LENGTH = 4096;
    private static final int CODE = 0;
    private static final int IDENTIFIER = 1;
    private static final int MESSAGE_LENGTH = 2;
    private static final int AUTHENTICATOR = 4;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public RadiusView() {}

    /**
     * Wraps a packet: TRUNCATED if fewer bytes are available than it states, MALFORMED if it says fewer than 20 or more
     * than 4,096, UNSUPPORTED if its code is 0.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset + CODE) == 0) {
            return WrapStatus.UNSUPPORTED;
        }
        int messageLength = NetworkOrder.u16(segment, offset + MESSAGE_LENGTH);
        if (messageLength < LENGTH || messageLength > MAX_LENGTH) {
            return WrapStatus.MALFORMED;
        }
        if (length < messageLength) {
            return WrapStatus.TRUNCATED;
        }
        return wrap(segment, offset, length, LENGTH);
    }

    /** 1 access request, 2 accept, 3 reject, 4 accounting request, 5 accounting response, 11 challenge. */
    public int code() {
        return u8(CODE);
    }

    /** Sets {@link #code()}; 0 to 255. */
    public RadiusView code(int code) {
        return putU8(CODE, "code", code);
    }

    /** The identifier that request and response share. */
    public int identifier() {
        return u8(IDENTIFIER);
    }

    /** Sets {@link #identifier()}; 0 to 255. */
    public RadiusView identifier(int identifier) {
        return putU8(IDENTIFIER, "identifier", identifier);
    }

    /** The length of the whole packet, in bytes. */
    public int messageLength() {
        return u16(MESSAGE_LENGTH);
    }

    /** Sets {@link #messageLength()}; 0 to 65535. */
    public RadiusView messageLength(int messageLength) {
        return putU16(MESSAGE_LENGTH, "messageLength", messageLength);
    }

    /** Where the authenticator starts: 16 bytes. */
    public long authenticatorOffset() {
        return offset + AUTHENTICATOR;
    }

    /** Puts the iterator before the first attribute. */
    public void attributes(TypeLengthValues attributes) {
        attributes.wrap(segment, offset + LENGTH, messageLength() - LENGTH);
    }

    @Override
    public String toString() {
        return "radius code " + code() + " id " + identifier();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<RadiusView> {
        private final TypeLengthValues attributes = new TypeLengthValues(TypeLengthValues.Form.RADIUS_ATTRIBUTES);

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "radius",
                    new RadiusView(),
                    HeaderLayout.of(LENGTH)
                            .number("code", CODE, 8)
                            .number("identifier", IDENTIFIER, 8)
                            .number("messageLength", MESSAGE_LENGTH, 16),
                    Claims.NONE.udp(1645, 1646, 1700, 1812, 1813, 3799));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            to.bytes("authenticator", layer.segment(), view.authenticatorOffset(), 16);
            view.attributes(attributes);
            for (int i = 0; i < MAX_LISTED && attributes.next(); i++) {
                if (attributes.type() == 1) {
                    to.text("userName", attributes.text());
                } else {
                    attributes.bytes("attribute" + attributes.type(), to);
                }
            }
        }
    }
}
