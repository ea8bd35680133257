/** Capture files: pcap and pcapng, compressed or not, one or many, read and written. No native access of our own. */
module io.offhook.pcap {
    requires transitive io.offhook.filter;
    requires transitive io.offhook.packet;
    requires static transitive org.jspecify;
    requires com.github.luben.zstd_jni;

    exports io.offhook.pcap;
    exports io.offhook.pcap.file;
}
