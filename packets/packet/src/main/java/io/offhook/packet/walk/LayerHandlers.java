package io.offhook.packet.walk;

import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.Protocol;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What is to be done with which kind of layer: a table that is set up once, and then told of one walked packet after the
 * other. Telling it allocates nothing and asks no map.
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
 * <p>Used by one thread, as its views are. What a handler throws goes through to the caller.
 */
public final class LayerHandlers {
    private static final Entry[] NONE = {};

    private final Entry[][] byType = new Entry[LayerType.COUNT][];
    private long unreadable;

    /** Nothing is done with any layer yet. */
    public LayerHandlers() {
        Arrays.fill(byType, NONE);
    }

    /** Takes the place of a layer. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Is told of a layer; the bytes are borrowed until the handler returns.
         *
         * @param offset of its header in the segment
         * @param length bytes of its header and of what it carries, as far as captured
         */
        void layer(MemorySegment segment, long offset, int length, PacketWalker walker);
    }

    /**
     * Takes a view that was put on a layer.
     *
     * @param <V> the kind of view
     */
    @FunctionalInterface
    public interface ViewHandler<V extends LayerView> {
        /**
         * Is told of a layer; the view is on it until the handler returns.
         *
         * @param layer its number in the walk, 0 for the outermost
         */
        void layer(V view, PacketWalker walker, int layer);
    }

    /** From now on, layers of that type are handed to the handler, after those that were set before. */
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
     * From now on, layers that the view reads are handed to the handler, with the view on them.
     *
     * @param <V> the kind of view
     */
    public <V extends LayerView> LayerHandlers on(V view, ViewHandler<? super V> handler) {
        Entry entry = new Entry() {
            @Override
            boolean take(PacketWalker walker, int layer) {
                Protocol own = walker.protocol(layer);
                if (own != null && !view.readsProtocol(own)) {
                    return true; // another registered protocol, which nobody asked for
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
     * Hands each layer of the walked packet, the outermost first, to those that asked for its kind.
     *
     * @return how many handlers were told
     */
    public int dispatch(PacketWalker walker) {
        int told = 0;
        for (int layer = 0; layer < walker.layerCount(); layer++) {
            Entry[] entries = byType[walker.layerIndex(layer)];
            for (int i = 0; i < entries.length; i++) {
                if (entries[i].take(walker, layer)) {
                    told++;
                } else {
                    unreadable++;
                }
            }
        }
        return told;
    }

    /** How often a handler was not told, because its view could not be put on the layer: cut, or of another version. */
    public long unreadable() {
        return unreadable;
    }

    /** One class a kind of handler, so that the call to it is one that the compiler can see through. */
    private abstract static class Entry {
        abstract boolean take(PacketWalker walker, int layer);
    }
}
