package io.offhook.doctor;

import io.offhook.linux.KernelSocket;
import io.offhook.linux.QueueingDiscipline;
import java.util.List;
import java.util.Map;

/**
 * The counters of a moment.
 *
 * @param softnet a line a processor
 * @param protocols by name, {@code Udp.RcvbufErrors}; those of conntrack, sockstat and the cgroup are among them
 * @param interfaces those that are looked at, by name, then the kernel's counters by name: {@code rx_missed_errors}
 * @param drivers as above, the driver's own counters
 * @param queues by which packets leave
 * @param sockets that packets wait in
 * @param owners whose they are, by inode: of those only that lost something or have much waiting
 */
record Sample(
        List<SoftnetStat> softnet,
        Map<String, Long> protocols,
        Map<String, Map<String, Long>> interfaces,
        Map<String, Map<String, Long>> drivers,
        List<QueueingDiscipline> queues,
        List<KernelSocket> sockets,
        Map<Long, String> owners) {
    /** A counter of a protocol, 0 where the kernel has none of that name. */
    long protocol(String name) {
        return protocols.getOrDefault(name, 0L);
    }

    /** A counter of an interface. */
    long ofInterface(String interfaceName, String counter) {
        return interfaces.getOrDefault(interfaceName, Map.of()).getOrDefault(counter, 0L);
    }

    /** {@code UDP 0.0.0.0:5060, kamailio (1234)}. */
    String told(KernelSocket socket, Map<Integer, String> interfaceNames) {
        String place = switch (socket.kind()) {
            case UDP, UDP6 -> "UDP " + socket.local() + (socket.remote().isEmpty() ? "" : " to " + socket.remote());
            case PACKET ->
                "packet socket on "
                        + (socket.interfaceIndex() == 0
                                ? "all interfaces"
                                : interfaceNames.getOrDefault(
                                        socket.interfaceIndex(), "interface " + socket.interfaceIndex()));
        };
        String owner = owners.get(socket.inode());
        return place + ", " + (owner == null ? "of user " + socket.user() : owner);
    }
}
