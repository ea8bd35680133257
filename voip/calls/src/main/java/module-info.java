/** Pure machines that turn SIP and RTP events into calls; no I/O, no clock. */
module io.offhook.calls {
    requires transitive io.offhook.sip;
    requires transitive io.offhook.rtp;
    requires static transitive org.jspecify;

    exports io.offhook.calls;
    exports io.offhook.calls.binding;
    exports io.offhook.calls.event;
    exports io.offhook.calls.figures;
    exports io.offhook.calls.join;
    exports io.offhook.calls.points;
    exports io.offhook.calls.registration;
    exports io.offhook.calls.relay;
    exports io.offhook.calls.statistics;
}
