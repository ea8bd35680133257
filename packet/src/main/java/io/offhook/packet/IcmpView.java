package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * An ICMP header (RFC 792); what the second word means depends on the type.
 *
 * <pre>
 *  0        8        16               32
 * +--------+--------+----------------+
 * |  type  |  code  |    checksum    |
 * +--------+--------+----------------+
 * |  identifier, MTU, gateway ...    |
 * +----------------------------------+
 * |   body ...
 * </pre>
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on.
 * Setters refuse what the field cannot hold and change nothing else, no checksum either; see {@link io.offhook.packet}.
 */
public final class IcmpView implements LayerView {
    public static final int LENGTH = 8;
    public static final int ECHO_REPLY = 0;
    public static final int DESTINATION_UNREACHABLE = 3;
    public static final int SOURCE_QUENCH = 4;
    public static final int REDIRECT = 5;
    public static final int ECHO_REQUEST = 8;
    public static final int TIME_EXCEEDED = 11;
    public static final int PARAMETER_PROBLEM = 12;

    private static final int TYPE = 0;
    private static final int CODE = 1;
    private static final int CHECKSUM = 2;
    private static final int PARAMETER = 4;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;

    /** A view on nothing yet: {@link #wrap} first. */
    public IcmpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.ICMP;
    }

    /**
     * Puts the view on a message; TRUNCATED below 8 bytes.
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

    public int type() {
        return NetworkOrder.u8(segment, offset + TYPE);
    }

    public IcmpView type(int type) {
        FieldRange.check("type", type, 0xff);
        NetworkOrder.putU8(segment, offset + TYPE, type);
        return this;
    }

    public int code() {
        return NetworkOrder.u8(segment, offset + CODE);
    }

    public IcmpView code(int code) {
        FieldRange.check("code", code, 0xff);
        NetworkOrder.putU8(segment, offset + CODE, code);
        return this;
    }

    public int checksum() {
        return NetworkOrder.u16(segment, offset + CHECKSUM);
    }

    public IcmpView checksum(int checksum) {
        FieldRange.check("checksum", checksum, 0xffff);
        NetworkOrder.putU16(segment, offset + CHECKSUM, checksum);
        return this;
    }

    /** The second word, whatever it means. */
    public long parameter() {
        return NetworkOrder.u32(segment, offset + PARAMETER);
    }

    public IcmpView parameter(long parameter) {
        FieldRange.check("parameter", parameter, 0xffff_ffffL);
        NetworkOrder.putU32(segment, offset + PARAMETER, parameter);
        return this;
    }

    public boolean isEcho() {
        return type() == ECHO_REQUEST || type() == ECHO_REPLY;
    }

    /** Of an echo. */
    public int identifier() {
        return NetworkOrder.u16(segment, offset + PARAMETER);
    }

    public IcmpView identifier(int identifier) {
        FieldRange.check("identifier", identifier, 0xffff);
        NetworkOrder.putU16(segment, offset + PARAMETER, identifier);
        return this;
    }

    /** Of an echo. */
    public int sequenceNumber() {
        return NetworkOrder.u16(segment, offset + PARAMETER + 2);
    }

    public IcmpView sequenceNumber(int sequenceNumber) {
        FieldRange.check("sequenceNumber", sequenceNumber, 0xffff);
        NetworkOrder.putU16(segment, offset + PARAMETER + 2, sequenceNumber);
        return this;
    }

    public long payloadOffset() {
        return offset + LENGTH;
    }

    public int payloadLength() {
        return length - LENGTH;
    }

    @Override
    public String toString() {
        return "icmp type " + type() + " code " + code();
    }
}
