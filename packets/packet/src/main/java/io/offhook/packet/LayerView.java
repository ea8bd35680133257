package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * A borrowed window on the header of one kind of layer, put on one layer after another: what {@link
 * io.offhook.packet.walk.PacketWalker#find(LayerView)} and {@link io.offhook.packet.walk.LayerHandlers} take.
 *
 * <p>A program may have views of its own for protocols that are not known here.
 */
public interface LayerView {
    /** Whether layers of that type are read by this view. Always the same answer. */
    boolean reads(LayerType type);

    /** Of a view that reads {@link LayerType#REGISTERED}: whether layers of that protocol are read by it. */
    default boolean readsProtocol(Protocol protocol) {
        return true;
    }

    /**
     * Puts the view on a header; after OK every accessor is in bounds, after anything else the view is where it was.
     *
     * @param length bytes that are there from {@code offset} on, those of the payload too
     */
    WrapStatus wrap(MemorySegment segment, long offset, int length);
}
