package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/** Takes the layers of a packet and their fields, in the order of the bytes; {@link Protocol} reports them. */
public interface FieldVisitor {
    /**
     * A layer begins; the fields that follow are its.
     *
     * @param label what JSON calls it: "udp"
     * @param position of its header, in bytes from the frame's start
     * @param headerLength bytes of its header that were captured
     * @param isCut whether its header goes on after what was captured, or has what cannot be: then only the fields that
     *     are there follow
     */
    void layer(String label, int position, int headerLength, boolean isCut);

    /**
     * A number, unsigned as a rule.
     *
     * @param name in camelCase
     */
    void number(String name, long value);

    /** A bit, or another thing that is so or not. */
    void flag(String name, boolean value);

    /** Text as it was captured, or an address: whoever shows it masks it. */
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

    /** Bytes where they lie: valid until the visitor returns. */
    void bytes(String name, MemorySegment segment, long offset, int length);
}
