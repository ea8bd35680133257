/** DPDK from Java: packets in user space, without native code of ours. */
module io.offhook.dpdk {
    requires transitive io.offhook.live;
    requires static transitive org.jspecify;

    provides io.offhook.live.CaptureBackend with
            io.offhook.dpdk.DpdkBackend;

    exports io.offhook.dpdk;
}
