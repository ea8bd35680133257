package io.offhook.packet.link;

import io.offhook.packet.EtherType;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * Linux cooked capture, version 1 (LINKTYPE_LINUX_SLL): what stands for the link header on "any" devices.
 *
 * <pre>
 *  0       2          4          6            14         16
 * +-------+----------+----------+------------+----------+----
 * | packet| hardware | address  |  address   | protocol | payload
 * | type  | type     | length   |  (8 bytes) |          |
 * +-------+----------+----------+------------+----------+----
 * </pre>
 */
public final class SllView extends HeaderView<SllView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 16;

    /** The offset of the type of packet, in bytes. */
    public static final int PACKET_TYPE = 0;
    /** The offset of the hardware type, in bytes. */
    public static final int HARDWARE_TYPE = 2;

    /** The offset of the address's length, in bytes. */
    public static final int ADDRESS_LENGTH = 4;
    /** The offset of the address, in bytes. */
    public static final int ADDRESS = 6;
    /** The offset of the protocol, in bytes. */
    public static final int PROTOCOL = 14;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public SllView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.LINUX_SLL;
    }

    /** Wraps a header; TRUNCATED below 16 bytes. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, LENGTH);
    }

    /** 0 to us, 1 broadcast, 2 multicast, 3 between others, 4 from us. */
    public int packetType() {
        return u16(PACKET_TYPE);
    }

    /** Sets {@link #packetType()}; 0 to 65535. */
    public SllView packetType(int packetType) {
        return putU16(PACKET_TYPE, "packetType", packetType);
    }

    /** An ARPHRD_ value of Linux: 1 Ethernet, 772 loopback. */
    public int hardwareType() {
        return u16(HARDWARE_TYPE);
    }

    /** Sets {@link #hardwareType()}; 0 to 65535. */
    public SllView hardwareType(int hardwareType) {
        return putU16(HARDWARE_TYPE, "hardwareType", hardwareType);
    }

    /** The length of the sender's address, in bytes; above 8, the address is cut off. */
    public int addressLength() {
        return u16(ADDRESS_LENGTH);
    }

    /** Sets {@link #addressLength()}; 0 to 65535. */
    public SllView addressLength(int addressLength) {
        return putU16(ADDRESS_LENGTH, "addressLength", addressLength);
    }

    /** The sender's link address, in the high end of 64 bits. */
    public long address() {
        return bits64(ADDRESS);
    }

    /** Sets {@link #address()}. */
    public SllView address(long address) {
        return putBits64(ADDRESS, address);
    }

    /** An EtherType, mostly; below 1536 a number of Linux. */
    public int protocol() {
        return u16(PROTOCOL);
    }

    /** Sets {@link #protocol()}; 0 to 65535. */
    public SllView protocol(int protocol) {
        return putU16(PROTOCOL, "protocol", protocol);
    }

    @Override
    public String toString() {
        return "sll packet type " + packetType() + " protocol 0x" + Integer.toHexString(protocol());
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "sll",
                    HeaderLayout.of(LENGTH)
                            .number("packetType", PACKET_TYPE, 16)
                            .number("hardwareType", HARDWARE_TYPE, 16)
                            .number("addressLength", ADDRESS_LENGTH, 16)
                            .number("protocol", PROTOCOL, 16));
        }

        @Override
        public String title(Layer layer) {
            return layer.headerLength() < LENGTH ? label() : EtherType.title(layer.u16(PROTOCOL));
        }
    }
}
