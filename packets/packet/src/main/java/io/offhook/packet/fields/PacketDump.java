package io.offhook.packet.fields;

import io.offhook.packet.FieldVisitor;
import io.offhook.packet.LayerType;
import io.offhook.packet.Protocol;
import io.offhook.packet.walk.PacketWalker;

/**
 * Reports all layers of a packet and their fields to a visitor, with the application in place of its payload: the
 * source of {@code offhook print -v} and of its JSON. Single-threaded.
 */
public final class PacketDump {
    private final LayerFields layers = new LayerFields();

    /** Creates a dump. */
    public PacketDump() {}

    /**
     * Reports a walked packet.
     *
     * @param summary a summary that has described the same packet, and so knows its payload
     */
    public void describe(PacketWalker walker, PacketSummary summary, FieldVisitor to) {
        Protocol application = summary.application();
        boolean isChunk = walker.transport() >= 0 && walker.layerType(walker.transport()) == LayerType.SCTP;
        boolean isLeftOut = layers.describe(walker, application != null && !isChunk, to);
        if (application != null && (isLeftOut || isChunk)) {
            application.message(summary.message(), to);
        }
    }
}
