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

    public int code() {
        return NetworkOrder.u8(segment, offset + CODE);
    }

    public int checksum() {
        return NetworkOrder.u16(segment, offset + CHECKSUM);
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
