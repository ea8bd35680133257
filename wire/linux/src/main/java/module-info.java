/** Bindings to the Linux kernel through the C library: sockets, mapped memory, readiness, processors, interfaces. */
module io.offhook.linux {
    requires static transitive org.jspecify;

    exports io.offhook.linux;
    exports io.offhook.linux.lanes;
    exports io.offhook.linux.network;
    exports io.offhook.linux.raw to
            io.offhook.dpdk,
            io.offhook.forward,
            io.offhook.live,
            io.offhook.transport;
}
