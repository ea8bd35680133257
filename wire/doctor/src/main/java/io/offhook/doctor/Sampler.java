package io.offhook.doctor;

import io.offhook.linux.network.KernelSocket;
import io.offhook.linux.network.KernelSocket.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the counters. */
final class Sampler {
    private static final String NET = "/proc/net/";
    /** The counters of interfaces. */
    static final String DEVICES = NET + "dev";

    private final SystemTree tree;
    private final KernelTables tables;
    private final SocketOwners owners;
    private final Cgroup cgroup;

    Sampler(SystemTree tree, KernelTables tables) {
        this.tree = tree;
        this.tables = tables;
        owners = new SocketOwners(tree);
        cgroup = new Cgroup(tree);
    }

    Sample sample(List<String> interfaces) {
        Map<String, Map<String, Long>> counters = new LinkedHashMap<>();
        Map<String, Map<String, Long>> drivers = new LinkedHashMap<>();
        String devices = tree.text(DEVICES, "counters of interfaces");
        Map<String, Map<String, Long>> ofDevices = devices == null ? Map.of() : ProtocolCounters.ofDevices(devices);
        for (String name : interfaces) {
            // /proc/net/dev sums up counters that /sys keeps separate
            Map<String, Long> own = statistics(name);
            counters.put(name, own.isEmpty() ? ofDevices.getOrDefault(name, Map.of()) : own);
            drivers.put(name, tables.driverCounters(name, tree));
        }
        String softnet = tree.text(NET + "softnet_stat", "what the receive softirqs dropped");
        // read before the sockets: drops in between are then attributed to sockets, not to vanished ones
        Map<String, Long> protocols = protocols();
        List<KernelSocket> sockets = sockets();
        return new Sample(
                softnet == null ? List.of() : SoftnetStat.parse(softnet),
                protocols,
                counters,
                drivers,
                tables.queues(tree),
                sockets,
                owners.of(notable(sockets)));
    }

    private Map<String, Long> statistics(String interfaceName) {
        String folder = SystemTree.INTERFACES + "/" + interfaceName + "/statistics";
        Map<String, Long> counters = new LinkedHashMap<>();
        for (String name : tree.names(folder)) {
            Long value = tree.number(folder + "/" + name);
            if (value != null) {
                counters.put(name, value);
            }
        }
        return counters;
    }

    private Map<String, Long> protocols() {
        Map<String, Long> counters = new LinkedHashMap<>();
        String snmp = tree.text(NET + "snmp", "UDP errors over IPv4");
        counters.putAll(snmp == null ? Map.of() : ProtocolCounters.ofPairs(snmp));
        String netstat = tree.optional(NET + "netstat");
        counters.putAll(netstat == null ? Map.of() : ProtocolCounters.ofPairs(netstat));
        // does not exist without IPv6
        String snmp6 = tree.optional(NET + "snmp6");
        counters.putAll(snmp6 == null ? Map.of() : ProtocolCounters.ofLines(snmp6));
        String sockstat = tree.optional(NET + "sockstat");
        counters.putAll(sockstat == null ? Map.of() : ProtocolCounters.ofSockstat(sockstat));
        String conntrack = tree.optional(NET + "stat/nf_conntrack");
        counters.putAll(conntrack == null ? Map.of() : ProtocolCounters.ofConntrack(conntrack));
        Long tracked = tree.number("/proc/sys/net/netfilter/nf_conntrack_count");
        if (tracked != null) {
            counters.put("conntrack.count", tracked);
        }
        counters.putAll(cgroup.throttling());
        counters.putAll(CpuTimes.parse(tree.optional("/proc/stat")));
        return counters;
    }

    private List<KernelSocket> sockets() {
        List<KernelSocket> sockets = new ArrayList<>();
        List<KernelSocket> udp = tables.udpSockets(tree);
        if (udp == null) {
            sockets.addAll(udpTable("udp", Kind.UDP));
            sockets.addAll(udpTable("udp6", Kind.UDP6));
        } else {
            sockets.addAll(udp);
        }
        List<KernelSocket> packet = tables.packetSockets(tree);
        sockets.addAll(packet == null ? List.of() : packet);
        return sockets;
    }

    private List<KernelSocket> udpTable(String name, Kind kind) {
        String text = tree.optional(NET + name);
        return text == null ? List.of() : UdpTable.parse(text, kind);
    }

    /**
     * The sockets whose owner is looked up. The search scans all files of all processes, so it is limited to sockets
     * that are reported.
     */
    private static Set<Long> notable(List<KernelSocket> sockets) {
        Set<Long> inodes = new HashSet<>();
        for (KernelSocket socket : sockets) {
            if (socket.owner().inode() != 0 && (socket.drops() > 0 || Losses.isFilling(socket))) {
                inodes.add(socket.owner().inode());
            }
        }
        return inodes;
    }
}
