/** Live capture: packets of network interfaces as a source of frames. */
module io.offhook.live {
    requires transitive io.offhook.linux;
    requires transitive io.offhook.pcap;
    requires static transitive org.jspecify;

    uses io.offhook.live.CaptureBackend;

    provides io.offhook.live.CaptureBackend with
            io.offhook.live.packetsocket.PacketSocketBackend,
            io.offhook.live.xdp.XdpBackend,
            io.offhook.live.libpcap.LibpcapBackend;

    exports io.offhook.live;
    exports io.offhook.live.libpcap;
    exports io.offhook.live.packetsocket;
    exports io.offhook.live.replay;
    exports io.offhook.live.xdp;
}
