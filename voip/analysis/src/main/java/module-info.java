/** Wires packet sources to lanes to calls. */
module io.offhook.analysis {
    requires transitive io.offhook.pcap;
    requires transitive io.offhook.flow;
    requires transitive io.offhook.calls;
    requires static transitive org.jspecify;

    exports io.offhook.analysis;
    exports io.offhook.analysis.audio;
}
