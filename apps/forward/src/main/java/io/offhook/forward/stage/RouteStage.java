package io.offhook.forward.stage;

import io.offhook.forward.Burst;
import io.offhook.forward.EthernetFrames;
import io.offhook.forward.Stage;
import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A router of IPv4 and IPv6 (RFC 1812, RFC 8200): longest prefix match, time to live, next hops by ARP and neighbour
 * discovery, ICMP errors for packets that cannot be forwarded. It answers for its own addresses: ARP, neighbour
 * solicitations, echo requests. IPv4 packets longer than the next MTU are not fragmented. Tagged frames are not routed:
 * an earlier stage has to pop the tag.
 *
 * <p>Lanes share {@link RouteTable}, {@link NeighborTable} and the limit of ICMP errors; packets wait for their
 * neighbour in the lane that received them.
 */
public final class RouteStage implements Stage {
    static final int NOT_FOR_US = 0;
    static final int NOT_IP = 1;
    static final int MALFORMED = 2;
    static final int CHECKSUM = 3;
    static final int MARTIAN = 4;
    static final int NOT_FORWARDED = 5;
    static final int FOR_ROUTER = 6;
    static final int TTL = 7;
    static final int NO_ROUTE = 8;
    static final int TOO_LONG = 9;
    static final int NO_NEIGHBOR = 10;
    static final int QUEUE_FULL = 11;

    private static final List<String> CAUSES = List.of(
            "not for this router's MAC address",
            "not IP",
            "malformed",
            "wrong IPv4 checksum",
            "source that cannot be",
            "multicast, broadcast or link-local",
            "for the router itself",
            "time to live is over",
            "no route",
            "longer than the MTU",
            "neighbour does not answer",
            "too many wait for the neighbour");

    private final long ports;
    private final long[] linkAddresses;
    private final int[] mtus;
    private final NeighborTable neighbors;
    private final PendingNeighbors pending = new PendingNeighbors();
    private final TokenBuckets icmpLimit;
    private final NeighborMessages messages;
    private final Ipv4Routing ipv4;
    private final Ipv6Routing ipv6;
    private final int[] failedFrames = new int[PendingNeighbors.PACKETS];
    private final int[] failedLengths = new int[PendingNeighbors.PACKETS];
    private volatile RouteTable table;
    /** The table of the current burst. */
    private RouteTable routes;

    /**
     * Creates a lane's part of a router.
     *
     * @param ports its ports, one bit each
     * @param linkAddresses MAC addresses of all ports of the application, by number
     * @param mtus the MTUs of these ports, likewise, in bytes
     * @param table the addresses and routes
     * @param neighbors the neighbours, shared by its lanes
     * @param icmpErrors the limit of ICMP errors, shared by its lanes
     */
    public RouteStage(
            long ports,
            long[] linkAddresses,
            int[] mtus,
            RouteTable table,
            NeighborTable neighbors,
            TokenBuckets icmpErrors) {
        this.ports = ports;
        this.linkAddresses = linkAddresses.clone();
        this.mtus = mtus.clone();
        this.table = table;
        routes = table;
        this.neighbors = neighbors;
        icmpLimit = icmpErrors;
        messages = new NeighborMessages(this.linkAddresses, neighbors);
        ipv4 = new Ipv4Routing(this);
        ipv6 = new Ipv6Routing(this, messages);
    }

    /**
     * Creates a router of one lane, with its own limit of ICMP errors.
     *
     * @param ports its ports, one bit each
     * @param linkAddresses MAC addresses of all ports of the application, by number
     * @param mtus the MTUs of these ports, likewise, in bytes
     * @param icmpErrorsPerSecond the most ICMP errors per second
     * @param nowNs the time, by the forwarder's clock
     */
    public static RouteStage of(
            long ports,
            long[] linkAddresses,
            int[] mtus,
            RouteTable table,
            NeighborTable neighbors,
            long icmpErrorsPerSecond,
            long nowNs) {
        TokenBuckets limit = new TokenBuckets(1, icmpErrorsPerSecond, 1_000_000_000L, nowNs);
        return new RouteStage(ports, linkAddresses, mtus, table, neighbors, limit);
    }

    /** Replaces the table from the next burst on. Any thread. */
    public void exchange(RouteTable table) {
        this.table = table;
    }

    @Override
    public String name() {
        return "route";
    }

    @Override
    public List<String> dropCauses() {
        return CAUSES;
    }

    @Override
    public void process(Burst burst) {
        routes = table;
        for (int i = 0, count = burst.count(); i < count; i++) {
            int port = burst.port(i);
            if (port >= 0 && !burst.isDecided(i) && (ports >>> port & 1) != 0) {
                route(burst, i, port);
            }
        }
    }

    private void route(Burst burst, int i, int port) {
        if (burst.length(i) < EthernetFrames.HEADER) {
            burst.drop(i, MALFORMED);
            return;
        }
        MemorySegment memory = burst.memory();
        long destination = NetworkOrder.u48(memory, burst.address(i));
        boolean isGroup = EthernetFrames.isMulticast(destination);
        if (destination != linkAddresses[port] && !isGroup) {
            burst.drop(i, NOT_FOR_US);
            return;
        }
        switch (NetworkOrder.u16(memory, burst.address(i) + EthernetFrames.TYPE)) {
            case EthernetFrames.IPV4 -> ipv4.route(burst, i, port, isGroup);
            case EthernetFrames.IPV6 -> ipv6.route(burst, i, port, isGroup);
            case EthernetFrames.ARP -> {
                if (!messages.answerArp(burst, i, port, routes)) {
                    burst.drop(i, FOR_ROUTER);
                }
            }
            default -> burst.drop(i, NOT_IP);
        }
    }

    RouteTable routes() {
        return routes;
    }

    int mtu(int port) {
        return mtus[port];
    }

    /** Whether another ICMP error may be sent now. */
    boolean mayReport(Burst burst) {
        return icmpLimit.take(1, 1, burst.nowNs());
    }

    /** Sends a packet with a complete IP header to its next hop, or holds it until the MAC address of that is known. */
    void sendTo(Burst burst, int i, int hop, boolean isIpv4, long destinationHigh, long destinationLow) {
        int port = routes.port(hop);
        NetworkOrder.putU48(burst.memory(), burst.address(i) + EthernetFrames.SOURCE, linkAddresses[port]);
        long linkAddress = routes.linkAddress(hop);
        if (linkAddress == 0) {
            long high = routes.nextHigh(hop, destinationHigh);
            long low = routes.nextLow(hop, destinationLow);
            linkAddress = neighbors.find(port, high, low, burst.nowNs());
            if (linkAddress == 0) {
                await(burst, i, port, isIpv4, high, low);
                return;
            }
            if (neighbors.isToBeAsked(port, high, low, burst.nowNs())) {
                messages.ask(burst, port, isIpv4, high, low, routes);
            }
        }
        NetworkOrder.putU48(burst.memory(), burst.address(i) + EthernetFrames.DESTINATION, linkAddress);
        burst.output(i, port);
    }

    private void await(Burst burst, int i, int port, boolean isIpv4, long high, long low) {
        int entry = pending.entry(port, isIpv4, high, low, burst.nowNs());
        if (entry < 0 && giveWay(burst)) {
            entry = pending.entry(port, isIpv4, high, low, burst.nowNs());
        }
        int length = burst.length(i);
        int frame = entry < 0 || pending.isFull(entry) ? -1 : burst.hold(i);
        if (frame < 0) {
            burst.drop(i, QUEUE_FULL);
        } else {
            pending.add(entry, frame, length, burst.port(i));
        }
        if (entry >= 0 && pending.count(entry) == 1 && pending.isToBeAsked(entry, burst.nowNs())) {
            messages.ask(burst, port, isIpv4, high, low, routes);
        }
    }

    /** Evicts a hop to make room for another. @return whether there was one */
    private boolean giveWay(Burst burst) {
        int hop = pending.longestWaiting(burst.nowNs());
        if (hop < 0) {
            return false;
        }
        for (int n = 0, count = pending.count(hop); n < count; n++) {
            burst.dropHeld(pending.frame(hop, n), QUEUE_FULL);
        }
        pending.release(hop);
        return true;
    }

    @Override
    public void tick(Burst burst) {
        routes = table;
        for (int hop = 0; pending.used() > 0 && hop < PendingNeighbors.HOPS; hop++) {
            if (pending.isUsed(hop)) {
                tick(burst, hop);
            }
        }
    }

    private void tick(Burst burst, int hop) {
        long linkAddress = neighbors.find(pending.port(hop), pending.high(hop), pending.low(hop), burst.nowNs());
        if (linkAddress != 0) {
            goOn(burst, hop, linkAddress);
        } else if (pending.hasFailed(hop, burst.nowNs())) {
            giveUp(burst, hop);
        } else if (pending.isToBeAsked(hop, burst.nowNs())) {
            boolean isIpv4 = pending.isIpv4(hop);
            messages.ask(burst, pending.port(hop), isIpv4, pending.high(hop), pending.low(hop), routes);
        }
    }

    private void goOn(Burst burst, int hop, long linkAddress) {
        int gone = 0;
        while (gone < pending.count(hop)) {
            int i = burst.restore(pending.frame(hop, gone), pending.length(hop, gone), pending.origin(hop, gone));
            if (i < 0) {
                pending.shift(hop, gone);
                return; // the others follow at the next tick
            }
            NetworkOrder.putU48(burst.memory(), burst.address(i), linkAddress);
            burst.output(i, pending.port(hop));
            gone++;
        }
        pending.release(hop);
    }

    /** RFC 1812, 5.2.7.1: host unreachable; RFC 4443, 3.1: address unreachable. */
    private void giveUp(Burst burst, int hop) {
        boolean isIpv4 = pending.isIpv4(hop);
        int count = pending.count(hop);
        for (int n = 0; n < count; n++) {
            failedFrames[n] = pending.frame(hop, n);
            failedLengths[n] = pending.length(hop, n);
        }
        pending.release(hop); // first, as the error itself may have to wait
        for (int n = 0; n < count; n++) {
            long header = burst.heldAddress(failedFrames[n]) + EthernetFrames.HEADER;
            int length = failedLengths[n] - EthernetFrames.HEADER;
            if (isIpv4) {
                ipv4.reportUnreachable(burst, header, length);
            } else {
                ipv6.reportUnreachable(burst, header, length);
            }
            burst.dropHeld(failedFrames[n], NO_NEIGHBOR);
        }
    }
}
