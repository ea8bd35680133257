package io.offhook.packet.fields;

import io.offhook.packet.FieldVisitor;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.Protocol;
import io.offhook.packet.walk.PacketWalker;

/**
 * Reports the layers of a walked packet and the fields of their headers to a visitor, outermost first. For output: it
 * creates strings. Names are those of the views' accessors; docs/OUTPUT.md lists them.
 *
 * <p>Of a header that is cut off or malformed, the readable fields are reported. Not thread-safe: one for each walker.
 */
public final class LayerFields {
    private final StandardProtocols protocols;
    private final Layer layer = new Layer();

    /** Creates a reporter. */
    public LayerFields() {
        this(new StandardProtocols());
    }

    LayerFields(StandardProtocols protocols) {
        this.protocols = protocols;
    }

    /** Reports all layers; last, the one at which the walk stopped because it is cut off or malformed. */
    public void describe(PacketWalker walker, FieldVisitor visitor) {
        describe(walker, false, visitor);
    }

    /**
     * Reports all layers, with or without payload layers.
     *
     * @return whether a payload was left out
     */
    boolean describe(PacketWalker walker, boolean leavesPayloadOut, FieldVisitor visitor) {
        boolean isLeftOut = false;
        boolean isStopListed = false;
        for (int i = 0; i < walker.layerCount(); i++) {
            if (leavesPayloadOut && walker.layerType(i) == LayerType.PAYLOAD) {
                isLeftOut = true;
                continue;
            }
            int position = (int) (walker.layerOffset(i) - walker.frameOffset());
            boolean isStop =
                    isBroken(walker) && walker.stopOffset() == position && walker.stopLayer() == walker.layerType(i);
            isStopListed |= isStop;
            visitor.layer(protocol(walker, i).label(), position, walker.layerHeaderLength(i), isStop);
            if (isStop && walker.stop() == PacketWalker.Stop.MALFORMED) {
                broken(walker, visitor);
            } else {
                fields(walker, i, visitor);
            }
        }
        if (isBroken(walker) && !isStopListed && walker.had() > 0) {
            int available = Math.min(walker.had(), walker.needed());
            visitor.layer(stopProtocol(walker).label(), walker.stopOffset(), available, true);
            broken(walker, visitor);
        }
        return isLeftOut;
    }

    private void broken(PacketWalker walker, FieldVisitor visitor) {
        stopProtocol(walker)
                .layout()
                .visitBroken(
                        walker.segment(),
                        walker.frameOffset() + walker.stopOffset(),
                        Math.min(walker.had(), walker.needed()),
                        walker.stop() == PacketWalker.Stop.MALFORMED,
                        visitor);
    }

    private static boolean isBroken(PacketWalker walker) {
        return walker.stop() == PacketWalker.Stop.TRUNCATED || walker.stop() == PacketWalker.Stop.MALFORMED;
    }

    /** Reports the fields of layer {@code i}. */
    public void fields(PacketWalker walker, int i, FieldVisitor visitor) {
        protocol(walker, i).fields(layer.set(walker, i), visitor);
    }

    private Protocol protocol(PacketWalker walker, int i) {
        Protocol registered = walker.protocol(i);
        return registered == null ? protocols.of(walker.layerType(i)) : registered;
    }

    private Protocol stopProtocol(PacketWalker walker) {
        Protocol registered = walker.stopProtocol();
        return registered == null ? protocols.of(walker.stopLayer()) : registered;
    }
}
