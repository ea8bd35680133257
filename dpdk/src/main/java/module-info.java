/** DPDK from Java: packets in user space, without native code of ours. */
module io.offhook.dpdk {
    requires transitive io.offhook.live;
    requires static transitive org.jspecify;

    exports io.offhook.dpdk;
}
