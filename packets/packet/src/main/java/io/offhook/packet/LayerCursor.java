package io.offhook.packet;

/**
 * The position of a walk, for the {@link Protocol#step step} of a registered protocol: the step reads the header that
 * starts here, takes it, and returns what comes next.
 *
 * <p>No step can break the walk. Reads beyond the captured bytes return 0 and mark the header as cut off, whatever
 * length the step takes. A step that takes nothing ends the walk.
 */
public abstract class LayerCursor {
    /** Nothing known comes next: the rest is payload. */
    public static final int DONE = -1;
    /** Number space of what comes next: {@link LinkType} values. */
    public static final int LINK_TYPE = 1 << 16;
    /** Number space of what comes next: {@link EtherType} values. */
    public static final int ETHER_TYPE = 2 << 16;
    /** Number space of what comes next: {@link IpProtocol} values. */
    public static final int IP_PROTOCOL = 3 << 16;

    /** Creates a cursor without a position. */
    protected LayerCursor() {}

    /** The number of captured bytes from here to the end of the enclosing layer. */
    public abstract int available();

    /** The number of bytes sent from here to that end, captured or not. */
    public abstract int wireAvailable();

    /** An unsigned byte, {@code at} bytes from here. */
    public abstract int u8(int at);

    /** An unsigned number of 16 bits, {@code at} bytes from here. */
    public final int u16(int at) {
        return u8(at) << 8 | u8(at + 1);
    }

    /** An unsigned number of 32 bits, {@code at} bytes from here. */
    public final long u32(int at) {
        return (long) u16(at) << 16 | u16(at + 2);
    }

    /**
     * Sets the length of the layer with its payload; what follows is padding. A larger value than available has no
     * effect.
     */
    public abstract void clip(int length);

    /**
     * Lists this layer with a header of that length, and moves to its payload. If the header is incomplete, it is
     * listed as cut off, and the walk ends.
     *
     * @return {@link #DONE}, for steps that nothing follows
     */
    public abstract int take(int headerLength);

    /** Reports an invalid field in the header: the walk ends before it. */
    public abstract int malformed();
}
