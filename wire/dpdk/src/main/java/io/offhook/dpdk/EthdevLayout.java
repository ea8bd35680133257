package io.offhook.dpdk;

/** Structures of {@code rte_ethdev.h} and {@code rte_ethdev_core.h}: sizes and offsets in bytes. */
final class EthdevLayout {
    static final int MAX_PORTS = 32;
    /** RTE_ETH_NAME_MAX_LEN. */
    static final int NAME_BYTES = 64;

    /** struct rte_eth_fp_ops, for one port. */
    static final int FP_OPS_BYTES = 128;

    static final int FP_RX_BURST = 0;
    static final int FP_RX_QUEUES = 24;
    static final int FP_TX_BURST = 64;
    static final int FP_TX_QUEUES = 88;

    /** struct rte_eth_conf, the configuration of a port. */
    static final int CONF_BYTES = 2272;

    static final int CONF_RX_MODE = 8;
    static final int CONF_MTU = 12;
    static final int CONF_RX_OFFLOADS = 24;
    static final int CONF_TX_OFFLOADS = 72;
    static final int CONF_RSS_FIELDS = 144;
    /** RTE_ETH_MQ_RX_RSS. */
    static final int MODE_RSS = 1;

    /** struct rte_eth_dev_info, the capabilities of a port. */
    static final int INFO_BYTES = 376;

    static final int INFO_DEVICE = 0;
    static final int INFO_DRIVER_NAME = 8;
    static final int INFO_INTERFACE = 16;
    static final int INFO_MIN_MTU = 20;
    static final int INFO_MAX_MTU = 22;
    static final int INFO_MAX_PACKET = 36;
    static final int INFO_MAX_RX_QUEUES = 44;
    static final int INFO_MAX_TX_QUEUES = 46;
    static final int INFO_RX_OFFLOADS = 72;
    static final int INFO_TX_OFFLOADS = 80;
    static final int INFO_RSS_FIELDS = 112;
    static final int INFO_RX_QUEUES = 288;
    static final int INFO_TX_QUEUES = 290;

    /** RTE_ETH_RSS_IP, _UDP, _TCP. */
    static final int RSS_IP = 0xa38c;

    static final int RSS_UDP = 0x20820;
    static final int RSS_TCP = 0x10410;
    /** The bytes of a frame beyond its MTU: Ethernet header, two VLAN tags and frame check sequence. */
    static final int FRAME_OVERHEAD = 26;

    /** The bits of offloads, by number. */
    static final int RX_SCATTER = 13;

    static final int RX_TIMESTAMP = 14;
    static final int RX_RSS_HASH = 19;
    static final int TX_MULTI_SEGS = 15;

    /** struct rte_eth_link. */
    static final int LINK_BYTES = 8;

    static final int LINK_BITS = 4;
    static final int LINK_FULL_DUPLEX = 1;
    static final int LINK_UP = 4;

    /** struct rte_eth_stats. */
    static final int STATS_BYTES = 704;

    static final int STATS_IPACKETS = 0;
    static final int STATS_OPACKETS = 8;
    static final int STATS_IBYTES = 16;
    static final int STATS_OBYTES = 24;
    static final int STATS_IMISSED = 32;
    static final int STATS_IERRORS = 40;
    static final int STATS_OERRORS = 48;
    static final int STATS_RX_NOMBUF = 56;

    /** struct rte_eth_xstat. */
    static final int XSTAT_BYTES = 16;

    static final int XSTAT_VALUE = 8;
    /** struct rte_eth_xstat_name. */
    static final int XSTAT_NAME_BYTES = 64;

    private EthdevLayout() {}
}
