/** RTP and RTCP views, stream statistics, the E-model and DTMF; no I/O. */
module io.offhook.rtp {
    requires transitive io.offhook.packet;
    requires static transitive org.jspecify;

    exports io.offhook.rtp;
    exports io.offhook.rtp.figures;
    exports io.offhook.rtp.playout;
    exports io.offhook.rtp.quality;
    exports io.offhook.rtp.tones;
}
