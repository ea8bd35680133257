package io.offhook.packet.fields;

import io.offhook.packet.FieldVisitor;
import io.offhook.packet.LayerType;
import io.offhook.packet.Protocol;
import io.offhook.packet.walk.PacketWalker;

/**
 * Reports to a visitor all layers of a packet with their fields, and in the place of a payload the application that it
 * is: what {@code offhook print -v} and its JSON are made of. Single-threaded.
 */
public final class PacketDump {
    private final LayerFields layers = new LayerFields();

    /** Ready for any packet. */
    public PacketDump() {}

    /**
     * Reports a walked packet.
     *
     * @param summary that described the same packet before: it knows what the payload is
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
