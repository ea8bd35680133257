/** SIP messages, SDP and WebSocket frames, indexed in place; no I/O. */
module io.offhook.sip {
    requires transitive io.offhook.packet;
    requires static transitive org.jspecify;

    exports io.offhook.sip;
    exports io.offhook.sip.digest;
    exports io.offhook.sip.edit;
    exports io.offhook.sip.proxy;
    exports io.offhook.sip.registrar;
    exports io.offhook.sip.stream;
    exports io.offhook.sip.transaction;
}
