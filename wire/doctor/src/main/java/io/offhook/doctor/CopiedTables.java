package io.offhook.doctor;

import io.offhook.linux.network.KernelSocket;
import io.offhook.linux.network.QueueingDiscipline;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of a copy of files, which the kernel cannot be asked for; each missing one is noted. */
final class CopiedTables implements KernelTables {
    private static final String REASON = "a copy of files cannot be asked";

    @Override
    public @Nullable List<KernelSocket> udpSockets(SystemTree tree) {
        tree.note("how much UDP sockets may hold", "sock_diag", REASON, "");
        return null;
    }

    @Override
    public @Nullable List<KernelSocket> packetSockets(SystemTree tree) {
        tree.note("the queues of packet sockets", "sock_diag", REASON, "");
        return null;
    }

    @Override
    public List<QueueingDiscipline> queues(SystemTree tree) {
        tree.note("queueing disciplines and their drops", "rtnetlink", REASON, "");
        return List.of();
    }

    @Override
    public Card card(String interfaceName, SystemTree tree) {
        tree.note("rings and offloads of " + interfaceName, "SIOCETHTOOL", REASON, "");
        return Card.UNKNOWN;
    }

    @Override
    public Map<String, Long> driverCounters(String interfaceName, SystemTree tree) {
        return Map.of();
    }
}
