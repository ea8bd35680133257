/** The language of pcap-filter(7), classic BPF programs, and their compiler and interpreter. No native access. */
module io.offhook.filter {
    requires transitive io.offhook.packet;
    requires static transitive org.jspecify;

    exports io.offhook.filter;
}
