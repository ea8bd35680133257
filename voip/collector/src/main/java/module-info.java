/** Receives what HEP agents send, over UDP, TCP and TLS, as a live source of frames. */
module io.offhook.collector {
    requires transitive io.offhook.live;
    requires transitive io.offhook.transport;
    requires static transitive org.jspecify;

    exports io.offhook.collector;
}
