/** The offhook command, the only place that wires everything. */
module io.offhook.cli {
    requires io.offhook.monitor;
    requires io.offhook.analysis;
    requires io.offhook.audio;
    requires io.offhook.collector;
    requires io.offhook.decrypt;
    requires io.offhook.doctor;
    requires io.offhook.dpdk;
    requires io.offhook.forward;
    requires io.offhook.hep;
    requires io.offhook.live;
    requires io.offhook.proxy;
    requires io.offhook.report;
    requires io.offhook.store;
    requires io.offhook.transport;
    requires io.offhook.web;
    requires jdk.unsupported;
    requires org.jline.terminal;
    requires tools.jackson.core;
    requires static org.jspecify;

    exports io.offhook.cli to
            io.offhook.cluster;
    exports io.offhook.cli.calls to
            io.offhook.cluster;
    exports io.offhook.cli.command to
            io.offhook.cluster;
    exports io.offhook.cli.input to
            io.offhook.cluster;
    exports io.offhook.cli.terminal to
            io.offhook.cluster;
}
