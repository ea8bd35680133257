package io.offhook.packet.network;

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
import java.util.Objects;

/**
 * A routing header of IPv6 (RFC 8200, 4.4): source routing (type 0, RFC 5095), mobility (type 2, RFC 6275, 6.4), RPL
 * (type 3, RFC 6554) and segments (type 4, SRv6, RFC 8754, 2).
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+---------------+---------------+---------------+
 * |  next header  |header extensi.|  routing type | segments left |
 * +---------------+---------------+---------------+---------------+
 * |   last entry  |     flags     |              tag              |
 * +---------------+---------------+-------------------------------+
 * | addresses, then elements (type 4) ...
 * </pre>
 */
public final class Ipv6RoutingView extends CarrierView<Ipv6RoutingView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 8;
    /** The type of a source route (RFC 2460, 4.4), deprecated by RFC 5095. */
    public static final int SOURCE = 0;
    /** The type with a home address (RFC 6275, 6.4). */
    public static final int MOBILITY = 2;
    /** The type of RPL source routes (RFC 6554, 3). */
    public static final int RPL = 3;
    /** The type of segment routing (RFC 8754, 2). */
    public static final int SEGMENTS = 4;

    private static final int ADDRESS = 16;
    /** The offset of the number of what follows, in bytes. */
    public static final int NEXT_HEADER = 0;
    /** The offset of the length, in bytes. */
    public static final int HEADER_EXTENSION_LENGTH = 1;
    /** The offset of the type, in bytes. */
    public static final int ROUTING_TYPE = 2;
    /** The offset of the number of segments left, in bytes. */
    public static final int SEGMENTS_LEFT = 3;
    /** The offset of the index of the last segment, in bytes. */
    public static final int LAST_ENTRY = 4;

    private static final int FLAGS = 5;
    private static final int TAG = 6;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public Ipv6RoutingView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.ROUTING;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than it states, MALFORMED if its addresses do not fit into
     * it.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int header = NetworkOrder.u8(segment, offset + HEADER_EXTENSION_LENGTH) + 1 << 3;
        boolean isSegments = NetworkOrder.u8(segment, offset + ROUTING_TYPE) == SEGMENTS;
        if (isSegments && (NetworkOrder.u8(segment, offset + LAST_ENTRY) + 1) * ADDRESS > header - MIN_LENGTH) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, header);
    }

    /** The IP protocol number of what follows. */
    public int nextHeader() {
        return u8(NEXT_HEADER);
    }

    /** Sets {@link #nextHeader()}; 0 to 255. */
    public Ipv6RoutingView nextHeader(int nextHeader) {
        return putU8(NEXT_HEADER, "nextHeader", nextHeader);
    }

    /** Units of 8 bytes, less the first. */
    public int headerExtensionLength() {
        return u8(HEADER_EXTENSION_LENGTH);
    }

    /** Sets {@link #headerExtensionLength()}; 0 to 255. */
    public Ipv6RoutingView headerExtensionLength(int headerExtensionLength) {
        return putU8(HEADER_EXTENSION_LENGTH, "headerExtensionLength", headerExtensionLength);
    }

    /** 0 source route, 2 mobility, 3 RPL, 4 segment routing. */
    public int routingType() {
        return u8(ROUTING_TYPE);
    }

    /** Sets {@link #routingType()}; 0 to 255. */
    public Ipv6RoutingView routingType(int routingType) {
        return putU8(ROUTING_TYPE, "routingType", routingType);
    }

    /** Addresses that are still to be visited. */
    public int segmentsLeft() {
        return u8(SEGMENTS_LEFT);
    }

    /** Sets {@link #segmentsLeft()}; 0 to 255. */
    public Ipv6RoutingView segmentsLeft(int segmentsLeft) {
        return putU8(SEGMENTS_LEFT, "segmentsLeft", segmentsLeft);
    }

    /** The index of the last address, of type 4. */
    public int lastEntry() {
        return u8(LAST_ENTRY);
    }

    /** Sets {@link #lastEntry()}; 0 to 255. */
    public Ipv6RoutingView lastEntry(int lastEntry) {
        return putU8(LAST_ENTRY, "lastEntry", lastEntry);
    }

    /** The flags, of type 4. */
    public int flags() {
        return u8(FLAGS);
    }

    /** Sets {@link #flags()}; 0 to 255. */
    public Ipv6RoutingView flags(int flags) {
        return putU8(FLAGS, "flags", flags);
    }

    /** The tag, of type 4. */
    public int tag() {
        return u16(TAG);
    }

    /** Sets {@link #tag()}; 0 to 65535. */
    public Ipv6RoutingView tag(int tag) {
        return putU16(TAG, "tag", tag);
    }

    /** Whether it is of type 4, segment routing (RFC 8754). */
    public boolean isSegmentRouting() {
        return routingType() == SEGMENTS;
    }

    /** Addresses of types 0, 2 and 4; of others 0, as they have them in another form. */
    public int addressCount() {
        return switch (routingType()) {
            case SOURCE, MOBILITY -> (headerLength() - MIN_LENGTH) / ADDRESS;
            case SEGMENTS -> lastEntry() + 1;
            default -> 0;
        };
    }

    /**
     * First half of address {@code i}, counted from 0 in the order of the bytes: of type 4, the last segment is first.
     */
    public long addressHigh(int i) {
        return NetworkOrder.bits64(segment, addressOffset(i));
    }

    /** Second half of address {@code i}. */
    public long addressLow(int i) {
        return NetworkOrder.bits64(segment, addressOffset(i) + 8);
    }

    /** Changes address {@code i}, both halves. */
    public Ipv6RoutingView address(int i, long high, long low) {
        NetworkOrder.putBits64(segment, addressOffset(i), high);
        NetworkOrder.putBits64(segment, addressOffset(i) + 8, low);
        return this;
    }

    private long addressOffset(int i) {
        return offset + MIN_LENGTH + (long) Objects.checkIndex(i, addressCount()) * ADDRESS;
    }

    /** Puts the iterator, of {@link TypeLengthValues.Form#IPV6_OPTIONS}, before what follows the segments of type 4. */
    public void elements(TypeLengthValues elements) {
        int from = isSegmentRouting() ? MIN_LENGTH + addressCount() * ADDRESS : headerLength();
        elements.wrap(segment, offset + from, headerLength() - from);
    }

    @Override
    public String toString() {
        return "ipv6 routing type " + routingType() + " segments left " + segmentsLeft();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<Ipv6RoutingView> {
        private final TypeLengthValues elements = new TypeLengthValues(TypeLengthValues.Form.IPV6_OPTIONS);

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "ipv6.routing",
                    new Ipv6RoutingView(),
                    HeaderLayout.of(MIN_LENGTH)
                            .number("nextHeader", NEXT_HEADER, 8)
                            .number("headerExtensionLength", HEADER_EXTENSION_LENGTH, 8)
                            .number("routingType", ROUTING_TYPE, 8)
                            .number("segmentsLeft", SEGMENTS_LEFT, 8)
                            .number("lastEntry", LAST_ENTRY, 8)
                            .number("flags", FLAGS, 8)
                            .number("tag", TAG, 16));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            for (int i = 0; i < view.addressCount(); i++) {
                to.ipv6("address", view.addressHigh(i), view.addressLow(i));
            }
            view.elements(elements);
            while (elements.next()) {
                elements.bytes("element" + elements.type(), to);
            }
        }
    }
}
