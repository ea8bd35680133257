package io.offhook.packet.link;

import io.offhook.packet.EtherType;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * An ARP or RARP packet (RFC 826, RFC 903).
 *
 * <pre>
 *  0                16               32
 * +----------------+----------------+
 * | hardware type  | protocol type  |
 * +--------+-------+----------------+
 * |hw. len.|pr. len|   operation    |
 * +--------+-------+----------------+
 * | sender hardware, sender protocol address
 * | target hardware, target protocol address
 * </pre>
 *
 * <p>The addresses have the lengths that the packet says; accessors with a type need Ethernet and IPv4.
 */
public final class ArpView extends HeaderView<ArpView> implements LayerView {
    /** The length of the part that every header has, in bytes. */
    public static final int FIXED_LENGTH = 8;
    /** An operation (RFC 826; RARP: RFC 903). */
    public static final int REQUEST = 1;
    /** An operation (RFC 826; RARP: RFC 903). */
    public static final int REPLY = 2;
    /** An operation (RFC 826; RARP: RFC 903). */
    public static final int REVERSE_REQUEST = 3;
    /** An operation (RFC 826; RARP: RFC 903). */
    public static final int REVERSE_REPLY = 4;

    /** The offset of the type of hardware, in bytes. */
    public static final int HARDWARE_TYPE = 0;

    private static final int PROTOCOL_TYPE = 2;
    /** The offset of the length of a hardware address, in bytes. */
    public static final int HARDWARE_LENGTH = 4;
    /** The offset of the length of a protocol address, in bytes. */
    public static final int PROTOCOL_LENGTH = 5;

    private static final int OPERATION = 6;

    // of MAC and IPv4 addresses
    private static final int SENDER_HARDWARE = 8;
    private static final int SENDER_PROTOCOL = 14;
    private static final int TARGET_HARDWARE = 18;
    private static final int TARGET_PROTOCOL = 24;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public ArpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.ARP;
    }

    /** Wraps a packet: TRUNCATED if fewer bytes are available than its address lengths ask for. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < FIXED_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        return wrap(segment, offset, length, length(segment, offset));
    }

    /** The length of the whole packet, in bytes. */
    public int length() {
        return length(segment, offset);
    }

    /** Bytes of the ARP packet at {@code offset}, by its address lengths; its first 8 bytes have to be there. */
    public static int length(MemorySegment segment, long offset) {
        return FIXED_LENGTH
                + 2 * NetworkOrder.u8(segment, offset + HARDWARE_LENGTH)
                + 2 * NetworkOrder.u8(segment, offset + PROTOCOL_LENGTH);
    }

    /** 1 for Ethernet. */
    public int hardwareType() {
        return u16(HARDWARE_TYPE);
    }

    /** Sets {@link #hardwareType()}; 0 to 65535. */
    public ArpView hardwareType(int hardwareType) {
        return putU16(HARDWARE_TYPE, "hardwareType", hardwareType);
    }

    /** The EtherType of the protocol addresses. */
    public int protocolType() {
        return u16(PROTOCOL_TYPE);
    }

    /** Sets {@link #protocolType()}; 0 to 65535. */
    public ArpView protocolType(int protocolType) {
        return putU16(PROTOCOL_TYPE, "protocolType", protocolType);
    }

    /** Bytes of a hardware address. */
    public int hardwareLength() {
        return u8(HARDWARE_LENGTH);
    }

    /**
     * Sets {@link #hardwareLength()}.
     *
     * @param hardwareLength 0 to 255, and such that the packet is not longer than what is there
     */
    public ArpView hardwareLength(int hardwareLength) {
        int room = (length - FIXED_LENGTH) / 2 - protocolLength();
        FieldRange.check("hardwareLength", hardwareLength, Math.min(0xff, room));
        return putU8(HARDWARE_LENGTH, "hardwareLength", hardwareLength);
    }

    /** Bytes of a protocol address, 4 of IPv4. */
    public int protocolLength() {
        return u8(PROTOCOL_LENGTH);
    }

    /**
     * Sets {@link #protocolLength()}.
     *
     * @param protocolLength 0 to 255, and such that the packet is not longer than what is there
     */
    public ArpView protocolLength(int protocolLength) {
        int room = (length - FIXED_LENGTH) / 2 - hardwareLength();
        FieldRange.check("protocolLength", protocolLength, Math.min(0xff, room));
        return putU8(PROTOCOL_LENGTH, "protocolLength", protocolLength);
    }

    /** 1 request, 2 reply; 3 and 4 of RARP. */
    public int operation() {
        return u16(OPERATION);
    }

    /** Sets {@link #operation()}; 0 to 65535. */
    public ArpView operation(int operation) {
        return putU16(OPERATION, "operation", operation);
    }

    /** Where the sender's hardware address starts. */
    public long senderHardwareOffset() {
        return offset + FIXED_LENGTH;
    }

    /** Where the sender's protocol address starts. */
    public long senderProtocolOffset() {
        return senderHardwareOffset() + hardwareLength();
    }

    /** Where the target's hardware address starts. */
    public long targetHardwareOffset() {
        return senderProtocolOffset() + protocolLength();
    }

    /** Where the target's protocol address starts. */
    public long targetProtocolOffset() {
        return targetHardwareOffset() + hardwareLength();
    }

    /** Whether the hardware addresses are MAC addresses and the protocol's are IPv4. */
    public boolean isEthernetIpv4() {
        return hardwareLength() == 6 && protocolLength() == 4 && protocolType() == EtherType.IPV4;
    }

    /** 48 bits; needs {@link #isEthernetIpv4()}, as the next three do. Without it: 0. */
    public long senderHardware() {
        return isEthernetIpv4() ? u48(SENDER_HARDWARE) : 0;
    }

    /** Sets {@link #senderHardware()}; 0 to 281474976710655. */
    public ArpView senderHardware(long senderHardware) {
        FieldRange.require("senderHardware", isEthernetIpv4());
        return putU48(SENDER_HARDWARE, "senderHardware", senderHardware);
    }

    /** The sender's IPv4 address, of Ethernet and IPv4; else 0. */
    public long senderProtocol() {
        return isEthernetIpv4() ? u32(SENDER_PROTOCOL) : 0;
    }

    /** Sets {@link #senderProtocol()}; 0 to 4294967295. */
    public ArpView senderProtocol(long senderProtocol) {
        FieldRange.require("senderProtocol", isEthernetIpv4());
        return putU32(SENDER_PROTOCOL, "senderProtocol", senderProtocol);
    }

    /** The target's MAC address in the lower 48 bits, of Ethernet and IPv4; else 0. */
    public long targetHardware() {
        return isEthernetIpv4() ? u48(TARGET_HARDWARE) : 0;
    }

    /** Sets {@link #targetHardware()}; 0 to 281474976710655. */
    public ArpView targetHardware(long targetHardware) {
        FieldRange.require("targetHardware", isEthernetIpv4());
        return putU48(TARGET_HARDWARE, "targetHardware", targetHardware);
    }

    /** The target's IPv4 address, of Ethernet and IPv4; else 0. */
    public long targetProtocol() {
        return isEthernetIpv4() ? u32(TARGET_PROTOCOL) : 0;
    }

    /** Sets {@link #targetProtocol()}; 0 to 4294967295. */
    public ArpView targetProtocol(long targetProtocol) {
        FieldRange.require("targetProtocol", isEthernetIpv4());
        return putU32(TARGET_PROTOCOL, "targetProtocol", targetProtocol);
    }

    @Override
    public String toString() {
        return "arp operation " + operation();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<ArpView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "arp",
                    new ArpView(),
                    HeaderLayout.of(FIXED_LENGTH)
                            .number("hardwareType", HARDWARE_TYPE, 16)
                            .number("protocolType", PROTOCOL_TYPE, 16)
                            .number("hardwareLength", HARDWARE_LENGTH, 8)
                            .number("protocolLength", PROTOCOL_LENGTH, 8)
                            .number("operation", OPERATION, 16));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            if (view.isEthernetIpv4()) {
                to.mac("senderHardware", view.senderHardware());
                to.ipv4("senderProtocol", view.senderProtocol());
                to.mac("targetHardware", view.targetHardware());
                to.ipv4("targetProtocol", view.targetProtocol());
            } else {
                int fixed = FIXED_LENGTH;
                to.bytes("addresses", layer.segment(), layer.offset() + fixed, layer.headerLength() - fixed);
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            boolean isWhole = layer.wrap(view);
            if (!isWhole || !view.isEthernetIpv4()) {
                to.text("operation ").text(isWhole ? Integer.toString(view.operation()) : "cut");
                return true;
            }
            long sender = view.senderProtocol();
            long target = view.targetProtocol();
            switch (view.operation()) {
                case REQUEST -> to.text("who has ").ipv4(target).text("? tell ").ipv4(sender);
                case REPLY -> to.ipv4(sender).text(" is at ").mac(view.senderHardware());
                case REVERSE_REQUEST ->
                    to.text("who is ").mac(view.targetHardware()).text("?");
                case REVERSE_REPLY -> to.mac(view.targetHardware()).text(" is ").ipv4(target);
                default -> to.text("operation ").number(view.operation());
            }
            return true;
        }
    }
}
