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
 * Linux cooked capture, version 2 (LINKTYPE_LINUX_SLL2): as version 1, with the interface.
 *
 * <pre>
 *  0          2          4                    8
 * +----------+----------+--------------------+
 * | protocol | reserved |  interface index   |
 * +----------+-----+----+--------------------+----
 * | hardware | pkt | al |  address (8 bytes) | payload
 * +----------+-----+----+--------------------+----
 *  8          10    11   12                   20
 * </pre>
 */
public final class Sll2View extends HeaderView<Sll2View> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 20;

    /** The offset of the protocol, in bytes. */
    public static final int PROTOCOL = 0;

    /** The offset of the index of the interface, in bytes. */
    public static final int INTERFACE_INDEX = 4;
    /** The offset of the hardware type, in bytes. */
    public static final int HARDWARE_TYPE = 8;

    private static final int PACKET_TYPE = 10;
    /** The offset of the address's length, in bytes. */
    public static final int ADDRESS_LENGTH = 11;
    /** The offset of the address, in bytes. */
    public static final int ADDRESS = 12;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public Sll2View() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.LINUX_SLL2;
    }

    /** Wraps a header; TRUNCATED below 20 bytes. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, LENGTH);
    }

    /** An EtherType, mostly; below 1536 a number of Linux. */
    public int protocol() {
        return u16(PROTOCOL);
    }

    /** Sets {@link #protocol()}; 0 to 65535. */
    public Sll2View protocol(int protocol) {
        return putU16(PROTOCOL, "protocol", protocol);
    }

    /** The index that the kernel gave the interface. */
    public long interfaceIndex() {
        return u32(INTERFACE_INDEX);
    }

    /** Sets {@link #interfaceIndex()}; 0 to 4294967295. */
    public Sll2View interfaceIndex(long interfaceIndex) {
        return putU32(INTERFACE_INDEX, "interfaceIndex", interfaceIndex);
    }

    /** An ARPHRD_ value of Linux: 1 Ethernet, 772 loopback. */
    public int hardwareType() {
        return u16(HARDWARE_TYPE);
    }

    /** Sets {@link #hardwareType()}; 0 to 65535. */
    public Sll2View hardwareType(int hardwareType) {
        return putU16(HARDWARE_TYPE, "hardwareType", hardwareType);
    }

    /** 0 to us, 1 broadcast, 2 multicast, 3 between others, 4 from us. */
    public int packetType() {
        return u8(PACKET_TYPE);
    }

    /** Sets {@link #packetType()}; 0 to 255. */
    public Sll2View packetType(int packetType) {
        return putU8(PACKET_TYPE, "packetType", packetType);
    }

    /** The length of the sender's address, in bytes; above 8, the address is cut off. */
    public int addressLength() {
        return u8(ADDRESS_LENGTH);
    }

    /** Sets {@link #addressLength()}; 0 to 255. */
    public Sll2View addressLength(int addressLength) {
        return putU8(ADDRESS_LENGTH, "addressLength", addressLength);
    }

    /** The sender's link address, in the high end of 64 bits. */
    public long address() {
        return bits64(ADDRESS);
    }

    /** Sets {@link #address()}. */
    public Sll2View address(long address) {
        return putBits64(ADDRESS, address);
    }

    @Override
    public String toString() {
        return "sll2 packet type " + packetType() + " interface " + interfaceIndex() + " protocol 0x"
                + Integer.toHexString(protocol());
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "sll2",
                    HeaderLayout.of(LENGTH)
                            .number("protocol", PROTOCOL, 16)
                            .number("interfaceIndex", INTERFACE_INDEX, 32)
                            .number("hardwareType", HARDWARE_TYPE, 16)
                            .number("packetType", PACKET_TYPE, 8)
                            .number("addressLength", ADDRESS_LENGTH, 8));
        }

        @Override
        public String title(Layer layer) {
            return layer.headerLength() < PROTOCOL + 2 ? label() : EtherType.title(layer.u16(PROTOCOL));
        }
    }
}
