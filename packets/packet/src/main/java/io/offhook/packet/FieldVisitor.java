package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/** Receives the layers of a packet and their fields, in the order of the bytes; {@link Protocol} reports them. */
public interface FieldVisitor {
    /**
     * A layer begins; the fields that follow belong to it.
     *
     * @param label the name of the layer in JSON: "udp"
     * @param position the offset of its header in the frame, in bytes
     * @param headerLength the number of captured bytes of its header
     * @param isCut whether the header was cut off or is malformed, so that only its readable fields follow
     */
    void layer(String label, int position, int headerLength, boolean isCut);

    /**
     * A number, unsigned as a rule.
     *
     * @param name in camelCase
     */
    void number(String name, long value);

    /** A bit, or another boolean. */
    void flag(String name, boolean value);

    /** Text as captured, or an address; escape it before display. */
    void text(String name, String value);

    /** A MAC address, in the lower 48 bits. */
    default void mac(String name, long address) {
        text(name, MacAddress.text(address));
    }

    /** An IPv4 address, in the lower 32 bits. */
    default void ipv4(String name, long address) {
        text(name, IpAddress.ipv4Text(address));
    }

    /** An IPv6 address, in two halves. */
    default void ipv6(String name, long high, long low) {
        text(name, IpAddress.ipv6Text(high, low));
    }

    /** A header of a text protocol, name and value as written. */
    default void header(String name, String value) {
        text(name, value);
    }

    /** Bytes in place, valid until the visitor returns. */
    void bytes(String name, MemorySegment segment, long offset, int length);
}
