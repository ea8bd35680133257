package io.offhook.packet;

/**
 * A borrowed window on the header of one type of layer, reused for one layer after another: what {@link
 * io.offhook.packet.walk.PacketWalker#find(LayerView)} and {@link io.offhook.packet.walk.LayerHandlers} take.
 *
 * <p>A program may implement its own views for protocols that the library does not know.
 */
public interface LayerView extends View {
    /** Whether this view reads layers of that type; constant for a type. */
    boolean reads(LayerType type);

    /** Whether a view that reads {@link LayerType#REGISTERED} reads layers of that protocol. */
    default boolean readsProtocol(Protocol protocol) {
        return true;
    }
}
