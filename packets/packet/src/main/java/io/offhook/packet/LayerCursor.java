package io.offhook.packet;

/**
 * Where a walk stands, for the {@link Protocol#step step} of a registered protocol: it reads the header that starts here,
 * takes it, and says what comes next.
 *
 * <p>Whatever a step does, the walk stays sound. What is read beyond the captured bytes is 0, and the header then counts
 * as cut off, however long a step says that it is. A step that takes nothing ends the walk there.
 */
public abstract class LayerCursor {
    /** Nothing that is known comes next: the rest is payload. */
    public static final int DONE = -1;
    /** Number space of what comes next: {@link LinkType} values. */
    public static final int LINK_TYPE = 1 << 16;
    /** Number space of what comes next: {@link EtherType} values. */
    public static final int ETHER_TYPE = 2 << 16;
    /** Number space of what comes next: {@link IpProtocol} values. */
    public static final int IP_PROTOCOL = 3 << 16;

    /** One that stands nowhere. */
    protected LayerCursor() {}

    /** Captured bytes from here to the end of what carries this layer. */
    public abstract int available();

    /** Bytes from here to that end that were sent, captured or not. */
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

    /** The layer, with what it carries, is so many bytes long: what is behind pads it. More than there is has no effect. */
    public abstract void clip(int length);

    /**
     * Lists this layer with a header of so many bytes, and moves to what it carries. When they are not all there, it is
     * listed as cut off, and the walk ends.
     *
     * @return {@link #DONE}, for steps that nothing follows
     */
    public abstract int take(int headerLength);

    /** The header has a field that cannot be: the walk ends before it. */
    public abstract int malformed();
}
