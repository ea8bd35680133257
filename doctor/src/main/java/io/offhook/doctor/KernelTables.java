package io.offhook.doctor;

import io.offhook.linux.Ethtool;
import io.offhook.linux.KernelSocket;
import io.offhook.linux.QueueingDiscipline;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the kernel tells when it is asked, and no file has. */
interface KernelTables {
    /**
     * What the driver of an interface tells.
     *
     * @param driver its name; null where there is none
     * @param rings between driver and card; null where there are none
     * @param channels queues of the card; null where it does not tell
     * @param features what is done with packets
     */
    record Card(
            @Nullable String driver,
            Ethtool.@Nullable Rings rings,
            Ethtool.@Nullable Channels channels,
            List<Ethtool.Feature> features) {
        static final Card UNKNOWN = new Card(null, null, null, List.of());
    }

    /** UDP sockets; null where the kernel does not tell, and the tree's notes say why. */
    @Nullable
    List<KernelSocket> udpSockets(SystemTree tree);

    /** Packet sockets, as above. */
    @Nullable
    List<KernelSocket> packetSockets(SystemTree tree);

    /** By the interfaces' indices. */
    List<QueueingDiscipline> queues(SystemTree tree);

    Card card(String interfaceName, SystemTree tree);

    /** The driver's own counters. */
    Map<String, Long> driverCounters(String interfaceName, SystemTree tree);
}
