package io.offhook.packet.application;

import io.offhook.packet.Claims;
import io.offhook.packet.FieldRange;
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
 * A DHCPv6 message (RFC 8415, 8), or one that a relay wraps (9).
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+
 * |      type     |
 * +---------------+
 * | transaction (24 bits); of a relay: hops, link, peer; options ...
 * </pre>
 */
public final class Dhcpv6View extends HeaderView<Dhcpv6View> {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 4;
    /** Message of a relay to a server: another message is in it. */
    public static final int RELAY_FORWARD = 12;
    /** Message of a server to a relay: another message is in it. */
    public static final int RELAY_REPLY = 13;

    private static final int RELAY_LENGTH = 34;
    private static final int TYPE = 0;
    private static final int TRANSACTION_ID = 1;
    private static final int HOP_COUNT = 1;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public Dhcpv6View() {}

    /**
     * Wraps a message: TRUNCATED if fewer bytes are available than its type requires, UNSUPPORTED if that is 0.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int type = NetworkOrder.u8(segment, offset + TYPE);
        if (type == 0) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, isRelay(type) ? RELAY_LENGTH : MIN_LENGTH);
    }

    /**
     * 1 solicit, 2 advertise, 3 request, 4 confirm, 5 renew, 6 rebind, 7 reply, 8 release, 12 relay, 13 relayed reply.
     */
    public int type() {
        return u8(TYPE);
    }

    /** Sets {@link #type()}; 0 to 255. */
    public Dhcpv6View type(int type) {
        return putU8(TYPE, "type", type);
    }

    private static boolean isRelay(int type) {
        return type == RELAY_FORWARD || type == RELAY_REPLY;
    }

    /** Whether it holds another message, in an option. */
    public boolean isRelay() {
        return isRelay(type());
    }

    /** 24 bits; 0 for a relay's. */
    public int transactionId() {
        return isRelay() ? 0 : u24(TRANSACTION_ID);
    }

    /**
     * Sets {@link #transactionId()}.
     *
     * @throws IllegalStateException if the message does not have the field
     */
    public Dhcpv6View transactionId(int transactionId) {
        FieldRange.require("transactionId", !isRelay());
        return putU24(TRANSACTION_ID, "transactionId", transactionId);
    }

    /** Relays that the message went through, of a relay's. */
    public int hopCount() {
        return isRelay() ? u8(HOP_COUNT) : 0;
    }

    /** Sets {@link #hopCount()}; 0 to 255. */
    public Dhcpv6View hopCount(int hopCount) {
        FieldRange.require("hopCount", isRelay());
        return putU8(HOP_COUNT, "hopCount", hopCount);
    }

    /** Puts the iterator, of {@link TypeLengthValues.Form#DHCPV6_OPTIONS}, before the first option. */
    public void options(TypeLengthValues options) {
        int from = isRelay() ? RELAY_LENGTH : MIN_LENGTH;
        options.wrap(segment, offset + from, length - from);
    }

    @Override
    public String toString() {
        return "dhcpv6 type " + type();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<Dhcpv6View> {
        private final TypeLengthValues options = new TypeLengthValues(TypeLengthValues.Form.DHCPV6_OPTIONS);

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "dhcpv6",
                    "DHCPv6",
                    new Dhcpv6View(),
                    HeaderLayout.of(MIN_LENGTH).number("type", TYPE, 8));
        }

        @Override
        public Claims claims() {
            return Claims.NONE.udp(546, 547);
        }

        @Override
        public boolean accepts(Layer layer) {
            return layer.length() >= MIN_LENGTH;
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            if (view.isRelay()) {
                to.number("hopCount", view.hopCount());
            } else {
                to.number("transactionId", view.transactionId());
            }
            view.options(options);
            for (int i = 0; i < MAX_LISTED && options.next(); i++) {
                options.bytes("option" + options.type(), to);
            }
        }
    }
}
