/** The offhook command, the only place that wires everything. */
module io.offhook.cli {
    requires io.offhook.analysis;
    requires io.offhook.doctor;
    requires io.offhook.dpdk;
    requires io.offhook.forward;
    requires io.offhook.live;
    requires io.offhook.proxy;
    requires io.offhook.report;
    requires jdk.unsupported;
    requires tools.jackson.core;
    requires static org.jspecify;
}
