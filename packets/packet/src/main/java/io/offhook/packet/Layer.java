package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * One layer of a packet, or the message that a transport layer carries: its location and its surroundings, for the
 * {@link Protocol} that describes it. A flyweight, reused and single-threaded; valid until the method it is passed to
 * returns.
 */
public final class Layer {
    private Layers packet = Layers.NONE;
    private int index = -1;
    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int headerLength;
    private int length;
    private int wireLength;

    /** Creates a flyweight without a layer. */
    public Layer() {}

    /** Moves to layer {@code i} of a packet. */
    public Layer set(Layers packet, int i) {
        this.packet = packet;
        index = i;
        segment = packet.segment();
        offset = packet.layerOffset(i);
        headerLength = packet.layerHeaderLength(i);
        length = packet.layerLength(i);
        wireLength = length;
        return this;
    }

    /**
     * Moves to the bytes that a transport layer carries.
     *
     * @param packet the packet that contains them; {@link Layers#NONE} for bytes alone
     * @param length the number of captured bytes
     * @param wireLength the number of bytes sent
     */
    public Layer set(Layers packet, MemorySegment segment, long offset, int length, int wireLength) {
        this.packet = packet;
        index = -1;
        this.segment = segment;
        this.offset = offset;
        headerLength = length;
        this.length = length;
        this.wireLength = wireLength;
        return this;
    }

    /** The packet that contains it. */
    public Layers packet() {
        return packet;
    }

    /** The index of the layer in the packet; -1 for a message that a transport layer carries. */
    public int index() {
        return index;
    }

    /** Whether the layer around it is of that kind. */
    public boolean isInside(LayerType type) {
        return index > 0 && packet.layerType(index - 1) == type;
    }

    /** The segment that contains it. */
    public MemorySegment segment() {
        return segment;
    }

    /** Its offset in the segment. */
    public long offset() {
        return offset;
    }

    /** Its offset in the frame, in bytes. */
    public int position() {
        return (int) (offset - packet.frameOffset());
    }

    /** The number of captured bytes of its header; of a message, of all of it. */
    public int headerLength() {
        return headerLength;
    }

    /** The number of captured bytes of its header and its payload. */
    public int length() {
        return length;
    }

    /** The number of bytes sent, if known; at least {@link #length()}. */
    public int wireLength() {
        return wireLength;
    }

    /** An unsigned byte; the caller has checked the bounds. */
    public int u8(int at) {
        return NetworkOrder.u8(segment, offset + at);
    }

    /** An unsigned number of 16 bits; the caller has checked the bounds. */
    public int u16(int at) {
        return NetworkOrder.u16(segment, offset + at);
    }

    /** An unsigned number of 32 bits; the caller has checked the bounds. */
    public long u32(int at) {
        return NetworkOrder.u32(segment, offset + at);
    }

    /** Wraps the layer and its payload; false if the header is incomplete or invalid. */
    public boolean wrap(View view) {
        return view.wrap(segment, offset, length) == WrapStatus.OK;
    }

    /** Wraps the header alone; false if it is incomplete or invalid. */
    public boolean wrapHeader(View view) {
        return view.wrap(segment, offset, headerLength) == WrapStatus.OK;
    }
}
