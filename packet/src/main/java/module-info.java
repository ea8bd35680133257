/** Frames, protocol views and the walker that finds the layers of a packet, in place. No native access. */
module io.offhook.packet {
    requires static transitive org.jspecify;

    exports io.offhook.packet;
}
