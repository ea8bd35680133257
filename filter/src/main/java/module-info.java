/** The pcap-filter language, classic BPF programs, and the two ways to run them. No native access. */
module io.offhook.filter {
    requires transitive io.offhook.packet;
    requires static transitive org.jspecify;

    exports io.offhook.filter;
}
