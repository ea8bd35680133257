package io.offhook.packet.walk;

import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.Protocol;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A table of handlers by type of layer: set up once, then called for each walked packet. Dispatch allocates nothing and
 * looks up no map.
 *
 * <pre>{@code
 * LayerHandlers handlers = new LayerHandlers()
 *         .on(new Ipv4View(), (ip, walker, layer) -> packets[ip.protocol()]++)
 *         .on(LayerType.VXLAN, (segment, offset, length, walker) -> tunnels++);
 * ...
 * walker.walk(segment, offset, captured, wire, linkType);
 * handlers.dispatch(walker);
 * }</pre>
 *
 * <p>Single-threaded, like its views. Exceptions of handlers propagate to the caller.
 */
public final class LayerHandlers {
    private static final Entry[] NONE = {};

    private final Entry[][] byType = new Entry[LayerType.COUNT][];
    private long unreadable;

    /** Creates a table without handlers. */
    public LayerHandlers() {
        Arrays.fill(byType, NONE);
    }

    /** Handles a layer by its location. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Called for each layer; the bytes are borrowed until the handler returns.
         *
         * @param offset the offset of its header in the segment
         * @param length the number of captured bytes of its header and payload
         */
        void layer(MemorySegment segment, long offset, int length, PacketWalker walker);
    }

    /**
     * Handles a layer by a view on it.
     *
     * @param <V> the kind of view
     */
    @FunctionalInterface
    public interface ViewHandler<V extends LayerView> {
        /**
         * Called for each layer; the view is valid until the handler returns.
         *
         * @param layer its index in the walk, 0 for the outermost
         */
        void layer(V view, PacketWalker walker, int layer);
    }

    /** Adds a handler for layers of that type, after those added before. */
    public LayerHandlers on(LayerType type, Handler handler) {
        add(type, new Entry() {
            @Override
            boolean take(PacketWalker walker, int layer) {
                handler.layer(walker.segment(), walker.layerOffset(layer), walker.layerLength(layer), walker);
                return true;
            }
        });
        return this;
    }

    /**
     * Adds a handler for the layers that the view reads.
     *
     * @param <V> the kind of view
     */
    public <V extends LayerView> LayerHandlers on(V view, ViewHandler<? super V> handler) {
        Entry entry = new Entry() {
            @Override
            boolean take(PacketWalker walker, int layer) {
                Protocol own = walker.protocol(layer);
                if (own != null && !view.readsProtocol(own)) {
                    return true; // another registered protocol, for which there is no handler
                }
                if (!walker.wrap(view, layer)) {
                    return false;
                }
                handler.layer(view, walker, layer);
                return true;
            }
        };
        for (LayerType type : LayerType.values()) {
            if (view.reads(type)) {
                add(type, entry);
            }
        }
        return this;
    }

    private void add(LayerType type, Entry entry) {
        Entry[] old = byType[type.index()];
        Entry[] entries = Arrays.copyOf(old, old.length + 1);
        entries[old.length] = entry;
        byType[type.index()] = entries;
    }

    /**
     * Calls the handlers for each layer of the walked packet, outermost first.
     *
     * @return the number of calls
     */
    public int dispatch(PacketWalker walker) {
        int calls = 0;
        for (int layer = 0; layer < walker.layerCount(); layer++) {
            Entry[] entries = byType[walker.layerIndex(layer)];
            for (int i = 0; i < entries.length; i++) {
                if (entries[i].take(walker, layer)) {
                    calls++;
                } else {
                    unreadable++;
                }
            }
        }
        return calls;
    }

    /** The number of calls skipped because the view could not wrap the layer: cut off, or of another version. */
    public long unreadable() {
        return unreadable;
    }

    /** One class for each kind of handler, so that the compiler can inline the call. */
    private abstract static class Entry {
        abstract boolean take(PacketWalker walker, int layer);
    }
}
