package io.offhook.forward.stage;

import io.offhook.forward.Burst;
import io.offhook.forward.EthernetFrames;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.link.ArpView;
import java.lang.foreign.MemorySegment;

/**
 * ARP (RFC 826) and the address resolution of neighbour discovery (RFC 4861): requests MAC addresses of neighbours,
 * answers for the router's own addresses, and learns from both. Each lane has its own instance.
 */
final class NeighborMessages {
    private static final int ARP_LENGTH = 28;
    private static final int REQUEST = 1;
    private static final int REPLY = 2;

    static final int SOLICITATION = 135;
    static final int ADVERTISEMENT = 136;
    /** The fixed part of both: type, code, checksum, flags, target. */
    static final int DISCOVERY_LENGTH = 24;

    private static final int OPTION_LENGTH = 8;
    private static final int SOURCE_LINK_ADDRESS = 1;
    private static final int TARGET_LINK_ADDRESS = 2;
    private static final long ROUTER_SOLICITED_OVERRIDE = 0xe000_0000L;
    private static final long ROUTER_OVERRIDE = 0xa000_0000L;
    private static final long OVERRIDE = 0x2000_0000L;
    private static final int IPV6_HEADER = 40;
    private static final int ICMPV6 = 58;
    /** ff02::1, all nodes. */
    private static final long ALL_NODES_HIGH = 0xff02_0000_0000_0000L;

    private final long[] linkAddresses;
    private final NeighborTable neighbors;
    private final ArpView arp = new ArpView();

    NeighborMessages(long[] linkAddresses, NeighborTable neighbors) {
        this.linkAddresses = linkAddresses;
        this.neighbors = neighbors;
    }

    /**
     * Learns from an ARP packet, and turns a request for an own address into the reply.
     *
     * @return whether the packet is a reply now
     */
    boolean answerArp(Burst burst, int i, int port, RouteTable routes) {
        MemorySegment memory = burst.memory();
        long start = burst.address(i);
        int length = burst.length(i) - EthernetFrames.HEADER;
        if (arp.wrap(memory, start + EthernetFrames.HEADER, length) != WrapStatus.OK
                || arp.hardwareType() != 1
                || !arp.isEthernetIpv4()) {
            return false;
        }
        long sender = arp.senderProtocol() << 32;
        long target = arp.targetProtocol() << 32;
        long senderLink = arp.senderHardware();
        boolean isForUs = routes.isOwn(port, true, target, 0);
        boolean isProbe = sender == 0; // checks whether an address is in use (RFC 5227, 2.1.1)
        if (!isProbe) {
            boolean isKnown = neighbors.find(port, sender, 0, burst.nowNs()) != 0;
            if (!routes.isOnLink(port, true, sender, 0) || !isForUs && !isKnown) {
                return false;
            }
            neighbors.learn(port, sender, 0, senderLink, burst.nowNs());
        }
        if (!isForUs || arp.operation() != REQUEST || EthernetFrames.isMulticast(senderLink)) {
            return false;
        }
        arp.operation(REPLY)
                .targetHardware(senderLink)
                .targetProtocol(sender >>> 32)
                .senderHardware(linkAddresses[port])
                .senderProtocol(target >>> 32);
        NetworkOrder.putU48(memory, start + EthernetFrames.DESTINATION, senderLink);
        NetworkOrder.putU48(memory, start + EthernetFrames.SOURCE, linkAddresses[port]);
        burst.changed(i);
        burst.output(i, port);
        return true;
    }

    /**
     * Requests the MAC address of a neighbour. Does nothing if the router has no address of that family at the port.
     */
    void ask(Burst burst, int port, boolean isIpv4, long high, long low, RouteTable routes) {
        int own = routes.address(port, isIpv4, high, low);
        if (own < 0) {
            return;
        }
        neighbors.expect(port, high, low);
        if (isIpv4) {
            askArp(burst, port, high, routes.addressHigh(own));
        } else {
            solicit(burst, port, high, low, routes.addressHigh(own), routes.addressLow(own));
        }
    }

    private void askArp(Burst burst, int port, long target, long own) {
        int i = burst.originate(EthernetFrames.HEADER + ARP_LENGTH);
        if (i < 0) {
            return;
        }
        MemorySegment memory = burst.memory();
        ethernet(memory, burst.address(i), EthernetFrames.BROADCAST, linkAddresses[port], EthernetFrames.ARP);
        long at = burst.address(i) + EthernetFrames.HEADER;
        NetworkOrder.putU32(memory, at, 1L << 16 | EthernetFrames.IPV4);
        NetworkOrder.putU32(memory, at + 4, 6L << 24 | 4L << 16 | REQUEST);
        NetworkOrder.putU48(memory, at + 8, linkAddresses[port]);
        NetworkOrder.putU32(memory, at + 14, own >>> 32);
        NetworkOrder.putU48(memory, at + 18, 0);
        NetworkOrder.putU32(memory, at + 24, target >>> 32);
        burst.output(i, port);
    }

    private static void ethernet(MemorySegment memory, long at, long destination, long source, int type) {
        NetworkOrder.putU48(memory, at + EthernetFrames.DESTINATION, destination);
        NetworkOrder.putU48(memory, at + EthernetFrames.SOURCE, source);
        NetworkOrder.putU16(memory, at + EthernetFrames.TYPE, type);
    }

    /** To the solicited-node group of the target (RFC 4291, 2.7.1). */
    private void solicit(Burst burst, int port, long high, long low, long ownHigh, long ownLow) {
        long group = low & 0xff_ffffL;
        discovery(
                burst,
                port,
                0x3333_ff00_0000L | group,
                ownHigh,
                ownLow,
                0xff02_0000_0000_0000L,
                0x1_ff00_0000L | group,
                SOLICITATION,
                0,
                high,
                low,
                SOURCE_LINK_ADDRESS);
    }

    /** Creates a message of neighbour discovery with the port's MAC address as its option. */
    private void discovery(
            Burst burst,
            int port,
            long linkDestination,
            long sourceHigh,
            long sourceLow,
            long destinationHigh,
            long destinationLow,
            int type,
            long flags,
            long targetHigh,
            long targetLow,
            int option) {
        int length = DISCOVERY_LENGTH + OPTION_LENGTH;
        int i = burst.originate(EthernetFrames.HEADER + IPV6_HEADER + length);
        if (i < 0) {
            return;
        }
        MemorySegment memory = burst.memory();
        ethernet(memory, burst.address(i), linkDestination, linkAddresses[port], EthernetFrames.IPV6);
        long ip = burst.address(i) + EthernetFrames.HEADER;
        NetworkOrder.putU32(memory, ip, 0x6000_0000L);
        NetworkOrder.putU32(memory, ip + 4, (long) length << 16 | ICMPV6 << 8 | 255);
        NetworkOrder.putBits64(memory, ip + 8, sourceHigh);
        NetworkOrder.putBits64(memory, ip + 16, sourceLow);
        NetworkOrder.putBits64(memory, ip + 24, destinationHigh);
        NetworkOrder.putBits64(memory, ip + 32, destinationLow);
        long icmp = ip + IPV6_HEADER;
        NetworkOrder.putU32(memory, icmp, (long) type << 24);
        NetworkOrder.putU32(memory, icmp + 4, flags);
        NetworkOrder.putBits64(memory, icmp + 8, targetHigh);
        NetworkOrder.putBits64(memory, icmp + 16, targetLow);
        NetworkOrder.putU16(memory, icmp + 24, option << 8 | 1);
        NetworkOrder.putU48(memory, icmp + 26, linkAddresses[port]);
        NetworkOrder.putU16(memory, icmp + 2, ~icmpv6Sum(memory, ip, icmp, length) & 0xffff);
        burst.output(i, port);
    }

    /**
     * The sum over a message and its pseudo header (RFC 8200, 8.1) with the addresses of an IP header; 0xffff if the
     * checksum is right.
     */
    static int icmpv6Sum(MemorySegment memory, long ip, long icmp, int length) {
        int addresses = InternetChecksum.sum(memory, ip + 8, 32, 0);
        return InternetChecksum.sum(memory, icmp, length, addresses + length + ICMPV6);
    }

    /**
     * Learns from a solicitation or an advertisement, and answers a solicitation for an own address.
     *
     * @param icmp the address of the message
     * @param length its length in bytes
     */
    void discover(Burst burst, int port, long ip, long icmp, int length, RouteTable routes) {
        MemorySegment memory = burst.memory();
        boolean isGenuine = NetworkOrder.u8(memory, ip + 7) == 255 // not forwarded by a router
                && length >= DISCOVERY_LENGTH
                && NetworkOrder.u8(memory, icmp + 1) == 0
                && icmpv6Sum(memory, ip, icmp, length) == 0xffff;
        if (!isGenuine) {
            return;
        }
        long targetHigh = NetworkOrder.bits64(memory, icmp + 8);
        long targetLow = NetworkOrder.bits64(memory, icmp + 16);
        long sourceHigh = NetworkOrder.bits64(memory, ip + 8);
        long sourceLow = NetworkOrder.bits64(memory, ip + 16);
        if (NetworkOrder.u8(memory, icmp) == ADVERTISEMENT) {
            long link = option(memory, icmp, length, TARGET_LINK_ADDRESS);
            // sent to this router at its request; otherwise it announces a change to all (RFC 4861, 7.2.5)
            boolean isAsked = routes.isOwn(
                    port, false, NetworkOrder.bits64(memory, ip + 24), NetworkOrder.bits64(memory, ip + 32));
            long known = neighbors.find(port, targetHigh, targetLow, burst.nowNs());
            boolean isBelieved = known == 0
                    ? isAsked
                    : known == link
                            || (NetworkOrder.u32(memory, icmp + 4) & OVERRIDE) != 0; // clear for anycast addresses
            if (link != 0 && isBelieved && routes.isOnLink(port, false, targetHigh, targetLow)) {
                neighbors.learn(port, targetHigh, targetLow, link, burst.nowNs());
            }
        } else if (routes.isOwn(port, false, targetHigh, targetLow)) {
            long link = option(memory, icmp, length, SOURCE_LINK_ADDRESS);
            boolean isUnspecified = (sourceHigh | sourceLow) == 0; // checks whether the address is in use
            if (isUnspecified && link != 0) {
                return; // RFC 4861, 7.1.1
            }
            if (link != 0 && isNeighbor(routes, port, sourceHigh, sourceLow)) {
                neighbors.learn(port, sourceHigh, sourceLow, link, burst.nowNs());
            }
            if (link == 0) { // may be omitted when a solicitation is repeated (RFC 4861, 4.3)
                link = NetworkOrder.u48(memory, ip - EthernetFrames.HEADER + EthernetFrames.SOURCE);
            }
            if (EthernetFrames.isMulticast(link)) {
                return;
            }
            discovery(
                    burst,
                    port,
                    isUnspecified ? 0x3333_0000_0001L : link,
                    targetHigh,
                    targetLow,
                    isUnspecified ? ALL_NODES_HIGH : sourceHigh,
                    isUnspecified ? 1 : sourceLow,
                    ADVERTISEMENT,
                    isUnspecified ? ROUTER_OVERRIDE : ROUTER_SOLICITED_OVERRIDE,
                    targetHigh,
                    targetLow,
                    TARGET_LINK_ADDRESS);
        }
    }

    private static boolean isNeighbor(RouteTable routes, int port, long high, long low) {
        return high >>> 54 == 0xfe80 >>> 6 || routes.isOnLink(port, false, high, low);
    }

    /** The MAC address in an option; 0 if the option is missing. */
    private static long option(MemorySegment memory, long icmp, int length, int wanted) {
        int at = DISCOVERY_LENGTH;
        while (at + OPTION_LENGTH <= length) {
            int size = NetworkOrder.u8(memory, icmp + at + 1) * 8;
            if (size == 0) {
                return 0; // RFC 4861, 4.6: the packet is invalid
            }
            if (NetworkOrder.u8(memory, icmp + at) == wanted) {
                return NetworkOrder.u48(memory, icmp + at + 2);
            }
            at += size;
        }
        return 0;
    }
}
