/** Run-to-completion packet applications: ports, lanes and a list of stages. */
module io.offhook.forward {
    requires transitive io.offhook.config;
    requires transitive io.offhook.dpdk;
    requires transitive io.offhook.live;
    requires static transitive org.jspecify;

    exports io.offhook.forward;
}
