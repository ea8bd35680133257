package io.offhook.linux.network;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue through which packets leave an interface, tc(8), with its drops; needs no capability to read.
 *
 * @param interfaceIndex the index of the interface
 * @param kind {@code pfifo_fast}, {@code fq_codel}, {@code mq}, {@code noqueue}
 * @param handle the handle: major number in the upper 16 bits, minor in the lower
 * @param parent the handle of the parent; {@link #ROOT} for the root of the interface
 * @param packets packets waiting
 * @param bytes bytes waiting
 * @param drops packets dropped since it was created, because there was no room or as early drops
 */
public record QueueingDiscipline(
        int interfaceIndex, String kind, int handle, int parent, long packets, long bytes, long drops) {
    /** The parent of the root. */
    public static final int ROOT = -1;

    /**
     * All queueing disciplines of this network namespace; those with children (mq) report the totals of their children.
     */
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
        boolean isReported = queue.byteSize() >= RouteNetlink.QUEUE_BYTES;
        return new QueueingDiscipline(
                Netlink.u32(body, 4),
                kind.byteSize() == 0 ? "" : kind.getString(0),
                Netlink.u32(body, RouteNetlink.TCMSG_HANDLE),
                Netlink.u32(body, RouteNetlink.TCMSG_PARENT),
                isReported ? Integer.toUnsignedLong(Netlink.u32(queue, 0)) : 0,
                isReported ? Integer.toUnsignedLong(Netlink.u32(queue, RouteNetlink.QUEUE_BACKLOG)) : 0,
                isReported ? Integer.toUnsignedLong(Netlink.u32(queue, RouteNetlink.QUEUE_DROPS)) : 0);
    }
}
