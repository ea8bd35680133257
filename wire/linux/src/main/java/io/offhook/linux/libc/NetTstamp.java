package io.offhook.linux.libc;

/**
 * {@code linux/net_tstamp.h}, and the requests of {@code linux/sockios.h} that use it: how network cards timestamp
 * packets.
 *
 * <pre>
 *   struct hwtstamp_config
 *   +--------------------------+ 0
 *   | flags                    |
 *   | transmit type            | 4
 *   | receive filter           | 8
 *   +--------------------------+ 12
 * </pre>
 */
public final class NetTstamp {
    public static final int SIOCSHWTSTAMP = 0x89b0;
    public static final int SIOCGHWTSTAMP = 0x89b1;

    public static final int SOF_TIMESTAMPING_RX_HARDWARE = 1 << 2;
    public static final int SOF_TIMESTAMPING_RAW_HARDWARE = 1 << 6;

    public static final int HWTSTAMP_FILTER_ALL = 1;

    public static final int CONFIG_BYTES = 12;
    public static final int CONFIG_RECEIVE = 8;

    private NetTstamp() {}
}
