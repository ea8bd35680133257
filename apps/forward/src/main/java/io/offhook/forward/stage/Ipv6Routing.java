package io.offhook.forward.stage;

import io.offhook.forward.Burst;
import io.offhook.forward.EthernetFrames;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.network.Ipv6View;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;

/** Routes IPv6 packets (RFC 8200, 3; RFC 4291) and sends ICMPv6 messages (RFC 4443, RFC 4861). */
final class Ipv6Routing {
    private static final int ICMPV6 = 58;
    private static final int HOP_LIMIT_OWN = 64;
    private static final int ICMP_HEADER = 8;
    /** RFC 4443, 2.4 (c): as much as fits in the least MTU. */
    private static final int MAX_ERROR = 1280;

    private static final int UNREACHABLE = 1;
    private static final int TOO_BIG = 2;
    private static final int TIME_EXCEEDED = 3;
    private static final int ECHO_REQUEST = 128;
    private static final int ECHO_REPLY = 129;
    private static final int REDIRECT = 137;

    private static final int CODE_NO_ROUTE = 0;
    private static final int CODE_PROHIBITED = 1;
    private static final int CODE_ADDRESS = 3;
    private static final int CODE_PORT = 4;

    private final RouteStage router;
    private final NeighborMessages messages;
    private final Ipv6View ip = new Ipv6View();
    private final Ipv6View quoted = new Ipv6View();
    /** Decodes held packets, which are in no burst. */
    private final PacketWalker walker = new PacketWalker();

    Ipv6Routing(RouteStage router, NeighborMessages messages) {
        this.router = router;
        this.messages = messages;
    }

    /** @param isGroup whether the frame is multicast, which is neither forwarded nor reported (RFC 4443, 2.4 (e.4)) */
    void route(Burst burst, int i, int port, boolean isGroup) {
        MemorySegment memory = burst.memory();
        long header = burst.address(i) + EthernetFrames.HEADER;
        int length = burst.length(i) - EthernetFrames.HEADER;
        if (ip.wrap(memory, header, length) != WrapStatus.OK || Ipv6View.LENGTH + ip.payloadLengthField() > length) {
            burst.drop(i, RouteStage.MALFORMED);
            return;
        }
        burst.resize(i, EthernetFrames.HEADER + Ipv6View.LENGTH + ip.payloadLengthField());
        long destinationHigh = ip.destinationHigh();
        boolean isDiscovery = ip.nextHeader() == ICMPV6 && isDiscovery(memory);
        if (ip.sourceHigh() >>> 56 == 0xff || isLoopback(ip.sourceHigh(), ip.sourceLow())) {
            burst.drop(i, RouteStage.MARTIAN);
        } else if (isDiscovery && isForThisLink(port)) {
            messages.discover(burst, port, header, ip.payloadOffset(), ip.payloadLength(), router.routes());
            burst.drop(i, RouteStage.FOR_ROUTER);
        } else if (isGroup || destinationHigh >>> 56 == 0xff || isLinkLocal(destinationHigh)) {
            burst.drop(i, RouteStage.NOT_FORWARDED);
        } else if (isUnspecified() || isLoopback(destinationHigh, ip.destinationLow())) {
            burst.drop(i, RouteStage.MARTIAN);
        } else {
            forward(burst, i, port, header);
        }
    }

    private boolean isDiscovery(MemorySegment memory) {
        int type = ip.payloadLength() < NeighborMessages.DISCOVERY_LENGTH
                ? 0
                : NetworkOrder.u8(memory, ip.payloadOffset());
        return type == NeighborMessages.SOLICITATION || type == NeighborMessages.ADVERTISEMENT;
    }

    /** Whether the destination is a group of the link, or an address of the router. */
    private boolean isForThisLink(int port) {
        return ip.destinationHigh() == 0xff02_0000_0000_0000L
                || router.routes().isOwn(port, false, ip.destinationHigh(), ip.destinationLow());
    }

    private boolean isUnspecified() {
        return (ip.sourceHigh() | ip.sourceLow()) == 0 || (ip.destinationHigh() | ip.destinationLow()) == 0;
    }

    private static boolean isLoopback(long high, long low) {
        return high == 0 && low == 1;
    }

    private static boolean isLinkLocal(long high) {
        return high >>> 54 == 0xfe80 >>> 6;
    }

    private void forward(Burst burst, int i, int port, long header) {
        RouteTable routes = router.routes();
        int length = Ipv6View.LENGTH + ip.payloadLengthField();
        long destinationHigh = ip.destinationHigh();
        long destinationLow = ip.destinationLow();
        int hop = routes.findIpv6(destinationHigh, destinationLow);
        int out = hop == PrefixTree.NONE ? RouteTable.REJECT : routes.port(hop);
        if (out == RouteTable.LOCAL) {
            local(burst, i, port, header);
        } else if (out < 0) {
            int code = hop == PrefixTree.NONE ? CODE_NO_ROUTE : CODE_PROHIBITED;
            error(burst, header, length, port, UNREACHABLE, code, 0);
            burst.drop(i, RouteStage.NO_ROUTE);
        } else if (isLinkLocal(ip.sourceHigh())) {
            burst.drop(i, RouteStage.MARTIAN); // RFC 4007, 9: beyond the scope of its source
        } else if (ip.hopLimit() <= 1) {
            error(burst, header, length, port, TIME_EXCEEDED, 0, 0);
            burst.drop(i, RouteStage.TTL);
        } else if (length > router.mtu(out)) {
            error(burst, header, length, port, TOO_BIG, 0, router.mtu(out));
            burst.drop(i, RouteStage.TOO_LONG);
        } else {
            ip.hopLimit(ip.hopLimit() - 1);
            router.sendTo(burst, i, hop, false, destinationHigh, destinationLow);
        }
    }

    /** Turns an echo request into the reply (RFC 4443, 4.2); no UDP port is open. */
    private void local(Burst burst, int i, int port, long header) {
        MemorySegment memory = burst.memory();
        long icmp = ip.payloadOffset();
        int length = ip.payloadLength();
        boolean isEcho = ip.nextHeader() == ICMPV6
                && length >= ICMP_HEADER
                && NetworkOrder.u16(memory, icmp) == ECHO_REQUEST << 8
                && NeighborMessages.icmpv6Sum(memory, header, icmp, length) == 0xffff;
        int hop = isEcho ? router.routes().findIpv6(ip.sourceHigh(), ip.sourceLow()) : PrefixTree.NONE;
        if (hop == PrefixTree.NONE || router.routes().port(hop) < 0) {
            if (burst.layers(i).has(LayerType.UDP)) {
                error(burst, header, Ipv6View.LENGTH + length, port, UNREACHABLE, CODE_PORT, 0);
            }
            burst.drop(i, RouteStage.FOR_ROUTER);
            return;
        }
        long sourceHigh = ip.sourceHigh();
        long sourceLow = ip.sourceLow();
        ip.source(ip.destinationHigh(), ip.destinationLow())
                .destination(sourceHigh, sourceLow)
                .hopLimit(HOP_LIMIT_OWN);
        int checksum = NetworkOrder.u16(memory, icmp + 2);
        NetworkOrder.putU16(memory, icmp, ECHO_REPLY << 8);
        NetworkOrder.putU16(memory, icmp + 2, InternetChecksum.update(checksum, ECHO_REQUEST << 8, ECHO_REPLY << 8));
        burst.changed(i);
        router.sendTo(burst, i, hop, false, sourceHigh, sourceLow);
    }

    /** Notifies the sender of a packet that waited in vain for a neighbour. */
    void reportUnreachable(Burst burst, long header, int length) {
        error(burst, header, length, -1, UNREACHABLE, CODE_ADDRESS, 0);
    }

    /**
     * Sends an ICMPv6 error about a packet, unless RFC 4443, 2.4 (e) forbids it: about ICMPv6 errors and redirects, and
     * packets without a single sender and receiver.
     *
     * @param port the port that received the packet; -1 if unknown
     * @param parameter the last 32 bits of the ICMPv6 header
     */
    private void error(Burst burst, long header, int length, int port, int type, int code, long parameter) {
        MemorySegment memory = burst.memory();
        if (quoted.wrap(memory, header, length) != WrapStatus.OK || !mayBeReported(memory, header, length)) {
            return;
        }
        RouteTable routes = router.routes();
        long destinationHigh = quoted.sourceHigh();
        long destinationLow = quoted.sourceLow();
        int hop = routes.findIpv6(destinationHigh, destinationLow);
        if (hop == PrefixTree.NONE || routes.port(hop) < 0) {
            return;
        }
        int own = routes.address(port < 0 ? routes.port(hop) : port, false, destinationHigh, destinationLow);
        if (own < 0 || !router.mayReport(burst)) {
            return;
        }
        int quote = Math.min(length, MAX_ERROR - Ipv6View.LENGTH - ICMP_HEADER);
        int i = burst.originate(EthernetFrames.HEADER + Ipv6View.LENGTH + ICMP_HEADER + quote);
        if (i < 0) {
            return;
        }
        NetworkOrder.putU16(memory, burst.address(i) + EthernetFrames.TYPE, EthernetFrames.IPV6);
        long at = burst.address(i) + EthernetFrames.HEADER;
        NetworkOrder.putU32(memory, at, 0x6000_0000L);
        NetworkOrder.putU32(memory, at + 4, (long) (ICMP_HEADER + quote) << 16 | ICMPV6 << 8 | HOP_LIMIT_OWN);
        NetworkOrder.putBits64(memory, at + 8, routes.addressHigh(own));
        NetworkOrder.putBits64(memory, at + 16, routes.addressLow(own));
        NetworkOrder.putBits64(memory, at + 24, destinationHigh);
        NetworkOrder.putBits64(memory, at + 32, destinationLow);
        long icmp = at + Ipv6View.LENGTH;
        NetworkOrder.putU32(memory, icmp, (long) type << 24 | (long) code << 16);
        NetworkOrder.putU32(memory, icmp + 4, parameter);
        MemorySegment.copy(memory, header, memory, icmp + ICMP_HEADER, quote);
        int sum = NeighborMessages.icmpv6Sum(memory, at, icmp, ICMP_HEADER + quote);
        NetworkOrder.putU16(memory, icmp + 2, ~sum & 0xffff);
        router.sendTo(burst, i, hop, false, destinationHigh, destinationLow);
    }

    private boolean mayBeReported(MemorySegment memory, long header, int length) {
        long sourceHigh = quoted.sourceHigh();
        if (sourceHigh >>> 56 == 0xff
                || (sourceHigh | quoted.sourceLow()) == 0
                || quoted.destinationHigh() >>> 56 == 0xff
                || isLinkLocal(sourceHigh)) {
            return false;
        }
        walker.walk(memory, header, length, length, LinkType.RAW);
        int layer = walker.indexOf(LayerType.ICMPV6);
        if (layer < 0) {
            return true;
        }
        int type = NetworkOrder.u8(memory, walker.layerOffset(layer));
        return type >= ECHO_REQUEST && type != REDIRECT;
    }
}
