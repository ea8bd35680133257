package io.offhook.linux.libc;

/**
 * {@code linux/ethtool.h}, and the structure of {@code net/if.h} that carries it: commands and structures of the ioctl
 * SIOCETHTOOL. Numbers are in native byte order; a test compares the constants with the C compiler's.
 *
 * <pre>
 *   struct ifreq                     each structure of ethtool
 *   +--------------------------+ 0   +--------------------------+ 0
 *   | name, ended by a 0       |     | command (32)             |
 *   | address of a structure   | 16  | data of the command      | 4
 *   +--------------------------+ 40  +--------------------------+
 * </pre>
 */
public final class EthtoolHeader {
    public static final int SIOCETHTOOL = 0x8946;
    public static final int REQUEST_BYTES = 40;
    public static final int REQUEST_DATA = 16;
    /** The size of an interface name, including the final 0. */
    public static final int IFNAMSIZ = 16;

    public static final int ETHTOOL_GDRVINFO = 0x03;
    public static final int ETHTOOL_GRINGPARAM = 0x10;
    public static final int ETHTOOL_GSTRINGS = 0x1b;
    public static final int ETHTOOL_GSTATS = 0x1d;
    public static final int ETHTOOL_GSSET_INFO = 0x37;
    public static final int ETHTOOL_GFEATURES = 0x3a;
    public static final int ETHTOOL_GCHANNELS = 0x3c;
    public static final int ETHTOOL_GET_TS_INFO = 0x41;

    public static final int ETH_SS_STATS = 1;
    public static final int ETH_SS_FEATURES = 4;
    public static final int ETH_GSTRING_LEN = 32;

    /** The size of struct ethtool_drvinfo. */
    public static final int DRIVER_BYTES = 196;

    public static final int DRIVER_NAME = 4;

    /** The size of struct ethtool_ringparam: the maxima, then the current values. */
    public static final int RINGS_BYTES = 36;

    public static final int RINGS_RECEIVE_MOST = 4;
    public static final int RINGS_SEND_MOST = 16;
    public static final int RINGS_RECEIVE = 20;
    public static final int RINGS_SEND = 32;

    /** The size of struct ethtool_channels: the maxima, then the current values. */
    public static final int CHANNELS_BYTES = 36;

    public static final int CHANNELS_RECEIVE_MOST = 4;
    public static final int CHANNELS_SEND_MOST = 8;
    public static final int CHANNELS_COMBINED_MOST = 16;
    public static final int CHANNELS_RECEIVE = 20;
    public static final int CHANNELS_SEND = 24;
    public static final int CHANNELS_COMBINED = 32;

    /** The size of struct ethtool_sset_info: the requested sets (one bit each), then the size of each set. */
    public static final int SETS_BYTES = 16;

    public static final int SETS_MASK = 8;

    /** The size of struct ethtool_gstrings: set, count, then the strings. */
    public static final int STRINGS_BYTES = 12;

    public static final int STRINGS_SET = 4;
    public static final int STRINGS_COUNT = 8;

    /** The size of struct ethtool_stats: count, then the values (64 bits). */
    public static final int STATISTICS_BYTES = 8;

    public static final int STATISTICS_COUNT = 4;

    /** The size of struct ethtool_gfeatures: number of blocks, then the blocks. */
    public static final int FEATURES_BYTES = 8;

    public static final int FEATURES_COUNT = 4;

    /** The size of struct ethtool_get_features_block: four masks of 32 features. */
    public static final int BLOCK_BYTES = 16;

    public static final int BLOCK_AVAILABLE = 0;
    public static final int BLOCK_ACTIVE = 8;
    public static final int BLOCK_NEVER_CHANGED = 12;

    /**
     * The size of struct ethtool_ts_info: capabilities (SOF_TIMESTAMPING_...), clock, transmit types, receive filters.
     */
    public static final int TIMESTAMPS_BYTES = 44;

    public static final int TIMESTAMPS_FLAGS = 4;
    public static final int TIMESTAMPS_CLOCK = 8;
    public static final int TIMESTAMPS_RECEIVE = 28;

    private EthtoolHeader() {}
}
