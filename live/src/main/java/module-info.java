/** Live capture: packets of network interfaces as a source of frames. */
module io.offhook.live {
    requires transitive io.offhook.linux;
    requires transitive io.offhook.pcap;
    requires static transitive org.jspecify;

    exports io.offhook.live;
}
