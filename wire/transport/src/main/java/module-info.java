/** Sockets for servers: datagrams in batches, streams and TLS on event loops. Knows nothing of what they carry. */
module io.offhook.transport {
    requires io.offhook.linux;
    requires transitive io.offhook.packet;
    requires static transitive org.jspecify;

    exports io.offhook.transport;
    exports io.offhook.transport.websocket;
}
