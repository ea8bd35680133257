package io.offhook.linux;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue that packets leave an interface through, tc(8), and what it dropped; needs no capability.
 *
 * @param interfaceIndex whose it is
 * @param kind {@code pfifo_fast}, {@code fq_codel}, {@code mq}, {@code noqueue}
 * @param handle its number: major in the upper 16 bits, minor in the lower
 * @param parent the number of what it is in; -1 for the root of the interface
 * @param packets waiting
 * @param bytes waiting
 * @param drops packets that it had no room for, or dropped early, since it was made
 */
public record QueueingDiscipline(
        int interfaceIndex, String kind, int handle, int parent, long packets, long bytes, long drops) {
    /** The parent of the root. */
    public static final int ROOT = -1;

    /** All of this network namespace; those that hold others (mq) tell of these together. */
    public static List<QueueingDiscipline> all() {
        List<QueueingDiscipline> all = new ArrayList<>();
        RouteNetlink.dump(RouteNetlink.RTM_GETQDISC, (type, body) -> {
            if (type == RouteNetlink.RTM_NEWQDISC && body.byteSize() >= RouteNetlink.TCMSG) {
                all.add(discipline(body));
            }
        });
        return List.copyOf(all);
    }

    private static QueueingDiscipline discipline(MemorySegment body) {
        MemorySegment kind = Netlink.attribute(body, RouteNetlink.TCMSG, RouteNetlink.TCA_KIND);
        MemorySegment statistics = Netlink.attribute(body, RouteNetlink.TCMSG, RouteNetlink.TCA_STATS2);
        MemorySegment queue = Netlink.attribute(statistics, 0, RouteNetlink.TCA_STATS_QUEUE);
        boolean isTold = queue.byteSize() >= RouteNetlink.QUEUE_BYTES;
        return new QueueingDiscipline(
                Netlink.u32(body, 4),
                kind.byteSize() == 0 ? "" : kind.getString(0),
                Netlink.u32(body, RouteNetlink.TCMSG_HANDLE),
                Netlink.u32(body, RouteNetlink.TCMSG_PARENT),
                isTold ? Integer.toUnsignedLong(Netlink.u32(queue, 0)) : 0,
                isTold ? Integer.toUnsignedLong(Netlink.u32(queue, RouteNetlink.QUEUE_BACKLOG)) : 0,
                isTold ? Integer.toUnsignedLong(Netlink.u32(queue, RouteNetlink.QUEUE_DROPS)) : 0);
    }
}
