package io.offhook.packet.link;

import io.offhook.packet.EtherType;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.MacAddress;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * An Ethernet header (IEEE 802.3, 3.2), as captures have it: without preamble and check sequence.
 *
 * <pre>
 *  0        6        12     14
 * +--------+--------+------+----
 * |  dst   |  src   | type | payload
 * +--------+--------+------+----
 * </pre>
 *
 * <p>A type of 1500 or less is the length of what follows, which then starts with LLC.
 */
public final class EthernetView extends HeaderView<EthernetView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 14;

    /** The largest type that is a length. */
    public static final int MAX_LENGTH_FIELD = 1500;

    /** The offset of the destination, in bytes. */
    public static final int DESTINATION = 0;
    /** The offset of the source, in bytes. */
    public static final int SOURCE = 6;
    /** The offset of the type or length, in bytes. */
    public static final int TYPE = 12;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public EthernetView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.ETHERNET;
    }

    /** Wraps an Ethernet header; TRUNCATED below 14 bytes. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, LENGTH);
    }

    /** The MAC address, 48 bits; see {@link MacAddress}. */
    public long destination() {
        return u48(DESTINATION);
    }

    /** Sets {@link #destination()}; 0 to 281474976710655. */
    public EthernetView destination(long destination) {
        return putU48(DESTINATION, "destination", destination);
    }

    /** The sender's MAC address, in the lower 48 bits. */
    public long source() {
        return u48(SOURCE);
    }

    /** Sets {@link #source()}; 0 to 281474976710655. */
    public EthernetView source(long source) {
        return putU48(SOURCE, "source", source);
    }

    /** The EtherType, or with {@link #isLength()} a length in bytes. */
    public int type() {
        return u16(TYPE);
    }

    /** Sets {@link #type()}; 0 to 65535. */
    public EthernetView type(int type) {
        return putU16(TYPE, "type", type);
    }

    /** Whether the type is the length of what follows, below 1536 (IEEE 802.3). */
    public boolean isLength() {
        return type() <= MAX_LENGTH_FIELD;
    }

    /** Whether it went to a group, or to all. */
    public boolean isMulticast() {
        return (u8(DESTINATION) & 1) != 0;
    }

    @Override
    public String toString() {
        return MacAddress.text(source()) + " -> " + MacAddress.text(destination()) + " type 0x"
                + Integer.toHexString(type());
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "ethernet",
                    "ETHERNET",
                    HeaderLayout.of(LENGTH)
                            .mac("destination", DESTINATION)
                            .mac("source", SOURCE)
                            .number("type", TYPE, 16));
        }

        /** The type, or in its place the length that IEEE 802.3 has there. */
        @Override
        public void fields(Layer layer, FieldVisitor to) {
            if (layer.headerLength() < LENGTH || layer.u16(TYPE) > MAX_LENGTH_FIELD) {
                super.fields(layer, to);
                return;
            }
            to.mac("destination", NetworkOrder.u48(layer.segment(), layer.offset() + DESTINATION));
            to.mac("source", NetworkOrder.u48(layer.segment(), layer.offset() + SOURCE));
            to.number("length", layer.u16(TYPE));
        }

        @Override
        public String title(Layer layer) {
            return layer.headerLength() < LENGTH ? label() : EtherType.title(layer.u16(TYPE));
        }
    }
}
