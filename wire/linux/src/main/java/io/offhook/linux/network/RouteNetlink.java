package io.offhook.linux.network;

/**
 * rtnetlink(7): interfaces, addresses and queueing disciplines of the kernel; {@code linux/rtnetlink.h}, and the
 * structures of {@code linux/gen_stats.h} in its attributes.
 */
public final class RouteNetlink {
    private static final int NETLINK_ROUTE = 0;

    static final int RTM_NEWLINK = 16;
    static final int RTM_GETLINK = 18;
    static final int RTM_NEWADDR = 20;
    static final int RTM_GETADDR = 22;
    static final int RTM_NEWQDISC = 36;
    static final int RTM_GETQDISC = 38;

    /** The size of struct ifinfomsg: family, hardware type (16 bits at 2), index (32 at 4), flags (32 at 8), change. */
    static final int IFINFOMSG = 16;
    /** The size of struct ifaddrmsg: family (8 bits), prefix length (8 at 1), flags, scope, index (32 at 4). */
    static final int IFADDRMSG = 8;

    /** The size of struct tcmsg: family (8 bits), padding, index (32 at 4), handle (32), parent (32), info. */
    static final int TCMSG = 20;

    static final int TCMSG_HANDLE = 8;
    static final int TCMSG_PARENT = 12;
    static final int TCA_KIND = 1;
    static final int TCA_STATS2 = 7;
    static final int TCA_STATS_QUEUE = 3;

    /** The size of struct gnet_stats_queue: packets (32 bits), bytes (32), drops, requeues, over limits. */
    static final int QUEUE_BYTES = 20;

    static final int QUEUE_BACKLOG = 4;
    static final int QUEUE_DROPS = 8;

    private RouteNetlink() {}

    /** Requests all objects: RTM_GET... */
    static void dump(int request, Netlink.Visitor visitor) {
        // a body of zeros requests everything
        Netlink.dump(NETLINK_ROUTE, request, request == RTM_GETQDISC ? TCMSG : IFINFOMSG, _ -> {}, visitor);
    }
}
