package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * The header of BSD's loopback captures: an address family in the byte order of the machine that captured
 * (LINKTYPE_NULL), or in network order (LINKTYPE_LOOP). Families are below 65536, which tells the two orders apart.
 *
 * <pre>
 * 0                4
 * +----------------+----
 * | address family | packet
 * +----------------+----
 * </pre>
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on.
 */
public final class NullLoopbackView implements LayerView {
    public static final int LENGTH = 4;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;

    /** A view on nothing yet: {@link #wrap} first. */
    public NullLoopbackView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.NULL_LOOPBACK;
    }

    /**
     * Puts the view on a header; TRUNCATED below 4 bytes.
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
        return WrapStatus.OK;
    }

    /** 2 for IPv4; for IPv6 it is 10, 23, 24, 26, 28 or 30, by the system. */
    public long family() {
        return family(segment, offset);
    }

    static long family(MemorySegment segment, long offset) {
        int bits = NetworkOrder.bits32(segment, offset);
        if ((bits & 0xffff_0000) == 0) {
            return bits;
        }
        boolean isShort = (bits & 0xff00_ffff) == 0 && bits >>> 16 < 6; // IRIX has 16 bits of it, then zeros
        return isShort ? bits >>> 16 : Integer.reverseBytes(bits) & 0xffff_ffffL;
    }

    public long payloadOffset() {
        return offset + LENGTH;
    }

    @Override
    public String toString() {
        return "null family " + family();
    }
}
