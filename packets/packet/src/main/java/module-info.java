/** Frames, protocol views and the walker that finds the layers of a packet, in place. No native access. */
module io.offhook.packet {
    requires static transitive org.jspecify;

    uses io.offhook.packet.Protocol;

    exports io.offhook.packet;
    exports io.offhook.packet.application;
    exports io.offhook.packet.buffer;
    exports io.offhook.packet.checksum;
    exports io.offhook.packet.edit;
    exports io.offhook.packet.fields;
    exports io.offhook.packet.link;
    exports io.offhook.packet.network;
    exports io.offhook.packet.transport;
    exports io.offhook.packet.tunnel;
    exports io.offhook.packet.walk;
    exports io.offhook.packet.write;
}
