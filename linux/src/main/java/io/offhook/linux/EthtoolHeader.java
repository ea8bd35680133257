package io.offhook.linux;

/**
 * {@code linux/ethtool.h}, and of {@code net/if.h} the structure that carries it: commands and structures of the ioctl
 * SIOCETHTOOL. Numbers are in the byte order of the machine; a test holds them against the C compiler's.
 *
 * <pre>
 *   struct ifreq                     each structure of ethtool
 *   +--------------------------+ 0   +--------------------------+ 0
 *   | name, ended by a 0       |     | command (32)             |
 *   | address of a structure   | 16  | what the command has     | 4
 *   +--------------------------+ 40  +--------------------------+
 * </pre>
 */
final class EthtoolHeader {
    static final int SIOCETHTOOL = 0x8946;
    static final int REQUEST_BYTES = 40;
    static final int REQUEST_DATA = 16;
    /** Of a name, with the 0 at its end. */
    static final int IFNAMSIZ = 16;

    static final int ETHTOOL_GDRVINFO = 0x03;
    static final int ETHTOOL_GRINGPARAM = 0x10;
    static final int ETHTOOL_GSTRINGS = 0x1b;
    static final int ETHTOOL_GSTATS = 0x1d;
    static final int ETHTOOL_GSSET_INFO = 0x37;
    static final int ETHTOOL_GFEATURES = 0x3a;
    static final int ETHTOOL_GCHANNELS = 0x3c;
    static final int ETHTOOL_GET_TS_INFO = 0x41;

    static final int ETH_SS_STATS = 1;
    static final int ETH_SS_FEATURES = 4;
    static final int ETH_GSTRING_LEN = 32;

    /** struct ethtool_drvinfo. */
    static final int DRIVER_BYTES = 196;

    static final int DRIVER_NAME = 4;

    /** struct ethtool_ringparam: the most there can be, then what there is. */
    static final int RINGS_BYTES = 36;

    static final int RINGS_RECEIVE_MOST = 4;
    static final int RINGS_SEND_MOST = 16;
    static final int RINGS_RECEIVE = 20;
    static final int RINGS_SEND = 32;

    /** struct ethtool_channels: as above. */
    static final int CHANNELS_BYTES = 36;

    static final int CHANNELS_RECEIVE_MOST = 4;
    static final int CHANNELS_SEND_MOST = 8;
    static final int CHANNELS_COMBINED_MOST = 16;
    static final int CHANNELS_RECEIVE = 20;
    static final int CHANNELS_SEND = 24;
    static final int CHANNELS_COMBINED = 32;

    /** struct ethtool_sset_info: sets asked for (a bit each), then the size of each of them. */
    static final int SETS_BYTES = 16;

    static final int SETS_MASK = 8;

    /** struct ethtool_gstrings: set, count, then the strings. */
    static final int STRINGS_BYTES = 12;

    static final int STRINGS_SET = 4;
    static final int STRINGS_COUNT = 8;

    /** struct ethtool_stats: count, then the values (64). */
    static final int STATISTICS_BYTES = 8;

    static final int STATISTICS_COUNT = 4;

    /** struct ethtool_gfeatures: count of blocks, then the blocks. */
    static final int FEATURES_BYTES = 8;

    static final int FEATURES_COUNT = 4;

    /** struct ethtool_get_features_block: four masks of 32 features. */
    static final int BLOCK_BYTES = 16;

    static final int BLOCK_AVAILABLE = 0;
    static final int BLOCK_ACTIVE = 8;
    static final int BLOCK_NEVER_CHANGED = 12;

    /** struct ethtool_ts_info: what can be done (SOF_TIMESTAMPING_...), the clock, for what is sent, for what is received. */
    static final int TIMESTAMPS_BYTES = 44;

    static final int TIMESTAMPS_FLAGS = 4;
    static final int TIMESTAMPS_CLOCK = 8;
    static final int TIMESTAMPS_RECEIVE = 28;

    private EthtoolHeader() {}
}
