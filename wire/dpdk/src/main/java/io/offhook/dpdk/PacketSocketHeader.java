package io.offhook.dpdk;

/** {@code sys/socket.h} and {@code linux/if_packet.h}, as far as needed to query a socket of net_af_packet. */
final class PacketSocketHeader {
    static final int SOL_SOCKET = 1;
    static final int SO_DOMAIN = 39;
    static final int AF_PACKET = 17;
    static final int SOL_PACKET = 263;
    static final int PACKET_STATISTICS = 6;
    static final int PACKET_VERSION = 10;
    static final int TPACKET_V2 = 1;

    /** struct tpacket_stats: packets (including dropped ones), drops. Reading resets them to 0. */
    static final int STATISTICS_BYTES = 8;

    static final int STATISTICS_DROPS = 4;

    /** struct sockaddr_ll. */
    static final int ADDRESS_BYTES = 20;

    static final int ADDRESS_INTERFACE = 4;

    private PacketSocketHeader() {}
}
