package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * A borrowed window on the header of one type of layer, reused for one layer after another: what {@link
 * io.offhook.packet.walk.PacketWalker#find(LayerView)} and {@link io.offhook.packet.walk.LayerHandlers} take.
 *
 * <p>A program may implement its own views for protocols that the library does not know.
 */
public interface LayerView {
    /** Whether this view reads layers of that type; constant for a type. */
    boolean reads(LayerType type);

    /** Whether a view that reads {@link LayerType#REGISTERED} reads layers of that protocol. */
    default boolean readsProtocol(Protocol protocol) {
        return true;
    }

    /**
     * Wraps a header; after OK every accessor is in bounds, otherwise the view is unchanged.
     *
     * @param length the number of bytes available from {@code offset}, those of the payload too
     */
    WrapStatus wrap(MemorySegment segment, long offset, int length);
}
