package io.offhook.packet.network;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.TypeLengthValues;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * An extension header of IPv6 in the common form: hop-by-hop and destination options, routing (RFC 8200, 4.3 to 4.6),
 * mobility (RFC 6275, 6.1), HIP and Shim6.
 *
 * <pre>
 *  0        8        16
 * +--------+--------+----
 * | next   | length | what the kind of header has
 * +--------+--------+----
 * </pre>
 */
public final class Ipv6ExtensionView extends CarrierView<Ipv6ExtensionView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 8;

    /** The offset of the next header, in bytes. */
    public static final int NEXT_HEADER = 0;
    /** The offset of the length in units of eight bytes, less one, in bytes. */
    public static final int UNITS = 1;

    /** The offset of the first option of a header of options, in bytes. */
    public static final int OPTIONS = 2;

    private static final int ROUTING_TYPE = 2;
    private static final int SEGMENTS_LEFT = 3;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public Ipv6ExtensionView() {}

    @Override
    public boolean reads(LayerType type) {
        return switch (type) {
            case HOP_BY_HOP, DESTINATION_OPTIONS, ROUTING, MOBILITY, IPV6_EXTENSION -> true;
            default -> false;
        };
    }

    /** Wraps a header: TRUNCATED if fewer bytes are available than it states. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        return wrap(segment, offset, length, NetworkOrder.u8(segment, offset + UNITS) + 1 << 3);
    }

    /** The IP protocol number of what follows. */
    public int nextHeader() {
        return u8(NEXT_HEADER);
    }

    /** Sets {@link #nextHeader()}; 0 to 255. */
    public Ipv6ExtensionView nextHeader(int nextHeader) {
        return putU8(NEXT_HEADER, "nextHeader", nextHeader);
    }

    /**
     * Sets {@link #headerLength()}.
     *
     * @param headerLength 8 to 2048 in eights, and not more than is there
     */
    public Ipv6ExtensionView headerLength(int headerLength) {
        FieldRange.checkMultiple("headerLength", headerLength, MIN_LENGTH, Math.min(2048, length), 8);
        putU8(UNITS, "headerLength", (headerLength >>> 3) - 1);
        this.headerLength = headerLength;
        return this;
    }

    /** The type of a routing header. */
    public int routingType() {
        return u8(ROUTING_TYPE);
    }

    /** Sets {@link #routingType()}; 0 to 255. */
    public Ipv6ExtensionView routingType(int routingType) {
        return putU8(ROUTING_TYPE, "routingType", routingType);
    }

    /** The number of segments left of a routing header. */
    public int segmentsLeft() {
        return u8(SEGMENTS_LEFT);
    }

    /** Sets {@link #segmentsLeft()}; 0 to 255. */
    public Ipv6ExtensionView segmentsLeft(int segmentsLeft) {
        return putU8(SEGMENTS_LEFT, "segmentsLeft", segmentsLeft);
    }

    @Override
    public String toString() {
        return "extension of " + headerLength() + " bytes, next " + nextHeader();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        private final boolean hasOptions;
        private final TypeLengthValues options = new TypeLengthValues(TypeLengthValues.Form.IPV6_OPTIONS);

        /**
         * Of one kind of extension header.
         *
         * @param hasOptions whether it is a list of options
         */
        public Descriptor(String label, boolean hasOptions) {
            super(label, HeaderLayout.of(MIN_LENGTH).number("nextHeader", NEXT_HEADER, 8));
            this.hasOptions = hasOptions;
        }

        /** With the options (RFC 8200, 4.2, and the registry of IANA). */
        @Override
        public void fields(Layer layer, FieldVisitor to) {
            super.fields(layer, to);
            int length = layer.headerLength() - OPTIONS;
            if (!hasOptions || length <= 0) {
                return;
            }
            to.bytes("options", layer.segment(), layer.offset() + OPTIONS, length);
            options.wrap(layer.segment(), layer.offset() + OPTIONS, length);
            while (options.next()) {
                switch ((int) options.type()) {
                    case 0x01 -> {} // padding
                    case 0x04 -> to.number("tunnelEncapsulationLimit", options.u8(0));
                    case 0x05 -> to.number("routerAlert", options.u16(0));
                    case 0xc2 -> to.number("jumboPayloadLength", options.u32(0));
                    case 0xc9 -> to.ipv6("homeAddress", options.bits64(0), options.bits64(8));
                    default -> options.bytes("option" + options.type(), to);
                }
            }
        }
    }
}
