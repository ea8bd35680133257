/** Bindings to the Linux kernel by way of its C library: sockets, mapped memory, readiness, processors, interfaces. */
module io.offhook.linux {
    requires static transitive org.jspecify;

    exports io.offhook.linux;
}
