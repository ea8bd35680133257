package io.offhook.linux.network;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.linux.LinuxException;
import io.offhook.linux.libc.EthtoolHeader;
import io.offhook.linux.libc.NetTstamp;
import io.offhook.linux.libc.SysIoctl;
import io.offhook.linux.raw.NativeSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The drivers' reports on their interfaces, as ethtool(8) shows them, by ioctl; needs no capability. Values that a
 * driver does not support are null or empty. Interfaces are those of the network namespace of the thread that opened
 * this object. Not thread-safe.
 */
public final class Ethtool implements AutoCloseable {
    private static final int AF_INET = 2;
    private static final int SOCK_DGRAM = 2;
    private static final int EINVAL = 22;
    private static final int EOPNOTSUPP = 95;

    /**
     * A driver may have more statistics than it reported when asked for their number, and the kernel writes all of
     * them.
     */
    private static final int SLACK = 1024;

    /** More than any driver has. */
    private static final int MOST_STRINGS = 1 << 20;

    private final NativeSocket socket;

    private Ethtool(NativeSocket socket) {
        this.socket = socket;
    }

    /**
     * Opens the socket for the requests.
     *
     * @throws LinuxException if the kernel provides none
     */
    public static Ethtool open() {
        return new Ethtool(NativeSocket.open(AF_INET, SOCK_DGRAM, 0, "open a socket for ethtool"));
    }

    /**
     * The rings between driver and card, in packets (descriptors).
     *
     * @param receive the size of each receive ring
     * @param mostReceive the largest size of a receive ring
     * @param send the size of each send ring
     * @param mostSend the largest size of a send ring
     */
    public record Rings(int receive, int mostReceive, int send, int mostSend) {}

    /**
     * The queues of the card. A queue for both directions counts as combined only.
     *
     * @param receive the queues that only receive
     * @param mostReceive the most such queues
     * @param send the queues that only send
     * @param mostSend the most such queues
     * @param combined the queues that do both
     * @param mostCombined the most such queues
     */
    public record Channels(int receive, int mostReceive, int send, int mostSend, int combined, int mostCombined) {}

    /**
     * A feature of driver, card or kernel that affects packets.
     *
     * @param name the kernel's name: {@code rx-gro}, {@code tx-tcp-segmentation}
     * @param isOn whether the feature is on
     * @param isFixed whether it cannot be changed
     */
    public record Feature(String name, boolean isOn, boolean isFixed) {}

    /**
     * The timestamping capabilities of an interface.
     *
     * @param flags bits of SOF_TIMESTAMPING_... in linux/net_tstamp.h
     * @param clock the number of the card's clock, /dev/ptp; -1 if it has none
     * @param receiveFilters one bit for each supported HWTSTAMP_FILTER_...
     */
    public record Timestamps(int flags, int clock, int receiveFilters) {
        /** Whether the card can timestamp every received packet. */
        public boolean hasHardwareForAll() {
            int needed = NetTstamp.SOF_TIMESTAMPING_RX_HARDWARE | NetTstamp.SOF_TIMESTAMPING_RAW_HARDWARE;
            return (flags & needed) == needed && (receiveFilters >>> NetTstamp.HWTSTAMP_FILTER_ALL & 1) != 0;
        }
    }

    /** The timestamping capabilities, as {@code ethtool -T} shows them; null if the driver does not report them. */
    public @Nullable Timestamps timestamps(String interfaceName) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment timestamps = arena.allocate(EthtoolHeader.TIMESTAMPS_BYTES, Long.BYTES);
            return ask(interfaceName, EthtoolHeader.ETHTOOL_GET_TS_INFO, timestamps)
                    ? new Timestamps(
                            timestamps.get(JAVA_INT, EthtoolHeader.TIMESTAMPS_FLAGS),
                            timestamps.get(JAVA_INT, EthtoolHeader.TIMESTAMPS_CLOCK),
                            timestamps.get(JAVA_INT, EthtoolHeader.TIMESTAMPS_RECEIVE))
                    : null;
        }
    }

    /**
     * Makes the card timestamp every received packet. The setting for sent packets stays as it is. The change outlasts
     * this process, because other programs may rely on it. Needs CAP_NET_ADMIN, unless it is set already.
     *
     * @return false if the card cannot do so
     */
    public boolean stampAll(String interfaceName) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment config = arena.allocate(NetTstamp.CONFIG_BYTES, Long.BYTES);
            if (!request(interfaceName, NetTstamp.SIOCGHWTSTAMP, config, "ask for the timestamps of ")) {
                return false;
            }
            if (config.get(JAVA_INT, NetTstamp.CONFIG_RECEIVE) == NetTstamp.HWTSTAMP_FILTER_ALL) {
                return true;
            }
            config.set(JAVA_INT, NetTstamp.CONFIG_RECEIVE, NetTstamp.HWTSTAMP_FILTER_ALL);
            return request(interfaceName, NetTstamp.SIOCSHWTSTAMP, config, "switch on timestamps of ")
                    && config.get(JAVA_INT, NetTstamp.CONFIG_RECEIVE) == NetTstamp.HWTSTAMP_FILTER_ALL;
        }
    }

    /** The name of the driver: {@code ixgbe}; null if there is none, as for the loopback. */
    public @Nullable String driver(String interfaceName) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment driver = arena.allocate(EthtoolHeader.DRIVER_BYTES, Long.BYTES);
            return ask(interfaceName, EthtoolHeader.ETHTOOL_GDRVINFO, driver)
                    ? driver.getString(EthtoolHeader.DRIVER_NAME)
                    : null;
        }
    }

    /** The rings; null if the driver does not report any. */
    public @Nullable Rings rings(String interfaceName) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment rings = arena.allocate(EthtoolHeader.RINGS_BYTES, Long.BYTES);
            return ask(interfaceName, EthtoolHeader.ETHTOOL_GRINGPARAM, rings)
                    ? new Rings(
                            rings.get(JAVA_INT, EthtoolHeader.RINGS_RECEIVE),
                            rings.get(JAVA_INT, EthtoolHeader.RINGS_RECEIVE_MOST),
                            rings.get(JAVA_INT, EthtoolHeader.RINGS_SEND),
                            rings.get(JAVA_INT, EthtoolHeader.RINGS_SEND_MOST))
                    : null;
        }
    }

    /** The queues; null if the driver does not report them. */
    public @Nullable Channels channels(String interfaceName) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment channels = arena.allocate(EthtoolHeader.CHANNELS_BYTES, Long.BYTES);
            return ask(interfaceName, EthtoolHeader.ETHTOOL_GCHANNELS, channels)
                    ? new Channels(
                            channels.get(JAVA_INT, EthtoolHeader.CHANNELS_RECEIVE),
                            channels.get(JAVA_INT, EthtoolHeader.CHANNELS_RECEIVE_MOST),
                            channels.get(JAVA_INT, EthtoolHeader.CHANNELS_SEND),
                            channels.get(JAVA_INT, EthtoolHeader.CHANNELS_SEND_MOST),
                            channels.get(JAVA_INT, EthtoolHeader.CHANNELS_COMBINED),
                            channels.get(JAVA_INT, EthtoolHeader.CHANNELS_COMBINED_MOST))
                    : null;
        }
    }

    /** The driver's own counters, by the driver's names and in its order; values with the same name are added up. */
    public Map<String, Long> statistics(String interfaceName) {
        Map<String, Long> statistics = new LinkedHashMap<>();
        try (Arena arena = Arena.ofConfined()) {
            List<String> names = strings(interfaceName, EthtoolHeader.ETH_SS_STATS, arena);
            MemorySegment values = arena.allocate(
                    EthtoolHeader.STATISTICS_BYTES + (names.size() + SLACK) * (long) Long.BYTES, Long.BYTES);
            values.set(JAVA_INT, EthtoolHeader.STATISTICS_COUNT, names.size());
            if (!names.isEmpty() && ask(interfaceName, EthtoolHeader.ETHTOOL_GSTATS, values)) {
                int count = Math.min(names.size(), values.get(JAVA_INT, EthtoolHeader.STATISTICS_COUNT));
                for (int i = 0; i < count; i++) {
                    long value = values.get(JAVA_LONG, EthtoolHeader.STATISTICS_BYTES + i * (long) Long.BYTES);
                    statistics.merge(names.get(i), value, Long::sum);
                }
            }
        }
        return statistics;
    }

    /** The features of driver, card and kernel for the interface, in the kernel's order. */
    public List<Feature> features(String interfaceName) {
        List<Feature> features = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            List<String> names = strings(interfaceName, EthtoolHeader.ETH_SS_FEATURES, arena);
            int blocks = (names.size() + 31) / 32;
            MemorySegment masks = arena.allocate(
                    EthtoolHeader.FEATURES_BYTES + blocks * (long) EthtoolHeader.BLOCK_BYTES, Long.BYTES);
            masks.set(JAVA_INT, EthtoolHeader.FEATURES_COUNT, blocks);
            if (blocks > 0 && ask(interfaceName, EthtoolHeader.ETHTOOL_GFEATURES, masks)) {
                for (int i = 0; i < names.size(); i++) {
                    long block = EthtoolHeader.FEATURES_BYTES + i / 32 * (long) EthtoolHeader.BLOCK_BYTES;
                    boolean isChangeable = isSet(masks, block + EthtoolHeader.BLOCK_AVAILABLE, i)
                            && !isSet(masks, block + EthtoolHeader.BLOCK_NEVER_CHANGED, i);
                    if (!names.get(i).isEmpty()) {
                        boolean isOn = isSet(masks, block + EthtoolHeader.BLOCK_ACTIVE, i);
                        features.add(new Feature(names.get(i), isOn, !isChangeable));
                    }
                }
            }
        }
        return features;
    }

    private static boolean isSet(MemorySegment masks, long offset, int bit) {
        return (masks.get(JAVA_INT, offset) >>> bit % 32 & 1) != 0;
    }

    private List<String> strings(String interfaceName, int set, Arena arena) {
        MemorySegment sets = arena.allocate(EthtoolHeader.SETS_BYTES + Integer.BYTES, Long.BYTES);
        sets.set(JAVA_LONG, EthtoolHeader.SETS_MASK, 1L << set);
        if (!ask(interfaceName, EthtoolHeader.ETHTOOL_GSSET_INFO, sets)
                || sets.get(JAVA_LONG, EthtoolHeader.SETS_MASK) == 0) {
            return List.of();
        }
        int asked = sets.get(JAVA_INT, EthtoolHeader.SETS_BYTES);
        if (asked <= 0 || asked > MOST_STRINGS) {
            return List.of();
        }
        MemorySegment strings = arena.allocate(
                EthtoolHeader.STRINGS_BYTES + (asked + SLACK) * (long) EthtoolHeader.ETH_GSTRING_LEN, Long.BYTES);
        strings.set(JAVA_INT, EthtoolHeader.STRINGS_SET, set);
        strings.set(JAVA_INT, EthtoolHeader.STRINGS_COUNT, asked);
        if (!ask(interfaceName, EthtoolHeader.ETHTOOL_GSTRINGS, strings)) {
            return List.of();
        }
        int count = Math.min(asked, strings.get(JAVA_INT, EthtoolHeader.STRINGS_COUNT));
        List<String> names = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            names.add(text(strings.asSlice(
                    EthtoolHeader.STRINGS_BYTES + i * (long) EthtoolHeader.ETH_GSTRING_LEN,
                    EthtoolHeader.ETH_GSTRING_LEN)));
        }
        return names;
    }

    /** The text up to its 0, or to the end: drivers may fill all of it. */
    private static String text(MemorySegment characters) {
        byte[] bytes = Netlink.bytes(characters);
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.ISO_8859_1);
    }

    /** @return whether the driver supports the command */
    private boolean ask(String interfaceName, int command, MemorySegment structure) {
        structure.set(JAVA_INT, 0, command);
        return request(interfaceName, EthtoolHeader.SIOCETHTOOL, structure, "ask ethtool of ");
    }

    /** @return whether the driver supports the call */
    private boolean request(String interfaceName, int call, MemorySegment structure, String what) {
        byte[] name = interfaceName.getBytes(StandardCharsets.UTF_8);
        if (name.length == 0 || name.length >= EthtoolHeader.IFNAMSIZ) {
            throw new IllegalArgumentException("interface name \"" + interfaceName + "\" is outside 1 to "
                    + (EthtoolHeader.IFNAMSIZ - 1) + " bytes");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(EthtoolHeader.REQUEST_BYTES, Long.BYTES);
            MemorySegment.copy(name, 0, request, JAVA_BYTE, 0, name.length);
            request.set(ADDRESS, EthtoolHeader.REQUEST_DATA, structure);
            int result = SysIoctl.ioctl(socket.descriptor(), call, request);
            // EINVAL: the kernel does not know the command
            if (result == -EOPNOTSUPP || result == -EINVAL) {
                return false;
            }
            LinuxException.check(result, what + interfaceName);
            return true;
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
