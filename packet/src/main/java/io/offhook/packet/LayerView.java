package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * A borrowed window on the header of one kind of layer, to be put on one layer after the other: what {@link
 * PacketWalker#find(LayerView)} and {@link LayerHandlers} take.
 *
 * <p>A program may have views of its own for protocols that are not known here.
 */
public interface LayerView {
    /** Whether layers of that type are read by this view. Always the same answer. */
    boolean reads(LayerType type);

    /**
     * Puts the view on a header; after OK every accessor is in bounds, after anything else the view is where it was.
     *
     * @param length bytes that are there from {@code offset} on, those of the payload too
     */
    WrapStatus wrap(MemorySegment segment, long offset, int length);
}
