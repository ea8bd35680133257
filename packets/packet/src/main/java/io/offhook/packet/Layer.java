package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * One layer of a packet, or the message that a transport layer carries, for the {@link Protocol} that describes it: where
 * it lies, and what is around it. A flyweight, reused and single-threaded; valid until what it was handed to returns.
 */
public final class Layer {
    private Layers packet = Layers.NONE;
    private int index = -1;
    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int headerLength;
    private int length;
    private int wireLength;

    /** On nothing yet. */
    public Layer() {}

    /** Goes to layer {@code i} of a packet. */
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
     * Goes to bytes that a transport layer carries.
     *
     * @param packet that they are in; {@link Layers#NONE} for bytes alone
     * @param length of them that are there
     * @param wireLength of them that were sent
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

    /** The packet that it is in. */
    public Layers packet() {
        return packet;
    }

    /** Which layer of the packet it is; -1 for what a transport layer carries. */
    public int index() {
        return index;
    }

    /** Whether the layer around it is of that kind. */
    public boolean isInside(LayerType type) {
        return index > 0 && packet.layerType(index - 1) == type;
    }

    /** The segment that it lies in. */
    public MemorySegment segment() {
        return segment;
    }

    /** Where it starts, in the segment. */
    public long offset() {
        return offset;
    }

    /** Where it starts, in bytes from the frame's start. */
    public int position() {
        return (int) (offset - packet.frameOffset());
    }

    /** Bytes of its header that were captured; of a message, all that was. */
    public int headerLength() {
        return headerLength;
    }

    /** Bytes of its header and of what it carries, as far as captured. */
    public int length() {
        return length;
    }

    /** Bytes of it that were sent, where that is known; at least {@link #length()}. */
    public int wireLength() {
        return wireLength;
    }

    /** An unsigned byte; the caller has seen that it is there. */
    public int u8(int at) {
        return NetworkOrder.u8(segment, offset + at);
    }

    /** An unsigned number of 16 bits; the caller has seen that it is there. */
    public int u16(int at) {
        return NetworkOrder.u16(segment, offset + at);
    }

    /** An unsigned number of 32 bits; the caller has seen that it is there. */
    public long u32(int at) {
        return NetworkOrder.u32(segment, offset + at);
    }

    /** Puts a view on it, with what it carries; false when its header is not whole and sound. */
    public boolean wrap(LayerView view) {
        return view.wrap(segment, offset, length) == WrapStatus.OK;
    }

    /** Puts a view on its header alone; false when that is not whole and sound. */
    public boolean wrapHeader(LayerView view) {
        return view.wrap(segment, offset, headerLength) == WrapStatus.OK;
    }
}
