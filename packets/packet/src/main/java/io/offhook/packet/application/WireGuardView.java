package io.offhook.packet.application;

import io.offhook.packet.Claims;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LittleEndian;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A WireGuard message (whitepaper, 5.4; wireguard.com/protocol), whose numbers are little-endian.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+-----------------------------------------------+
 * |      type     |                                               |
 * +---------------+-----------------------------------------------+
 * |                             index                             |
 * +---------------------------------------------------------------+
 * | handshake, cookie, or counter and data ...
 * </pre>
 */
public final class WireGuardView extends HeaderView<WireGuardView> {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 8;
    /** A type of message. */
    public static final int INITIATION = 1;
    /** A type of message. */
    public static final int RESPONSE = 2;
    /** A type of message. */
    public static final int COOKIE = 3;
    /** A type of message. */
    public static final int DATA = 4;

    private static final int TYPE = 0;
    private static final int RESERVED = 1;
    private static final int INDEX = 4;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public WireGuardView() {}

    /**
     * Wraps a message: TRUNCATED if fewer bytes are available than its type has, UNSUPPORTED if that is not 1 to 4, or
     * a reserved bit is set.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int type = NetworkOrder.u8(segment, offset + TYPE);
        if (type < INITIATION || type > DATA || NetworkOrder.u24(segment, offset + RESERVED) != 0) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, fixedLength(type));
    }

    /** 1 initiation, 2 response, 3 cookie, 4 data. */
    public int type() {
        return u8(TYPE);
    }

    /** Sets {@link #type()}; 0 to 255. */
    public WireGuardView type(int type) {
        return putU8(TYPE, "type", type);
    }

    /** The sender's index in types 1 and 2, otherwise the receiver's. */
    public long index() {
        return LittleEndian.u32(segment, offset + INDEX);
    }

    /** Sets {@link #index()}. */
    public WireGuardView index(long index) {
        return putLittle(INDEX, 32, "index", index);
    }

    /** Bytes that a message of that type has; data may have more. */
    public static int fixedLength(int type) {
        return switch (type) {
            case INITIATION -> 148;
            case RESPONSE -> 92;
            case COOKIE -> 64;
            default -> 32;
        };
    }

    /** The receiver index of a response: the index of the initiation. */
    public long receiverIndex() {
        return type() == RESPONSE ? LittleEndian.u32(segment, offset + MIN_LENGTH) : type() > RESPONSE ? index() : 0;
    }

    /** Sets {@link #receiverIndex()}. */
    public WireGuardView receiverIndex(long receiverIndex) {
        FieldRange.require("receiverIndex", type() >= RESPONSE);
        int at = type() == RESPONSE ? MIN_LENGTH : INDEX;
        return putLittle(at, 32, "receiverIndex", receiverIndex);
    }

    /** The counter of a data message, 64 bits. */
    public long counter() {
        return type() == DATA ? LittleEndian.bits64(segment, offset + MIN_LENGTH) : 0;
    }

    /** Sets {@link #counter()}. */
    public WireGuardView counter(long counter) {
        FieldRange.require("counter", type() == DATA);
        return putLittle(MIN_LENGTH, 64, "counter", counter);
    }

    @Override
    public String toString() {
        return "wireguard type " + type();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<WireGuardView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "wireguard",
                    new WireGuardView(),
                    HeaderLayout.of(MIN_LENGTH).number("type", TYPE, 8).little("index", INDEX, 32),
                    Claims.NONE.udp(51820));
        }

        /** Away from its port, what has a length of its own: all but data. */
        @Override
        public boolean isLikely(Layer payload) {
            return accepts(payload) && view.type() != DATA && payload.wireLength() == fixedLength(view.type());
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            if (view.type() == RESPONSE) {
                to.number("receiverIndex", view.receiverIndex());
            }
            if (view.type() == DATA) {
                to.text("counter", Long.toUnsignedString(view.counter()));
            }
        }
    }
}
