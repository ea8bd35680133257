package io.offhook.linux;

/**
 * {@code linux/net_tstamp.h}, and of {@code linux/sockios.h} what asks for it: how network cards stamp packets.
 *
 * <pre>
 *   struct hwtstamp_config
 *   +--------------------------+ 0
 *   | flags                    |
 *   | of what is sent          | 4
 *   | of what is received      | 8
 *   +--------------------------+ 12
 * </pre>
 */
final class NetTstamp {
    static final int SIOCSHWTSTAMP = 0x89b0;
    static final int SIOCGHWTSTAMP = 0x89b1;

    static final int SOF_TIMESTAMPING_RX_HARDWARE = 1 << 2;
    static final int SOF_TIMESTAMPING_RAW_HARDWARE = 1 << 6;

    static final int HWTSTAMP_FILTER_ALL = 1;

    static final int CONFIG_BYTES = 12;
    static final int CONFIG_RECEIVE = 8;

    private NetTstamp() {}
}
