/** Flows, reassembly of IP fragments and TCP streams, within hard limits. No native access. */
module io.offhook.flow {
    requires transitive io.offhook.packet;
    requires static transitive org.jspecify;

    exports io.offhook.flow;
    exports io.offhook.flow.fragment;
    exports io.offhook.flow.table;
    exports io.offhook.flow.tcp;
}
