package io.offhook.packet.application;

import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.TypeLengthValues;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A STUN message (RFC 8489, 5), of TURN (RFC 8656) and ICE (RFC 8445) too.
 *
 * <pre>
 *  0               8               16              24              32
 * +-------------------------------+-------------------------------+
 * |              type             |         message length        |
 * +-------------------------------+-------------------------------+
 * |                             cookie                            |
 * +---------------------------------------------------------------+
 * |                                                    (12 bytes) |
 * +---------------------------------------------------------------+
 * | attributes ...
 * </pre>
 */
public final class StunView extends HeaderView<StunView> {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 20;

    /** The magic cookie of RFC 8489, 5; STUN's messages have it in bytes 4 to 7. */
    public static final int MAGIC_COOKIE = 0x2112a442;

    private static final int TYPE = 0;
    private static final int MESSAGE_LENGTH = 2;
    private static final int COOKIE = 4;
    private static final int TRANSACTION_ID = 8;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public StunView() {}

    /**
     * Wraps a message: TRUNCATED below 20 bytes, UNSUPPORTED if its first two bits are not 0, or it has no cookie,
     * MALFORMED if its length is no multiple of 4.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset + TYPE) > 0x3f
                || NetworkOrder.bits32(segment, offset + COOKIE) != MAGIC_COOKIE) {
            return WrapStatus.UNSUPPORTED;
        }
        if ((NetworkOrder.u16(segment, offset + MESSAGE_LENGTH) & 3) != 0) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, LENGTH);
    }

    /** Two bits that are 0, 12 of the method with 2 of the class in between. */
    public int type() {
        return u16(TYPE);
    }

    /** Sets {@link #type()}; 0 to 65535. */
    public StunView type(int type) {
        return putU16(TYPE, "type", type);
    }

    /** The length of the attributes, in bytes. */
    public int messageLength() {
        return u16(MESSAGE_LENGTH);
    }

    /** Sets {@link #messageLength()}; 0 to 65535. */
    public StunView messageLength(int messageLength) {
        return putU16(MESSAGE_LENGTH, "messageLength", messageLength);
    }

    /** 0x2112a442; older messages (RFC 3489) have another. */
    public long cookie() {
        return u32(COOKIE);
    }

    /** Sets {@link #cookie()}; 0 to 4294967295. */
    public StunView cookie(long cookie) {
        return putU32(COOKIE, "cookie", cookie);
    }

    /** 0 request, 1 indication, 2 success, 3 error. */
    public int messageClass() {
        return classOf(type());
    }

    /** Sets {@link #messageClass()}; 0 to 3. */
    public StunView messageClass(int messageClass) {
        FieldRange.check("messageClass", messageClass, 3);
        return type(type() & ~0x110 | (messageClass & 2) << 7 | (messageClass & 1) << 4);
    }

    /** 1 binding, 3 allocate, 4 refresh, 6 send, 7 data, 8 create permission, 9 channel bind. */
    public int method() {
        return methodOf(type());
    }

    private static int classOf(int type) {
        return type >>> 7 & 2 | type >>> 4 & 1;
    }

    /** What is not the class (RFC 8489, 5). */
    private static int methodOf(int type) {
        return type & 0x0f | type >>> 1 & 0x70 | type >>> 2 & 0xf80;
    }

    /** Sets {@link #method()}; 0 to 4095. */
    public StunView method(int method) {
        FieldRange.check("method", method, 0xfff);
        return type(type() & 0x110 | method & 0x0f | (method & 0x70) << 1 | (method & 0xf80) << 2);
    }

    /** Where the transaction id starts: 96 bits. */
    public long transactionIdOffset() {
        return offset + TRANSACTION_ID;
    }

    /** Puts the iterator, of {@link TypeLengthValues.Form#STUN_ATTRIBUTES}, before the first attribute. */
    public void attributes(TypeLengthValues attributes) {
        attributes.wrap(segment, offset + LENGTH, Math.min(messageLength(), length - LENGTH));
    }

    @Override
    public String toString() {
        return "stun method " + method() + " class " + messageClass();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<StunView> {
        private final TypeLengthValues attributes = new TypeLengthValues(TypeLengthValues.Form.STUN_ATTRIBUTES);

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "stun",
                    new StunView(),
                    HeaderLayout.of(LENGTH)
                            .number("type", TYPE, 16)
                            .number("messageLength", MESSAGE_LENGTH, 16)
                            .number("cookie", COOKIE, 32));
        }

        /** By its cookie. */
        @Override
        public boolean isMarked(LayerType transport, Layer payload) {
            return transport == LayerType.UDP
                    && payload.length() >= LENGTH
                    && payload.u8(TYPE) < 4
                    && (int) payload.u32(COOKIE) == MAGIC_COOKIE;
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            to.number("class", view.messageClass());
            to.number("method", view.method());
            to.bytes("transactionId", layer.segment(), view.transactionIdOffset(), 12);
            view.attributes(attributes);
            for (int i = 0; i < MAX_LISTED && attributes.next(); i++) {
                switch ((int) attributes.type()) {
                    case 0x0006 -> to.text("userName", attributes.text());
                    case 0x0014 -> to.text("realm", attributes.text());
                    case 0x8022 -> to.text("software", attributes.text());
                    default -> attributes.bytes("attribute" + attributes.type(), to);
                }
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            int type = layer.u16(TYPE);
            to.text(methodName(methodOf(type)));
            to.text(
                    switch (classOf(type)) {
                        case 0 -> " request";
                        case 1 -> " indication";
                        case 2 -> " success";
                        default -> " error";
                    });
            return true;
        }

        private static String methodName(int method) {
            return switch (method) {
                case 1 -> "binding";
                case 3 -> "allocate";
                case 4 -> "refresh";
                case 6 -> "send";
                case 7 -> "data";
                case 8 -> "create permission";
                case 9 -> "channel bind";
                default -> "method " + method;
            };
        }
    }
}
