/** Wires packet sources to lanes to calls. */
module io.offhook.analysis {
    requires transitive io.offhook.pcap;
    requires transitive io.offhook.flow;
    requires transitive io.offhook.calls;
    requires transitive io.offhook.hep;
    requires static transitive org.jspecify;

    exports io.offhook.analysis;
    exports io.offhook.analysis.audio;
    exports io.offhook.analysis.hep;
    exports io.offhook.analysis.inputs;
    exports io.offhook.analysis.kept;
    exports io.offhook.analysis.rtcp;
}
