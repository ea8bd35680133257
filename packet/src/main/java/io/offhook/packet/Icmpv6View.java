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
    public static final int LENGTH = 4;
    public static final int DESTINATION_UNREACHABLE = 1;
    public static final int PACKET_TOO_BIG = 2;
    public static final int TIME_EXCEEDED = 3;
    public static final int PARAMETER_PROBLEM = 4;
    public static final int ECHO_REQUEST = 128;
    public static final int ECHO_REPLY = 129;
    public static final int NEIGHBOR_SOLICITATION = 135;
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

    public Icmpv6View type(int type) {
        FieldRange.check("type", type, 0xff);
        NetworkOrder.putU8(segment, offset + TYPE, type);
        return this;
    }

    public int code() {
        return NetworkOrder.u8(segment, offset + CODE);
    }

    public Icmpv6View code(int code) {
        FieldRange.check("code", code, 0xff);
        NetworkOrder.putU8(segment, offset + CODE, code);
        return this;
    }

    public int checksum() {
        return NetworkOrder.u16(segment, offset + CHECKSUM);
    }

    public Icmpv6View checksum(int checksum) {
        FieldRange.check("checksum", checksum, 0xffff);
        NetworkOrder.putU16(segment, offset + CHECKSUM, checksum);
        return this;
    }

    public boolean isError() {
        return type() < 128;
    }

    public boolean isEcho() {
        return type() == ECHO_REQUEST || type() == ECHO_REPLY;
    }

    /** The first word of the body, whatever it means; 0 when there is none. */
    public long parameter() {
        return length >= BODY + 4 ? NetworkOrder.u32(segment, offset + BODY) : 0;
    }

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

    public Icmpv6View sequenceNumber(int sequenceNumber) {
        FieldRange.check("sequenceNumber", sequenceNumber, 0xffff);
        FieldRange.require("sequenceNumber", isEcho() && length >= BODY + 4);
        NetworkOrder.putU16(segment, offset + BODY + 2, sequenceNumber);
        return this;
    }

    public long bodyOffset() {
        return offset + BODY;
    }

    public int bodyLength() {
        return length - BODY;
    }

    @Override
    public String toString() {
        return "icmpv6 type " + type() + " code " + code();
    }
}
