package io.offhook.forward.stage;

import io.offhook.forward.IpPrefix;
import io.offhook.forward.Rig;
import io.offhook.packet.write.PacketWriter;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

/**
 * A router with 10.0.0.1/24, 2001:db8:a::1/64 at port 0 and 10.0.1.1/24, 2001:db8:b::1/64 at port 1, and the packets
 * that its neighbours send.
 */
final class RouterRig {
    static final long HOST = 0x0200_0000_00aaL;
    static final long SERVER = 0x0200_0000_00bbL;
    static final IpPrefix HOST6 = IpPrefix.parse("2001:db8:a::2");
    static final IpPrefix SERVER6 = IpPrefix.parse("2001:db8:b::2");

    static RouteTable table() {
        return RouteTable.of(
                List.of(
                        new RouteTable.Interface(0, IpPrefix.parse("10.0.0.1/24")),
                        new RouteTable.Interface(1, IpPrefix.parse("10.0.1.1/24")),
                        new RouteTable.Interface(0, IpPrefix.parse("2001:db8:a::1/64")),
                        new RouteTable.Interface(1, IpPrefix.parse("2001:db8:b::1/64"))),
                List.of(
                        new RouteTable.Route(IpPrefix.parse("192.168.0.0/16"), 1, IpPrefix.parse("10.0.1.254")),
                        new RouteTable.Route(IpPrefix.parse("192.168.9.0/24"), -1, null),
                        new RouteTable.Route(IpPrefix.parse("2001:db8:ff::/48"), 1, IpPrefix.parse("2001:db8:b::fe"))),
                List.of(
                        new RouteTable.Neighbor(1, IpPrefix.parse("10.0.1.254"), 0x0200_0000_00feL),
                        new RouteTable.Neighbor(1, IpPrefix.parse("2001:db8:b::fe"), 0x0200_0000_00feL)));
    }

    static Rig rig() {
        return new Rig(2, clock -> List.of(stage(clock.getAsLong(), 100)));
    }

    static RouteStage stage(long nowNs, long errors) {
        NeighborTable neighbors = new NeighborTable(64, 60_000_000_000L, nowNs);
        return RouteStage.of(
                0b11, new long[] {Rig.MAC, Rig.MAC + 1}, new int[] {1500, 1500}, table(), neighbors, errors, nowNs);
    }

    static byte[] udp(String source, String destination, int ttl) {
        return Rig.packet(writer -> writer.ethernet(HOST, Rig.MAC)
                .ipv4(Rig.ipv4Long(source), Rig.ipv4Long(destination), ip -> ip.ttl(ttl))
                .udp(1000, 2000)
                .payload("hello, world".getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
    }

    static byte[] udp6(IpPrefix source, IpPrefix destination, int hopLimit) {
        return Rig.packet(writer -> writer.ethernet(HOST, Rig.MAC)
                .ipv6(source.high(), source.low(), destination.high(), destination.low(), ip -> ip.hopLimit(hopLimit))
                .udp(1000, 2000)
                .payload("hello, world".getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
    }

    static byte[] arp(int operation, long sender, String senderIp, long target, String targetIp, long to) {
        return Rig.packet(writer -> writer.ethernet(sender, to)
                .arp(operation, sender, Rig.ipv4Long(senderIp), target, Rig.ipv4Long(targetIp)));
    }

    static byte[] ethernet(Consumer<PacketWriter> rest) {
        return Rig.packet(writer -> rest.accept(writer.ethernet(HOST, Rig.MAC)));
    }

    static byte[] advertisement() {
        return advertisement(SERVER, 0x6000_0000L);
    }

    static byte[] advertisement(long link, long flags) {
        return Rig.packet(w -> w.ethernet(link, Rig.MAC + 1)
                .ipv6(
                        SERVER6.high(),
                        SERVER6.low(),
                        IpPrefix.parse("2001:db8:b::1").high(),
                        IpPrefix.parse("2001:db8:b::1").low(),
                        ip -> ip.hopLimit(255))
                .icmpv6(136, 0, flags)
                .bits64(SERVER6.high())
                .bits64(SERVER6.low())
                .u16(0x0201)
                .u16((int) (link >>> 32))
                .u32(link & 0xffff_ffffL));
    }

    static byte[] solicitation(long sourceHigh, long sourceLow, int hopLimit) {
        return solicitation(sourceHigh, sourceLow, hopLimit, (sourceHigh | sourceLow) != 0);
    }

    static byte[] solicitation(long sourceHigh, long sourceLow, int hopLimit, boolean saysLinkAddress) {
        IpPrefix router = IpPrefix.parse("2001:db8:a::1");
        return Rig.packet(w -> {
            w.ethernet(HOST, 0x3333_ff00_0001L)
                    .ipv6(sourceHigh, sourceLow, 0xff02_0000_0000_0000L, 0x1_ff00_0001L, ip -> ip.hopLimit(hopLimit))
                    .icmpv6(135, 0, 0)
                    .bits64(router.high())
                    .bits64(router.low());
            if (saysLinkAddress) {
                w.u16(0x0101).u16((int) (HOST >>> 32)).u32(HOST & 0xffff_ffffL);
            }
        });
    }

    static void put48(byte[] packet, int at, long value) {
        for (int i = 0; i < 6; i++) {
            packet[at + i] = (byte) (value >>> 40 - 8 * i);
        }
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private RouterRig() {}
}
