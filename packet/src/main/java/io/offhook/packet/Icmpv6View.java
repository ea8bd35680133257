package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * An ICMPv6 header (RFC 4443, 2.1); what follows the checksum depends on the type.
 *
 * <pre>
 *  0        8        16               32
 * +--------+--------+----------------+
 * |  type  |  code  |    checksum    |
 * +--------+--------+----------------+
 * |   body ...
 * </pre>
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on.
 * Setters refuse what the field cannot hold and change nothing else, no checksum either; see {@link io.offhook.packet}.
 */
public final class Icmpv6View implements LayerView {
    /** Bytes of the header. */
    public static final int LENGTH = 4;
    /** A type of message (RFC 4443, 3 and 4). */
    public static final int DESTINATION_UNREACHABLE = 1;
    /** A type of message (RFC 4443, 3 and 4). */
    public static final int PACKET_TOO_BIG = 2;
    /** A type of message (RFC 4443, 3 and 4). */
    public static final int TIME_EXCEEDED = 3;
    /** A type of message (RFC 4443, 3 and 4). */
    public static final int PARAMETER_PROBLEM = 4;
    /** A type of message (RFC 4443, 3 and 4). */
    public static final int ECHO_REQUEST = 128;
    /** A type of message (RFC 4443, 3 and 4). */
    public static final int ECHO_REPLY = 129;
    /** A type of message (RFC 4861, 4). */
    public static final int NEIGHBOR_SOLICITATION = 135;
    /** A type of message (RFC 4861, 4). */
    public static final int NEIGHBOR_ADVERTISEMENT = 136;

    private static final int TYPE = 0;
    private static final int CODE = 1;
    private static final int CHECKSUM = 2;
    private static final int BODY = 4;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;

    /** A view on nothing yet: {@link #wrap} first. */
    public Icmpv6View() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.ICMPV6;
    }

    /**
     * Puts the view on a message; TRUNCATED below 4 bytes.
     *
     * @param length bytes that are there from {@code offset} on
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        return WrapStatus.OK;
    }

    /** Below 128 it is an error. */
    public int type() {
        return NetworkOrder.u8(segment, offset + TYPE);
    }

    /** Sets {@link #type()}; 0 to 255. */
    public Icmpv6View type(int type) {
        FieldRange.check("type", type, 0xff);
        NetworkOrder.putU8(segment, offset + TYPE, type);
        return this;
    }

    /** What kind of message of its type it is. */
    public int code() {
        return NetworkOrder.u8(segment, offset + CODE);
    }

    /** Sets {@link #code()}; 0 to 255. */
    public Icmpv6View code(int code) {
        FieldRange.check("code", code, 0xff);
        NetworkOrder.putU8(segment, offset + CODE, code);
        return this;
    }

    /** As the header has it, right or wrong. */
    public int checksum() {
        return NetworkOrder.u16(segment, offset + CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public Icmpv6View checksum(int checksum) {
        FieldRange.check("checksum", checksum, 0xffff);
        NetworkOrder.putU16(segment, offset + CHECKSUM, checksum);
        return this;
    }

    /** Whether its type, below 128, is an error's. */
    public boolean isError() {
        return type() < 128;
    }

    /** Whether it is an echo request or reply. */
    public boolean isEcho() {
        return type() == ECHO_REQUEST || type() == ECHO_REPLY;
    }

    /** The first word of the body, whatever it means; 0 when there is none. */
    public long parameter() {
        return length >= BODY + 4 ? NetworkOrder.u32(segment, offset + BODY) : 0;
    }

    /** Sets {@link #parameter()}; 0 to 4294967295. */
    public Icmpv6View parameter(long parameter) {
        FieldRange.check("parameter", parameter, 0xffff_ffffL);
        FieldRange.require("parameter", length >= BODY + 4);
        NetworkOrder.putU32(segment, offset + BODY, parameter);
        return this;
    }

    /** Of an echo, else 0. */
    public int identifier() {
        return isEcho() ? (int) (parameter() >>> 16) : 0;
    }

    /** Sets {@link #identifier()}; 0 to 65535. */
    public Icmpv6View identifier(int identifier) {
        FieldRange.check("identifier", identifier, 0xffff);
        FieldRange.require("identifier", isEcho() && length >= BODY + 4);
        NetworkOrder.putU16(segment, offset + BODY, identifier);
        return this;
    }

    /** Of an echo, else 0. */
    public int sequenceNumber() {
        return isEcho() ? (int) parameter() & 0xffff : 0;
    }

    /** Sets {@link #sequenceNumber()}; 0 to 65535. */
    public Icmpv6View sequenceNumber(int sequenceNumber) {
        FieldRange.check("sequenceNumber", sequenceNumber, 0xffff);
        FieldRange.require("sequenceNumber", isEcho() && length >= BODY + 4);
        NetworkOrder.putU16(segment, offset + BODY + 2, sequenceNumber);
        return this;
    }

    /** Where what follows the checksum starts. */
    public long bodyOffset() {
        return offset + BODY;
    }

    /** Of what follows the checksum, in bytes. */
    public int bodyLength() {
        return length - BODY;
    }

    @Override
    public String toString() {
        return "icmpv6 type " + type() + " code " + code();
    }
}
