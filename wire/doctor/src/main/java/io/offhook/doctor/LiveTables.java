package io.offhook.doctor;

import io.offhook.linux.LinuxException;
import io.offhook.linux.network.Ethtool;
import io.offhook.linux.network.KernelSocket;
import io.offhook.linux.network.QueueingDiscipline;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The kernel's tables for this machine, in this network namespace. */
final class LiveTables implements KernelTables {
    @Override
    public @Nullable List<KernelSocket> udpSockets(SystemTree tree) {
        return reported(KernelSocket::udp, "how much UDP sockets may hold", "sock_diag", "modprobe udp_diag", tree);
    }

    @Override
    public @Nullable List<KernelSocket> packetSockets(SystemTree tree) {
        return reported(
                KernelSocket::packet, "the queues of packet sockets", "sock_diag", "modprobe af_packet_diag", tree);
    }

    @Override
    public List<QueueingDiscipline> queues(SystemTree tree) {
        List<QueueingDiscipline> queues =
                reported(QueueingDiscipline::all, "queueing disciplines and their drops", "rtnetlink", "", tree);
        return queues == null ? List.of() : queues;
    }

    @Override
    public Card card(String interfaceName, SystemTree tree) {
        Card card = ask(
                ethtool -> new Card(
                        ethtool.driver(interfaceName),
                        ethtool.rings(interfaceName),
                        ethtool.channels(interfaceName),
                        ethtool.features(interfaceName)),
                "rings and offloads of " + interfaceName,
                tree);
        return card == null ? Card.UNKNOWN : card;
    }

    @Override
    public Map<String, Long> driverCounters(String interfaceName, SystemTree tree) {
        Map<String, Long> counters =
                ask(ethtool -> ethtool.statistics(interfaceName), "driver's counters of " + interfaceName, tree);
        return counters == null ? Map.of() : counters;
    }

    private static <T> @Nullable T ask(Function<Ethtool, T> question, String what, SystemTree tree) {
        return reported(
                () -> {
                    try (Ethtool ethtool = Ethtool.open()) {
                        return question.apply(ethtool);
                    }
                },
                what,
                "SIOCETHTOOL",
                "",
                tree);
    }

    private static <T> @Nullable T reported(
            Supplier<T> question, String what, String call, String remedy, SystemTree tree) {
        try {
            return question.get();
        } catch (LinuxException | IllegalArgumentException e) {
            // IllegalArgumentException: a name that is too long once decoded as text
            tree.note(what, call, String.valueOf(e.getMessage()), remedy);
            return null;
        }
    }
}
