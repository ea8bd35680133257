package io.offhook.linux.network;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A network interface in the network namespace of this process, as the kernel reported it when it was read.
 *
 * @param name 1 to 15 bytes: {@code eth0}
 * @param index from 1; not reused in its namespace until the system restarts
 * @param hardwareType ARPHRD_... of net/if_arp.h
 * @param status its flags and operational state
 * @param mtu the MTU in bytes, without the link header
 * @param linkAddress the link-layer address as text with colons; empty if there is none
 * @param addresses the network-layer addresses with their prefix lengths, as text: {@code 10.0.0.1/8}
 */
public record NetworkDevice(
        String name, int index, int hardwareType, Status status, int mtu, String linkAddress, List<String> addresses) {
    /**
     * The administrative and the operational state.
     *
     * @param flags IFF_... of net/if.h
     * @param operational whether packets can pass, as the driver reports
     */
    public record Status(int flags, OperationalState operational) {}

    /** The ifOperStatus of RFC 2863, in the order of the kernel: IF_OPER_... of linux/if.h. */
    public enum OperationalState {
        /** The driver does not report it, as for the loopback interface. */
        UNKNOWN,
        /** The hardware is missing. */
        NOT_PRESENT,
        /** No packets can pass. */
        DOWN,
        /** Down because an interface below it is down. */
        LOWER_LAYER_DOWN,
        /** In a test mode. */
        TESTING,
        /** Waiting for an event, such as authentication. */
        DORMANT,
        /** Packets can pass. */
        UP;

        private static final List<OperationalState> ALL = List.of(values());

        static OperationalState of(int number) {
            return number < ALL.size() ? ALL.get(number) : UNKNOWN;
        }

        /** Returns the state as the {@code ip} command writes it, in lower case: {@code up}, {@code lowerlayerdown}. */
        public String label() {
            return name().replace("_", "").toLowerCase(Locale.ROOT);
        }
    }

    /** ARPHRD_ETHER: Ethernet, and devices that emulate it. */
    public static final int ETHERNET = 1;
    /** ARPHRD_RAWIP: packets begin with the IP header. */
    public static final int RAW_IP = 519;
    /** ARPHRD_LOOPBACK; its frames have Ethernet headers. */
    public static final int LOOPBACK = 772;
    /** ARPHRD_IEEE80211. */
    public static final int WIRELESS = 801;
    /** ARPHRD_IEEE80211_RADIOTAP: wireless in monitor mode. */
    public static final int WIRELESS_RADIOTAP = 803;
    /** ARPHRD_NONE: as {@link #RAW_IP}; a {@code tun} interface. */
    public static final int NONE = 0xfffe;

    private static final int UNKNOWN_SPEED = 0xffff;
    private static final int IFF_UP = 1;
    private static final int IFLA_ADDRESS = 1;
    private static final int IFLA_IFNAME = 3;
    private static final int IFLA_MTU = 4;
    private static final int IFLA_OPERSTATE = 16;
    private static final int IFLA_NUM_RX_QUEUES = 32;
    private static final int IFLA_XDP = 43;
    /** Within IFLA_XDP: 0 if nothing is attached. */
    private static final int IFLA_XDP_ATTACHED = 2;

    private static final int IFA_ADDRESS = 1;
    private static final int IFA_LOCAL = 2;

    /** Returns whether it is administratively up ({@code ip link set ... up}). */
    public boolean isUp() {
        return (status.flags() & IFF_UP) != 0;
    }

    /** Returns all interfaces, ordered by index. */
    public static List<NetworkDevice> all() {
        Map<Integer, List<String>> addresses = new TreeMap<>();
        RouteNetlink.dump(RouteNetlink.RTM_GETADDR, (type, body) -> {
            if (type == RouteNetlink.RTM_NEWADDR) {
                addresses
                        .computeIfAbsent(Netlink.u32(body, 4), _ -> new ArrayList<>())
                        .add(address(body));
            }
        });
        List<NetworkDevice> devices = new ArrayList<>();
        RouteNetlink.dump(RouteNetlink.RTM_GETLINK, (type, body) -> {
            if (type == RouteNetlink.RTM_NEWLINK) {
                devices.add(device(body, addresses));
            }
        });
        devices.sort(Comparator.comparingInt(NetworkDevice::index));
        return List.copyOf(devices);
    }

    /** Returns the interface of a name, or null if there is none. */
    public static @Nullable NetworkDevice named(String name) {
        return all().stream()
                .filter(device -> device.name.equals(name))
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns the number of receive queues: those that the driver uses, if it reports them; otherwise its most;
     * otherwise 1.
     */
    public int receiveQueues() {
        try (Ethtool ethtool = Ethtool.open()) {
            Ethtool.Channels channels = ethtool.channels(name);
            if (channels != null && channels.combined() + channels.receive() > 0) {
                return channels.combined() + channels.receive();
            }
        }
        int[] queues = {1};
        RouteNetlink.dump(RouteNetlink.RTM_GETLINK, (type, body) -> {
            if (type == RouteNetlink.RTM_NEWLINK && Netlink.u32(body, 4) == index) {
                MemorySegment value = link(body, IFLA_NUM_RX_QUEUES);
                queues[0] = value.byteSize() < Integer.BYTES ? 1 : Math.max(1, Netlink.u32(value, 0));
            }
        });
        return queues[0];
    }

    /** Returns the indexes of the interfaces that have an XDP program attached, whoever attached it. */
    public static Set<Integer> withXdpProgram() {
        Set<Integer> attached = new HashSet<>();
        RouteNetlink.dump(RouteNetlink.RTM_GETLINK, (type, body) -> {
            if (type == RouteNetlink.RTM_NEWLINK) {
                MemorySegment mode = Netlink.attribute(link(body, IFLA_XDP), 0, IFLA_XDP_ATTACHED);
                if (mode.byteSize() > 0 && Netlink.u8(mode, 0) != 0) {
                    attached.add(Netlink.u32(body, 4));
                }
            }
        });
        return attached;
    }

    private static NetworkDevice device(MemorySegment body, Map<Integer, List<String>> addresses) {
        int index = Netlink.u32(body, 4);
        MemorySegment mtu = link(body, IFLA_MTU);
        MemorySegment state = link(body, IFLA_OPERSTATE);
        int stateNumber = state.byteSize() == 0 ? 0 : Netlink.u8(state, 0);
        return new NetworkDevice(
                link(body, IFLA_IFNAME).getString(0),
                index,
                Netlink.u16(body, 2),
                new NetworkDevice.Status(Netlink.u32(body, 8), OperationalState.of(stateNumber)),
                mtu.byteSize() < Integer.BYTES ? 0 : Netlink.u32(mtu, 0),
                HexFormat.ofDelimiter(":").formatHex(Netlink.bytes(link(body, IFLA_ADDRESS))),
                List.copyOf(addresses.getOrDefault(index, List.of())));
    }

    private static MemorySegment link(MemorySegment body, int attribute) {
        return Netlink.attribute(body, RouteNetlink.IFINFOMSG, attribute);
    }

    private static String address(MemorySegment body) {
        // for a point-to-point interface, one is the address of this end, the other that of the far end
        MemorySegment local = Netlink.attribute(body, RouteNetlink.IFADDRMSG, IFA_LOCAL);
        MemorySegment address =
                local.byteSize() > 0 ? local : Netlink.attribute(body, RouteNetlink.IFADDRMSG, IFA_ADDRESS);
        try {
            return InetAddress.getByAddress(Netlink.bytes(address)).getHostAddress() + "/" + Netlink.u8(body, 1);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + address.byteSize() + " bytes", e);
        }
    }

    /** Returns the speed in megabits per second, or -1 if the driver does not report it. */
    public int speedMbps() {
        return speedMbps(text("speed"));
    }

    /**
     * Parses the file {@code speed} of an interface in sysfs.
     *
     * @param text the content of the file
     * @return megabits per second; -1 if it is not a number, or one that stands for an unknown speed: -1, as 16 bits in
     *     some drivers, as 32 unsigned bits in kernels before 4.12
     */
    public static int speedMbps(String text) {
        long speed = number(text);
        return speed == UNKNOWN_SPEED || speed > Integer.MAX_VALUE ? -1 : (int) speed;
    }

    /**
     * Returns the outgoing packets, of any sender, that the driver dropped or failed to send since the interface was
     * created; -1 if unknown.
     */
    public long sendDrops() {
        long dropped = number(text("statistics/tx_dropped"));
        long failed = number(text("statistics/tx_errors"));
        return dropped < 0 || failed < 0 ? -1 : dropped + failed;
    }

    /**
     * Returns a file of the interface in sysfs; empty if it cannot be read, as the speed of an interface that is down.
     */
    private String text(String file) {
        try {
            return Files.readString(Path.of("/sys/class/net", name, file), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }

    private static long number(String text) {
        try {
            return Math.max(-1, Long.parseLong(text.strip()));
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
