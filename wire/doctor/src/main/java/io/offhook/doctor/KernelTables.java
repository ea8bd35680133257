package io.offhook.doctor;

import io.offhook.linux.network.Ethtool;
import io.offhook.linux.network.KernelSocket;
import io.offhook.linux.network.QueueingDiscipline;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values that the kernel reports only through system calls, not in files. */
interface KernelTables {
    /**
     * The report of an interface's driver.
     *
     * @param driver the name of the driver; null if there is none
     * @param rings the rings between driver and card; null if there are none
     * @param channels the queues of the card; null if unknown
     * @param features the offload features
     */
    record Card(
            @Nullable String driver,
            Ethtool.@Nullable Rings rings,
            Ethtool.@Nullable Channels channels,
            List<Ethtool.Feature> features) {
        static final Card UNKNOWN = new Card(null, null, null, List.of());
    }

    /** The UDP sockets; null if unknown, in which case the tree's notes have the reason. */
    @Nullable
    List<KernelSocket> udpSockets(SystemTree tree);

    /** The packet sockets; null if unknown, in which case the tree's notes have the reason. */
    @Nullable
    List<KernelSocket> packetSockets(SystemTree tree);

    /** The queueing disciplines, by interface index. */
    List<QueueingDiscipline> queues(SystemTree tree);

    Card card(String interfaceName, SystemTree tree);

    /** The driver's own counters. */
    Map<String, Long> driverCounters(String interfaceName, SystemTree tree);
}
