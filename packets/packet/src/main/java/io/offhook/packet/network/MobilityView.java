package io.offhook.packet.network;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.TypeLengthValues;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A mobility header of IPv6 (RFC 6275, 6.1): the messages by which a mobile node, its home agent and its correspondents
 * agree. Fields that a message of the type has not read 0.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+---------------+---------------+---------------+
 * |payload protoc.|header extensi.|      type     |               |
 * +---------------+---------------+---------------+---------------+
 * |            checksum           |
 * +-------------------------------+
 * | message, then options ...
 * </pre>
 */
public final class MobilityView extends CarrierView<MobilityView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 8;
    /** A type of message (RFC 6275, 6.1). */
    public static final int BINDING_REFRESH_REQUEST = 0;
    /** A type of message (RFC 6275, 6.1). */
    public static final int HOME_TEST_INIT = 1;
    /** A type of message (RFC 6275, 6.1). */
    public static final int CARE_OF_TEST_INIT = 2;
    /** A type of message (RFC 6275, 6.1). */
    public static final int HOME_TEST = 3;
    /** A type of message (RFC 6275, 6.1). */
    public static final int CARE_OF_TEST = 4;
    /** A type of message (RFC 6275, 6.1). */
    public static final int BINDING_UPDATE = 5;
    /** A type of message (RFC 6275, 6.1). */
    public static final int BINDING_ACKNOWLEDGMENT = 6;
    /** A type of message (RFC 6275, 6.1). */
    public static final int BINDING_ERROR = 7;

    private static final int PAYLOAD_PROTOCOL = 0;
    /** The offset of the length, in bytes. */
    public static final int HEADER_EXTENSION_LENGTH = 1;

    private static final int TYPE = 2;
    /** The offset of the checksum, in bytes. */
    public static final int CHECKSUM = 4;

    private static final int BODY = 6;
    private static final int UPDATE_SEQUENCE_NUMBER = 6;
    private static final int FLAGS = 8;
    private static final int STATUS = 6;
    private static final int ACKNOWLEDGED_SEQUENCE_NUMBER = 8;
    private static final int LIFETIME = 10;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public MobilityView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.MOBILITY;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than it states, MALFORMED if it is too short for its type.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int header = NetworkOrder.u8(segment, offset + HEADER_EXTENSION_LENGTH) + 1 << 3;
        if (header < BODY + bodyLength(NetworkOrder.u8(segment, offset + TYPE))) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, header);
    }

    /** 59: nothing follows. */
    public int payloadProtocol() {
        return u8(PAYLOAD_PROTOCOL);
    }

    /** Sets {@link #payloadProtocol()}; 0 to 255. */
    public MobilityView payloadProtocol(int payloadProtocol) {
        return putU8(PAYLOAD_PROTOCOL, "payloadProtocol", payloadProtocol);
    }

    /** Units of 8 bytes, less the first. */
    public int headerExtensionLength() {
        return u8(HEADER_EXTENSION_LENGTH);
    }

    /** Sets {@link #headerExtensionLength()}; 0 to 255. */
    public MobilityView headerExtensionLength(int headerExtensionLength) {
        return putU8(HEADER_EXTENSION_LENGTH, "headerExtensionLength", headerExtensionLength);
    }

    /** {@link #BINDING_REFRESH_REQUEST} to {@link #BINDING_ERROR}, and what later RFCs add. */
    public int type() {
        return u8(TYPE);
    }

    /** Sets {@link #type()}; 0 to 255. */
    public MobilityView type(int type) {
        return putU8(TYPE, "type", type);
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public MobilityView checksum(int checksum) {
        return putU16(CHECKSUM, "checksum", checksum);
    }

    /** Bytes of the fixed part of a message, behind the checksum; its options follow. */
    private static int bodyLength(int type) {
        return switch (type) {
            case BINDING_REFRESH_REQUEST -> 2;
            case HOME_TEST_INIT, CARE_OF_TEST_INIT -> 10;
            case HOME_TEST, CARE_OF_TEST, BINDING_ERROR -> 18;
            case BINDING_UPDATE, BINDING_ACKNOWLEDGMENT -> 6;
            default -> 0;
        };
    }

    private boolean isBinding() {
        return type() == BINDING_UPDATE || type() == BINDING_ACKNOWLEDGMENT;
    }

    /** The sequence number of a binding update or acknowledgment, which matches the reply to the request. */
    public int sequenceNumber() {
        return isBinding() ? u16(sequenceNumberAt()) : 0;
    }

    /**
     * Sets {@link #sequenceNumber()}.
     *
     * @throws IllegalStateException if the message does not have the field
     */
    public MobilityView sequenceNumber(int sequenceNumber) {
        FieldRange.require("sequenceNumber", isBinding());
        return putU16(sequenceNumberAt(), "sequenceNumber", sequenceNumber);
    }

    private int sequenceNumberAt() {
        return type() == BINDING_UPDATE ? UPDATE_SEQUENCE_NUMBER : ACKNOWLEDGED_SEQUENCE_NUMBER;
    }

    /**
     * Of a binding update: acknowledge, home registration, link-local, key management and others, from the highest bit.
     */
    public int flags() {
        return type() == BINDING_UPDATE ? u16(FLAGS) : 0;
    }

    /** Sets {@link #flags()}; 0 to 65535. */
    public MobilityView flags(int flags) {
        FieldRange.require("flags", type() == BINDING_UPDATE);
        return putU16(FLAGS, "flags", flags);
    }

    /** The status of a binding acknowledgment or error; below 128, the binding was accepted. */
    public int status() {
        return type() == BINDING_ACKNOWLEDGMENT || type() == BINDING_ERROR ? u8(STATUS) : 0;
    }

    /** Sets {@link #status()}. */
    public MobilityView status(int status) {
        FieldRange.require("status", type() == BINDING_ACKNOWLEDGMENT || type() == BINDING_ERROR);
        return putU8(STATUS, "status", status);
    }

    /** The lifetime of a binding update or acknowledgment, in units of 4 s. */
    public int lifetime() {
        return isBinding() ? u16(LIFETIME) : 0;
    }

    /**
     * Sets {@link #lifetime()}.
     *
     * @throws IllegalStateException if the message does not have the field
     */
    public MobilityView lifetime(int lifetime) {
        FieldRange.require("lifetime", isBinding());
        return putU16(LIFETIME, "lifetime", lifetime);
    }

    /** Puts the iterator, of {@link TypeLengthValues.Form#IPV6_OPTIONS}, before the message's options. */
    public void options(TypeLengthValues options) {
        int body = bodyLength(type());
        int from = body == 0 ? headerLength() : BODY + body;
        options.wrap(segment, offset + from, headerLength() - from);
    }

    @Override
    public String toString() {
        return "mobility type " + type();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<MobilityView> {
        private final TypeLengthValues options = new TypeLengthValues(TypeLengthValues.Form.IPV6_OPTIONS);

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "ipv6.mobility",
                    "MIPv6",
                    new MobilityView(),
                    HeaderLayout.of(MIN_LENGTH)
                            .number("payloadProtocol", PAYLOAD_PROTOCOL, 8)
                            .number("headerExtensionLength", HEADER_EXTENSION_LENGTH, 8)
                            .number("type", TYPE, 8)
                            .number("checksum", CHECKSUM, 16));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            switch (view.type()) {
                case BINDING_UPDATE -> {
                    to.number("sequenceNumber", view.sequenceNumber());
                    to.number("flags", view.flags());
                    to.number("lifetime", view.lifetime());
                }
                case BINDING_ACKNOWLEDGMENT -> {
                    to.number("status", view.status());
                    to.number("sequenceNumber", view.sequenceNumber());
                    to.number("lifetime", view.lifetime());
                }
                case BINDING_ERROR -> to.number("status", view.status());
                default -> {}
            }
            view.options(options);
            while (options.next()) {
                if (options.type() != 1) {
                    options.bytes("option" + options.type(), to);
                }
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            to.text(layer.wrap(view) ? name(view.type()) : "malformed");
            return true;
        }

        private static String name(int type) {
            return switch (type) {
                case BINDING_REFRESH_REQUEST -> "binding refresh request";
                case HOME_TEST_INIT -> "home test init";
                case CARE_OF_TEST_INIT -> "care-of test init";
                case HOME_TEST -> "home test";
                case CARE_OF_TEST -> "care-of test";
                case BINDING_UPDATE -> "binding update";
                case BINDING_ACKNOWLEDGMENT -> "binding acknowledgment";
                case BINDING_ERROR -> "binding error";
                default -> "type " + type;
            };
        }
    }
}
