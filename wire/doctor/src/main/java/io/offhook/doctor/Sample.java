package io.offhook.doctor;

import io.offhook.linux.network.KernelSocket;
import io.offhook.linux.network.QueueingDiscipline;
import java.util.List;
import java.util.Map;

/**
 * The counters at one moment.
 *
 * @param softnet one line per processor
 * @param protocols counters by name, {@code Udp.RcvbufErrors}, including those of conntrack, sockstat and the cgroup
 * @param interfaces the examined interfaces by name, with the kernel's counters by name: {@code rx_missed_errors}
 * @param drivers the examined interfaces by name, with the driver's own counters
 * @param queues the send queues
 * @param sockets the sockets in which packets wait
 * @param owners the owners by inode; only of sockets that lost packets or have many waiting
 */
record Sample(
        List<SoftnetStat> softnet,
        Map<String, Long> protocols,
        Map<String, Map<String, Long>> interfaces,
        Map<String, Map<String, Long>> drivers,
        List<QueueingDiscipline> queues,
        List<KernelSocket> sockets,
        Map<Long, String> owners) {
    /** A counter of a protocol; 0 if the kernel has none of this name. */
    long protocol(String name) {
        return protocols.getOrDefault(name, 0L);
    }

    /** A counter of an interface. */
    long ofInterface(String interfaceName, String counter) {
        return interfaces.getOrDefault(interfaceName, Map.of()).getOrDefault(counter, 0L);
    }

    /** For example {@code UDP 0.0.0.0:5060, kamailio (1234)}. */
    String reported(KernelSocket socket, Map<Integer, String> interfaceNames) {
        String place = switch (socket.kind()) {
            case UDP, UDP6 -> "UDP " + socket.local() + (socket.remote().isEmpty() ? "" : " to " + socket.remote());
            case PACKET ->
                "packet socket on "
                        + (socket.interfaceIndex() == 0
                                ? "all interfaces"
                                : interfaceNames.getOrDefault(
                                        socket.interfaceIndex(), "interface " + socket.interfaceIndex()));
        };
        String owner = owners.get(socket.owner().inode());
        return place + ", " + (owner == null ? "of user " + socket.owner().user() : owner);
    }
}
