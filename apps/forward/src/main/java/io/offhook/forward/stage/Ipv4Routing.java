package io.offhook.forward.stage;

import io.offhook.forward.Burst;
import io.offhook.forward.EthernetFrames;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.network.Ipv4View;
import java.lang.foreign.MemorySegment;

/** Routes IPv4 packets (RFC 1812, 5.2, 5.3) and sends ICMP messages (RFC 792; RFC 1812, 4.3). */
final class Ipv4Routing {
    private static final int ICMP = 1;
    private static final int UDP = 17;
    private static final int TTL_OWN = 64;
    private static final int ICMP_HEADER = 8;
    /** RFC 1812, 4.3.2.3: as much as fits in 576 bytes. */
    private static final int MAX_ERROR = 576;

    private static final int ECHO_REQUEST = 8;
    private static final int UNREACHABLE = 3;
    private static final int TIME_EXCEEDED = 11;

    private static final int CODE_NET = 0;
    private static final int CODE_HOST = 1;
    private static final int CODE_PORT = 3;
    private static final int CODE_FRAGMENTATION_NEEDED = 4;
    private static final int CODE_PROHIBITED = 13;

    private final RouteStage router;
    private final Ipv4View ip = new Ipv4View();
    private final Ipv4View quoted = new Ipv4View();

    Ipv4Routing(RouteStage router) {
        this.router = router;
    }

    /** @param isGroup whether the frame is multicast or broadcast, which is not forwarded (RFC 1812, 5.3.4) */
    void route(Burst burst, int i, int port, boolean isGroup) {
        MemorySegment memory = burst.memory();
        long header = burst.address(i) + EthernetFrames.HEADER;
        int length = burst.length(i) - EthernetFrames.HEADER;
        int cause = check(memory, header, length);
        if (cause >= 0) {
            burst.drop(i, cause);
            return;
        }
        burst.resize(i, EthernetFrames.HEADER + ip.totalLength()); // without padding
        long source = ip.source();
        long destination = ip.destination();
        if (isMartian(source) || isLoopback(destination)) {
            burst.drop(i, RouteStage.MARTIAN);
        } else if (isGroup || isGroup(destination) || isLinkLocal(destination)) {
            burst.drop(i, RouteStage.NOT_FORWARDED);
        } else {
            forward(burst, i, port, header, destination);
        }
    }

    /** @return the cause of the drop, or -1 */
    private int check(MemorySegment memory, long header, int length) {
        if (ip.wrap(memory, header, length) != WrapStatus.OK
                || ip.totalLength() < ip.headerLength()
                || ip.totalLength() > length) {
            return RouteStage.MALFORMED;
        }
        return InternetChecksum.ipv4Header(memory, header, ip.headerLength()) == InternetChecksum.Verdict.CORRECT
                ? -1
                : RouteStage.CHECKSUM;
    }

    private static boolean isLoopback(long address) {
        return address >>> 24 == 127 || address >>> 24 == 0;
    }

    private static boolean isLinkLocal(long address) {
        return address >>> 16 == 0xa9fe;
    }

    private static boolean isGroup(long address) {
        return address >>> 28 >= 0xe;
    }

    private static boolean isMartian(long source) {
        return isLoopback(source) || isGroup(source);
    }

    private void forward(Burst burst, int i, int port, long header, long destination) {
        RouteTable routes = router.routes();
        int hop = routes.findIpv4(destination << 32);
        if (hop == PrefixTree.NONE) {
            error(burst, header, burst.length(i) - EthernetFrames.HEADER, port, UNREACHABLE, CODE_NET, 0);
            burst.drop(i, RouteStage.NO_ROUTE);
            return;
        }
        int out = routes.port(hop);
        if (out < 0) {
            notForward(burst, i, port, header, out);
            return;
        }
        if (isLinkLocal(ip.source())) {
            burst.drop(i, RouteStage.MARTIAN); // RFC 3927, 7: no router passes it on
            return;
        }
        int ttl = ip.ttl();
        if (ttl <= 1) {
            error(burst, header, ip.totalLength(), port, TIME_EXCEEDED, 0, 0);
            burst.drop(i, RouteStage.TTL);
            return;
        }
        if (ip.totalLength() > router.mtu(out)) {
            if (ip.dontFragment()) { // RFC 1191, 4
                int mtu = router.mtu(out);
                error(burst, header, ip.totalLength(), port, UNREACHABLE, CODE_FRAGMENTATION_NEEDED, mtu);
            }
            burst.drop(i, RouteStage.TOO_LONG);
            return;
        }
        MemorySegment memory = burst.memory();
        int before = NetworkOrder.u16(memory, header + 8);
        NetworkOrder.putU16(memory, header + 8, before - 0x100);
        ip.checksum(InternetChecksum.update(ip.checksum(), before, before - 0x100));
        router.sendTo(burst, i, hop, true, destination << 32, 0);
    }

    private void notForward(Burst burst, int i, int port, long header, int why) {
        switch (why) {
            case RouteTable.LOCAL -> local(burst, i, port, header);
            case RouteTable.BROADCAST -> burst.drop(i, RouteStage.NOT_FORWARDED);
            default -> {
                error(burst, header, ip.totalLength(), port, UNREACHABLE, CODE_PROHIBITED, 0);
                burst.drop(i, RouteStage.NO_ROUTE);
            }
        }
    }

    /** Turns an echo request into the reply (RFC 1122, 3.2.2.6); no UDP port is open. */
    private void local(Burst burst, int i, int port, long header) {
        MemorySegment memory = burst.memory();
        long icmp = ip.payloadOffset();
        int length = ip.payloadLength();
        boolean isEcho = ip.protocol() == ICMP
                && !ip.isFragment()
                && length >= ICMP_HEADER
                && NetworkOrder.u16(memory, icmp) == ECHO_REQUEST << 8
                && InternetChecksum.sum(memory, icmp, length, 0) == 0xffff;
        int hop = isEcho ? router.routes().findIpv4(ip.source() << 32) : PrefixTree.NONE;
        if (hop == PrefixTree.NONE || router.routes().port(hop) < 0) {
            if (ip.protocol() == UDP) {
                error(burst, header, ip.totalLength(), port, UNREACHABLE, CODE_PORT, 0);
            }
            burst.drop(i, RouteStage.FOR_ROUTER);
            return;
        }
        long source = ip.source();
        ip.source(ip.destination()).destination(source).ttl(TTL_OWN);
        ip.checksum(InternetChecksum.ofIpv4Header(memory, header, ip.headerLength()));
        int checksum = NetworkOrder.u16(memory, icmp + 2);
        NetworkOrder.putU16(memory, icmp, 0);
        int updated = InternetChecksum.update(checksum, ECHO_REQUEST << 8, 0);
        // 0 is wrong for an all-zero message, and the incremental update cannot detect that; 0xffff is always right
        NetworkOrder.putU16(memory, icmp + 2, updated == 0 ? 0xffff : updated);
        burst.changed(i);
        router.sendTo(burst, i, hop, true, source << 32, 0);
    }

    /** Notifies the sender of a packet that waited in vain for a neighbour. */
    void reportUnreachable(Burst burst, long header, int length) {
        error(burst, header, length, -1, UNREACHABLE, CODE_HOST, 0);
    }

    /**
     * Sends an ICMP error about a packet, unless RFC 1812, 4.3.2.7 forbids it: about ICMP errors, fragments other than
     * the first, and packets without a single sender.
     *
     * @param port the port that received the packet; -1 if unknown
     * @param parameter the last 16 bits of the ICMP header
     */
    private void error(Burst burst, long header, int length, int port, int type, int code, int parameter) {
        MemorySegment memory = burst.memory();
        if (quoted.wrap(memory, header, length) != WrapStatus.OK || !mayBeReported(memory)) {
            return;
        }
        RouteTable routes = router.routes();
        long destination = quoted.source();
        int hop = routes.findIpv4(destination << 32);
        if (hop == PrefixTree.NONE || routes.port(hop) < 0) {
            return;
        }
        int speaker = port < 0 ? routes.port(hop) : port;
        int own = routes.address(speaker, true, destination << 32, 0);
        if (own < 0 || !router.mayReport(burst)) {
            return;
        }
        int quote =
                Math.min(quoted.headerLength() + quoted.payloadLength(), MAX_ERROR - Ipv4View.MIN_LENGTH - ICMP_HEADER);
        int total = Ipv4View.MIN_LENGTH + ICMP_HEADER + quote;
        int i = burst.originate(EthernetFrames.HEADER + total);
        if (i < 0) {
            return;
        }
        NetworkOrder.putU16(memory, burst.address(i) + EthernetFrames.TYPE, EthernetFrames.IPV4);
        long at = burst.address(i) + EthernetFrames.HEADER;
        NetworkOrder.putU32(memory, at, 0x45c0_0000L | total); // precedence 6 (RFC 1812, 4.3.2.5)
        NetworkOrder.putU32(memory, at + 4, 0);
        NetworkOrder.putU32(memory, at + 8, (long) TTL_OWN << 24 | ICMP << 16);
        NetworkOrder.putU32(memory, at + 12, routes.addressHigh(own) >>> 32);
        NetworkOrder.putU32(memory, at + 16, destination);
        NetworkOrder.putU16(memory, at + 10, InternetChecksum.ofIpv4Header(memory, at, Ipv4View.MIN_LENGTH));
        long icmp = at + Ipv4View.MIN_LENGTH;
        NetworkOrder.putU32(memory, icmp, (long) type << 24 | (long) code << 16);
        NetworkOrder.putU32(memory, icmp + 4, parameter);
        MemorySegment.copy(memory, header, memory, icmp + ICMP_HEADER, quote);
        int sum = InternetChecksum.sum(memory, icmp, ICMP_HEADER + quote, 0);
        NetworkOrder.putU16(memory, icmp + 2, ~sum & 0xffff);
        router.sendTo(burst, i, hop, true, destination << 32, 0);
    }

    private boolean mayBeReported(MemorySegment memory) {
        if (isMartian(quoted.source()) || isGroup(quoted.destination()) || quoted.fragmentOffset() != 0) {
            return false;
        }
        boolean isIcmp = quoted.protocol() == ICMP;
        if (!isIcmp || quoted.payloadLength() < 1) {
            return !isIcmp;
        }
        int type = NetworkOrder.u8(memory, quoted.payloadOffset());
        return type == 0 || type == ECHO_REQUEST || type >= 13; // queries and their replies
    }
}
