package io.offhook.forward.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.forward.EthernetFrames;
import io.offhook.forward.IpPrefix;
import io.offhook.forward.Rig;
import io.offhook.packet.write.PacketWriter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A router with 10.0.0.1/24, 2001:db8:a::1/64 at port 0 and 10.0.1.1/24, 2001:db8:b::1/64 at port 1. */
class RouteStageTest {
    private static final long HOST = 0x0200_0000_00aaL;
    private static final long SERVER = 0x0200_0000_00bbL;

    private static final IpPrefix HOST6 = IpPrefix.parse("2001:db8:a::2");
    private static final IpPrefix SERVER6 = IpPrefix.parse("2001:db8:b::2");

    private static RouteTable table() {
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

    private static Rig rig() {
        return new Rig(2, clock -> List.of(stage(clock.getAsLong(), 100)));
    }

    private static RouteStage stage(long nowNs, long errors) {
        NeighborTable neighbors = new NeighborTable(64, 60_000_000_000L, nowNs);
        return RouteStage.of(
                0b11, new long[] {Rig.MAC, Rig.MAC + 1}, new int[] {1500, 1500}, table(), neighbors, errors, nowNs);
    }

    private static byte[] udp(String source, String destination, int ttl) {
        return Rig.packet(writer -> writer.ethernet(HOST, Rig.MAC)
                .ipv4(Rig.ipv4Long(source), Rig.ipv4Long(destination), ip -> ip.ttl(ttl))
                .udp(1000, 2000)
                .payload("hello, world".getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
    }

    private static byte[] udp6(IpPrefix source, IpPrefix destination, int hopLimit) {
        return Rig.packet(writer -> writer.ethernet(HOST, Rig.MAC)
                .ipv6(source.high(), source.low(), destination.high(), destination.low(), ip -> ip.hopLimit(hopLimit))
                .udp(1000, 2000)
                .payload("hello, world".getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
    }

    private static byte[] arp(int operation, long sender, String senderIp, long target, String targetIp, long to) {
        return Rig.packet(writer -> writer.ethernet(sender, to)
                .arp(operation, sender, Rig.ipv4Long(senderIp), target, Rig.ipv4Long(targetIp)));
    }

    @Test
    void answersArpForItsOwnAddress() {
        try (Rig rig = rig()) {
            rig.offer(0, arp(1, HOST, "10.0.0.2", 0, "10.0.0.1", EthernetFrames.BROADCAST));
            assertThat(rig.only(0)).isEqualTo(arp(2, Rig.MAC, "10.0.0.1", HOST, "10.0.0.2", HOST));
            // neither of another port, nor for others
            rig.offer(0, arp(1, HOST, "10.0.0.2", 0, "10.0.1.1", EthernetFrames.BROADCAST));
            rig.offer(0, arp(1, HOST, "10.0.0.2", 0, "10.0.0.3", EthernetFrames.BROADCAST));
            assertThat(rig.sent(0)).isEmpty();
            assertThat(rig.drops("for the router itself")).isEqualTo(2);
        }
    }

    @Test
    void forwardsToAGatewayWithAMacAddressThatIsKnown() {
        try (Rig rig = rig()) {
            rig.offer(0, udp("10.0.0.2", "192.168.1.1", 64));
            byte[] expected = udp("10.0.0.2", "192.168.1.1", 63);
            put48(expected, 0, 0x0200_0000_00feL);
            put48(expected, 6, Rig.MAC + 1);
            assertThat(hex(rig.only(1))).isEqualTo(hex(expected));
        }
    }

    @Test
    void asksForANeighbourAndSendsWhatWaited() {
        try (Rig rig = rig()) {
            rig.offer(0, udp("10.0.0.2", "10.0.1.2", 64), udp("10.0.0.3", "10.0.1.2", 2));
            assertThat(hex(rig.only(1)))
                    .isEqualTo(hex(arp(1, Rig.MAC + 1, "10.0.1.1", 0, "10.0.1.2", EthernetFrames.BROADCAST)));
            rig.offer(1, arp(2, SERVER, "10.0.1.2", Rig.MAC + 1, "10.0.1.1", Rig.MAC + 1));
            rig.pass(2);
            List<byte[]> sent = rig.sent(1);
            assertThat(sent).hasSize(2);
            byte[] expected = udp("10.0.0.2", "10.0.1.2", 63);
            put48(expected, 0, SERVER);
            put48(expected, 6, Rig.MAC + 1);
            assertThat(hex(sent.getFirst())).isEqualTo(hex(expected));
            assertThat(sent.getLast()[22]).isEqualTo((byte) 1);
            // now it is known
            rig.offer(0, udp("10.0.0.2", "10.0.1.2", 64));
            assertThat(hex(rig.only(1))).isEqualTo(hex(expected));
            assertThat(rig.forwarder.statistics().counts().held()).isEqualTo(2);
        }
    }

    @Test
    void followsAKnownNeighbourThatReportsAllOfAnotherMacAddress() {
        try (Rig rig = rig()) {
            byte[] reported = arp(1, 0x0200_0000_00ccL, "10.0.1.2", 0, "10.0.1.2", EthernetFrames.BROADCAST);
            rig.offer(1, reported); // of one that is not known
            rig.offer(0, udp("10.0.0.2", "10.0.1.2", 64));
            assertThat(Rig.u16(rig.only(1), 12)).isEqualTo(EthernetFrames.ARP);
            rig.offer(1, arp(2, SERVER, "10.0.1.2", Rig.MAC + 1, "10.0.1.1", Rig.MAC + 1));
            rig.pass(2);
            assertThat(Rig.u48(rig.only(1), 0)).isEqualTo(SERVER);
            rig.offer(1, reported);
            rig.offer(0, udp("10.0.0.2", "10.0.1.2", 64));
            assertThat(Rig.u48(rig.only(1), 0)).isEqualTo(0x0200_0000_00ccL);
        }
    }

    @Test
    void asksAgainForANeighbourInUseAndForgetsOneThatIsGone() {
        try (Rig rig = rig()) {
            rig.offer(1, arp(1, SERVER, "10.0.1.2", 0, "10.0.1.1", EthernetFrames.BROADCAST));
            rig.sent(1);
            rig.nowNs.addAndGet(46_000_000_000L); // of 60 s
            rig.offer(0, udp("10.0.0.2", "10.0.1.2", 64), udp("10.0.0.2", "10.0.1.2", 64));
            assertThat(rig.sent(1))
                    .extracting(packet -> Rig.u16(packet, 12))
                    .containsExactlyInAnyOrder(EthernetFrames.IPV4, EthernetFrames.IPV4, EthernetFrames.ARP);
            rig.nowNs.addAndGet(20_000_000_000L);
            rig.offer(0, udp("10.0.0.2", "10.0.1.2", 64));
            assertThat(rig.sent(1)).extracting(packet -> Rig.u16(packet, 12)).containsExactly(EthernetFrames.ARP);
            rig.pass(4000);
        }
    }

    @Test
    void takesNoAdvertisementThatItDidNotAskFor() {
        try (Rig rig = rig()) {
            byte[] toAll = Rig.packet(w -> w.ethernet(SERVER, 0x3333_0000_0001L)
                    .ipv6(SERVER6.high(), SERVER6.low(), 0xff02_0000_0000_0000L, 1, ip -> ip.hopLimit(255))
                    .icmpv6(136, 0, 0x2000_0000L)
                    .bits64(SERVER6.high())
                    .bits64(SERVER6.low())
                    .u16(0x0201)
                    .u16((int) (SERVER >>> 32))
                    .u32(SERVER & 0xffff_ffffL));
            rig.offer(1, toAll);
            rig.offer(0, udp6(HOST6, SERVER6, 64));
            assertThat(Rig.layers(rig.only(1))).isEqualTo("ETHERNET IPV6 ICMPV6");
        }
    }

    @Test
    void reportsTheSenderWhenANeighbourDoesNotAnswer() {
        try (Rig rig = rig()) {
            rig.offer(0, arp(1, HOST, "10.0.0.2", 0, "10.0.0.1", EthernetFrames.BROADCAST));
            rig.sent(0);
            rig.offer(0, udp("10.0.0.2", "10.0.1.9", 64));
            rig.pass(4000);
            assertThat(rig.sent(1)).hasSize(3); // questions
            byte[] error = rig.only(0);
            assertThat(Rig.layers(error)).isEqualTo("ETHERNET IPV4 ICMP");
            assertThat(Rig.u48(error, 0)).isEqualTo(HOST);
            assertThat(Rig.u16(error, 34)).isEqualTo(0x0301);
            assertThat(rig.drops("neighbour does not answer")).isEqualTo(1);
        }
    }

    @Test
    void boundsWhatWaits() {
        try (Rig rig = rig()) {
            for (int i = 0; i < 20; i++) {
                rig.offer(0, udp("10.0.0.2", "10.0.1.9", 64));
            }
            assertThat(rig.drops("too many wait for the neighbour")).isEqualTo(4);
            for (int i = 10; i < 110; i++) {
                rig.offer(0, udp("10.0.0.2", "10.0.1." + i, 64));
            }
            assertThat(rig.drops("too many wait for the neighbour")).isEqualTo(4 + 100 - 63);
            rig.pass(5000);
            assertThat(rig.drops("neighbour does not answer")).isEqualTo(16 + 63);
        }
    }

    @Test
    void reportsThatTheTimeToLiveIsOver() {
        try (Rig rig = rig()) {
            rig.offer(0, arp(1, HOST, "10.0.0.2", 0, "10.0.0.1", EthernetFrames.BROADCAST));
            rig.sent(0);
            byte[] packet = udp("10.0.0.2", "192.168.1.1", 1);
            rig.offer(0, packet);
            byte[] error = rig.only(0);
            assertThat(Rig.layers(error)).isEqualTo("ETHERNET IPV4 ICMP");
            assertThat(Rig.u16(error, 34)).isEqualTo(11 << 8);
            assertThat(Rig.u32(error, 26)).isEqualTo(Rig.ipv4("10.0.0.1"));
            assertThat(Arrays.copyOfRange(error, 42, error.length))
                    .isEqualTo(Arrays.copyOfRange(packet, 14, packet.length));
            assertThat(rig.drops("time to live is over")).isEqualTo(1);
        }
    }

    @Test
    void reportsNetworksThatItDoesNotKnowOrRefuses() {
        try (Rig rig = rig()) {
            rig.offer(0, arp(1, HOST, "10.0.0.2", 0, "10.0.0.1", EthernetFrames.BROADCAST));
            rig.sent(0);
            rig.offer(0, udp("10.0.0.2", "172.16.0.1", 64));
            assertThat(Rig.u16(rig.only(0), 34)).isEqualTo(0x0300);
            rig.offer(0, udp("10.0.0.2", "192.168.9.1", 64));
            assertThat(Rig.u16(rig.only(0), 34)).isEqualTo(0x030d);
            rig.offer(0, udp("10.0.0.2", "10.0.1.1", 64));
            assertThat(Rig.u16(rig.only(0), 34)).isEqualTo(0x0303);
            assertThat(rig.drops("no route")).isEqualTo(2);
        }
    }

    @Test
    void sendsNoErrorAboutErrorsFragmentsOrGroups() {
        try (Rig rig = rig()) {
            rig.offer(0, arp(1, HOST, "10.0.0.2", 0, "10.0.0.1", EthernetFrames.BROADCAST));
            rig.sent(0);
            byte[] quoted = udp("10.0.1.7", "10.0.0.2", 3);
            rig.offer(
                    0,
                    ethernet(w -> w.ipv4(Rig.ipv4Long("10.0.0.2"), Rig.ipv4Long("172.16.0.1"))
                            .icmp(3, 1, 0)
                            .payload(Arrays.copyOfRange(quoted, 14, quoted.length))));
            rig.offer(
                    0,
                    ethernet(w -> w.ipv4(
                                    Rig.ipv4Long("10.0.0.2"), Rig.ipv4Long("172.16.0.1"), ip -> ip.fragmentOffset(10))
                            .payload(new byte[40])));
            rig.offer(0, udp("224.0.0.1", "172.16.0.1", 64), udp("0.0.0.0", "172.16.0.1", 64));
            byte[] broadcast = udp("10.0.0.2", "10.0.1.255", 1);
            rig.offer(0, broadcast);
            put48(broadcast, 0, EthernetFrames.BROADCAST);
            rig.offer(0, broadcast);
            assertThat(rig.sent(0)).isEmpty();
            assertThat(rig.sent(1)).isEmpty();
            assertThat(rig.drops("source that cannot be")).isEqualTo(2);
            assertThat(rig.drops("multicast, broadcast or link-local")).isEqualTo(2);
        }
    }

    @Test
    void limitsErrors() {
        try (Rig rig = new Rig(2, clock -> List.of(stage(clock.getAsLong(), 5)))) {
            rig.offer(0, arp(1, HOST, "10.0.0.2", 0, "10.0.0.1", EthernetFrames.BROADCAST));
            rig.sent(0);
            for (int i = 0; i < 50; i++) {
                rig.offer(0, udp("10.0.0.2", "172.16.0.1", 64));
            }
            assertThat(rig.sent(0)).hasSize(5);
            rig.pass(1000);
            for (int i = 0; i < 50; i++) {
                rig.offer(0, udp("10.0.0.2", "172.16.0.1", 64));
            }
            assertThat(rig.sent(0)).hasSize(5);
        }
    }

    @Test
    void answersEchoRequests() {
        try (Rig rig = rig()) {
            rig.offer(0, arp(1, HOST, "10.0.0.2", 0, "10.0.0.1", EthernetFrames.BROADCAST));
            rig.sent(0);
            // of any of its addresses
            rig.offer(
                    0,
                    ethernet(w -> w.ipv4(Rig.ipv4Long("10.0.0.2"), Rig.ipv4Long("10.0.1.1"))
                            .icmp(8, 0, 0x1234_0001L)
                            .payload(new byte[] {1, 2, 3})));
            byte[] reply = rig.only(0);
            assertThat(Rig.layers(reply)).isEqualTo("ETHERNET IPV4 ICMP");
            assertThat(hex(reply))
                    .isEqualTo(hex(Rig.packet(w -> w.ethernet(Rig.MAC, HOST)
                            .ipv4(Rig.ipv4Long("10.0.1.1"), Rig.ipv4Long("10.0.0.2"))
                            .icmp(0, 0, 0x1234_0001L)
                            .payload(new byte[] {1, 2, 3}))));
        }
    }

    private static byte[] ethernet(Consumer<PacketWriter> rest) {
        return Rig.packet(writer -> rest.accept(writer.ethernet(HOST, Rig.MAC)));
    }

    @Test
    void reportsTheMtuWherePacketsMayNotBeCut() {
        NeighborTable neighbors = new NeighborTable(64, 60_000_000_000L, 0);
        RouteStage small = RouteStage.of(
                0b11, new long[] {Rig.MAC, Rig.MAC + 1}, new int[] {1500, 1000}, table(), neighbors, 100, 0);
        try (Rig rig = Rig.of(2, small)) {
            rig.offer(0, arp(1, HOST, "10.0.0.2", 0, "10.0.0.1", EthernetFrames.BROADCAST));
            rig.sent(0);
            rig.offer(
                    0,
                    ethernet(w -> w.ipv4(
                                    Rig.ipv4Long("10.0.0.2"), Rig.ipv4Long("192.168.1.1"), ip -> ip.dontFragment(true))
                            .udp(1, 2)
                            .payload(new byte[1200])));
            byte[] error = rig.only(0);
            assertThat(Rig.u16(error, 34)).isEqualTo(0x0304);
            assertThat(Rig.u16(error, 40)).isEqualTo(1000);
            assertThat(error).hasSize(14 + 576);
            rig.offer(
                    0,
                    ethernet(w -> w.ipv4(
                                    Rig.ipv4Long("10.0.0.2"), Rig.ipv4Long("192.168.1.1"), ip -> ip.dontFragment(false))
                            .udp(1, 2)
                            .payload(new byte[1200])));
            assertThat(rig.sent(0)).isEmpty();
            assertThat(rig.drops("longer than the MTU")).isEqualTo(2);
        }
    }

    @Test
    void dropsWhatIsDamagedOrForOthers() {
        try (Rig rig = rig()) {
            byte[] packet = udp("10.0.0.2", "192.168.1.1", 64);
            byte[] wrong = packet.clone();
            wrong[24] ^= 1;
            byte[] version = packet.clone();
            version[14] = 0x65;
            byte[] longer = packet.clone();
            longer[16] = 1;
            byte[] other = packet.clone();
            other[5] ^= 1;
            rig.offer(0, wrong, version, longer, other);
            assertThat(rig.sent(1)).isEmpty();
            assertThat(rig.drops("wrong IPv4 checksum")).isEqualTo(1);
            assertThat(rig.drops("malformed")).isEqualTo(2);
            assertThat(rig.drops("not for this router's MAC address")).isEqualTo(1);
        }
    }

    @Test
    void cutsPaddingOff() {
        try (Rig rig = rig()) {
            byte[] packet = udp("10.0.0.2", "192.168.1.1", 64);
            rig.offer(0, Arrays.copyOf(packet, packet.length + 6));
            assertThat(rig.only(1)).hasSize(packet.length);
        }
    }

    @Test
    void forwardsIpv6AndFindsNeighboursBySolicitation() {
        try (Rig rig = rig()) {
            rig.offer(0, udp6(HOST6, SERVER6, 64));
            byte[] question = rig.only(1);
            assertThat(Rig.layers(question)).isEqualTo("ETHERNET IPV6 ICMPV6");
            assertThat(hex(question))
                    .isEqualTo("3333ff000002" + "020000000011" + "86dd" + "6000000000203aff"
                            + "20010db8000b00000000000000000001" + "ff0200000000000000000001ff000002" + "8700"
                            + hex(Arrays.copyOfRange(question, 56, 58)) + "00000000"
                            + "20010db8000b00000000000000000002"
                            + "0101020000000011");
            rig.offer(1, advertisement());
            rig.pass(2);
            byte[] expected = udp6(HOST6, SERVER6, 63);
            put48(expected, 0, SERVER);
            put48(expected, 6, Rig.MAC + 1);
            assertThat(hex(rig.only(1))).isEqualTo(hex(expected));
        }
    }

    private static byte[] advertisement() {
        return advertisement(SERVER, 0x6000_0000L);
    }

    private static byte[] advertisement(long link, long flags) {
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

    private static byte[] solicitation(long sourceHigh, long sourceLow, int hopLimit) {
        return solicitation(sourceHigh, sourceLow, hopLimit, (sourceHigh | sourceLow) != 0);
    }

    private static byte[] solicitation(long sourceHigh, long sourceLow, int hopLimit, boolean saysLinkAddress) {
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

    @Test
    void answersSolicitations() {
        try (Rig rig = rig()) {
            rig.offer(0, solicitation(HOST6.high(), HOST6.low(), 255));
            byte[] answer = rig.only(0);
            assertThat(Rig.layers(answer)).isEqualTo("ETHERNET IPV6 ICMPV6");
            assertThat(Rig.u48(answer, 0)).isEqualTo(HOST);
            assertThat(Rig.u16(answer, 54)).isEqualTo(136 << 8);
            assertThat(Rig.u32(answer, 58)).isEqualTo(0xe000_0000);
            assertThat(Rig.u48(answer, 80)).isEqualTo(Rig.MAC);
            // one that looks whether the address is free
            rig.offer(0, solicitation(0, 0, 255));
            assertThat(Rig.u48(rig.only(0), 0)).isEqualTo(0x3333_0000_0001L);
            // which cannot have a link address (RFC 4861, 7.1.1)
            rig.offer(0, solicitation(0, 0, 255, true));
            assertThat(rig.sent(0)).isEmpty();
            // one that came by a router
            rig.offer(0, solicitation(HOST6.high(), HOST6.low(), 254));
            assertThat(rig.sent(0)).isEmpty();
        }
    }

    @Test
    void reportsAboutIpv6() {
        try (Rig rig = rig()) {
            rig.offer(0, solicitation(HOST6.high(), HOST6.low(), 255));
            rig.sent(0);
            rig.offer(0, udp6(HOST6, SERVER6, 1));
            byte[] error = rig.only(0);
            assertThat(Rig.layers(error)).isEqualTo("ETHERNET IPV6 ICMPV6");
            assertThat(Rig.u16(error, 54)).isEqualTo(0x0300);
            rig.offer(0, udp6(HOST6, IpPrefix.parse("2001:db9::1"), 64));
            assertThat(Rig.u16(rig.only(0), 54)).isEqualTo(0x0100);
            rig.offer(0, udp6(HOST6, IpPrefix.parse("2001:db8:b::1"), 64));
            assertThat(Rig.u16(rig.only(0), 54)).isEqualTo(0x0104);
            rig.offer(
                    0,
                    ethernet(w -> w.ipv6(
                                    HOST6.high(),
                                    HOST6.low(),
                                    IpPrefix.parse("2001:db8:a::1").high(),
                                    1)
                            .icmpv6(128, 0, 7)));
            byte[] echo = rig.only(0);
            assertThat(Rig.layers(echo)).isEqualTo("ETHERNET IPV6 ICMPV6");
            assertThat(Rig.u16(echo, 54)).isEqualTo(129 << 8);
            rig.offer(0, udp6(HOST6, IpPrefix.parse("ff0e::1"), 64), udp6(HOST6, IpPrefix.parse("fe80::1"), 64));
            rig.offer(0, udp6(IpPrefix.parse("fe80::2"), SERVER6, 64), udp6(IpPrefix.parse("::1"), SERVER6, 64));
            rig.offer(0, udp6(IpPrefix.parse("ff02::2"), SERVER6, 64));
            assertThat(rig.drops("multicast, broadcast or link-local")).isEqualTo(2);
            assertThat(rig.drops("source that cannot be")).isEqualTo(3);
        }
    }

    @Test
    void takesAnotherTableWithoutLosingAPacket() {
        RouteStage stage = stage(1_000_000_000_000L, 100);
        try (Rig rig = Rig.of(2, stage)) {
            rig.offer(0, udp("10.0.0.2", "192.168.1.1", 64));
            stage.exchange(RouteTable.of(
                    List.of(new RouteTable.Interface(1, IpPrefix.parse("10.0.1.1/24"))),
                    List.of(new RouteTable.Route(IpPrefix.parse("192.168.0.0/16"), 1, IpPrefix.parse("10.0.1.7"))),
                    List.of(new RouteTable.Neighbor(1, IpPrefix.parse("10.0.1.7"), 0x0200_0000_0007L))));
            rig.offer(0, udp("10.0.0.2", "192.168.1.1", 64));
            assertThat(rig.sent(1))
                    .extracting(packet -> Rig.u48(packet, 0))
                    .containsExactly(0x0200_0000_00feL, 0x0200_0000_0007L);
        }
    }

    private static void put48(byte[] packet, int at, long value) {
        for (int i = 0; i < 6; i++) {
            packet[at + i] = (byte) (value >>> 40 - 8 * i);
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** RFC 5227, 2.1.1: a host that looks whether the address is free. */
    @Test
    void answersArpProbesForItsOwnAddress() {
        try (Rig rig = rig()) {
            rig.offer(0, arp(1, HOST, "0.0.0.0", 0, "10.0.0.1", EthernetFrames.BROADCAST));
            assertThat(hex(rig.only(0))).isEqualTo(hex(arp(2, Rig.MAC, "10.0.0.1", HOST, "0.0.0.0", HOST)));
            rig.offer(0, arp(1, HOST, "0.0.0.0", 0, "10.0.0.7", EthernetFrames.BROADCAST));
            assertThat(rig.sent(0)).isEmpty();
        }
    }

    /** RFC 4443, 2.4 (e.4). */
    @Test
    void neitherForwardsNorReportsIpv6PacketsInFramesToSeveral() {
        try (Rig rig = rig()) {
            rig.offer(0, solicitation(HOST6.high(), HOST6.low(), 255));
            rig.sent(0);
            for (int hopLimit : new int[] {1, 64}) {
                byte[] packet = udp6(HOST6, IpPrefix.parse("2001:db8:ff::1"), hopLimit);
                put48(packet, 0, 0x3333_0000_0001L);
                rig.offer(0, packet);
            }
            assertThat(rig.sent(0)).isEmpty();
            assertThat(rig.sent(1)).isEmpty();
            assertThat(rig.drops("multicast, broadcast or link-local")).isEqualTo(2);
        }
    }

    /** RFC 3927, 7. */
    @Test
    void forwardsNothingFromIpv4LinkLocalAddresses() {
        try (Rig rig = rig()) {
            rig.offer(0, udp("169.254.1.2", "192.168.1.1", 64), udp("169.254.1.2", "192.168.1.1", 1));
            assertThat(rig.sent(0)).isEmpty();
            assertThat(rig.sent(1)).isEmpty();
            assertThat(rig.drops("source that cannot be")).isEqualTo(2);
        }
    }

    /** The checksum of nothing but zeros is all ones, and not 0. */
    @Test
    void repliesToAnEchoRequestOfZerosWithTheRightChecksum() {
        try (Rig rig = rig()) {
            rig.offer(0, arp(1, HOST, "10.0.0.2", 0, "10.0.0.1", EthernetFrames.BROADCAST));
            rig.sent(0);
            rig.offer(
                    0,
                    ethernet(w -> w.ipv4(Rig.ipv4Long("10.0.0.2"), Rig.ipv4Long("10.0.0.1"))
                            .icmp(8, 0, 0)
                            .payload(new byte[8])));
            byte[] reply = rig.only(0);
            assertThat(Rig.u16(reply, 36)).isEqualTo(0xffff);
            assertThat(Rig.layers(reply)).isEqualTo("ETHERNET IPV4 ICMP");
        }
    }

    /** RFC 4861, 4.3: one to the router alone need not say it. */
    @Test
    void answersASolicitationThatDoesNotSayTheSendersLinkAddress() {
        IpPrefix router = IpPrefix.parse("2001:db8:a::1");
        try (Rig rig = rig()) {
            rig.offer(
                    0,
                    ethernet(w -> w.ipv6(HOST6.high(), HOST6.low(), router.high(), router.low(), ip -> ip.hopLimit(255))
                            .icmpv6(135, 0, 0)
                            .bits64(router.high())
                            .bits64(router.low())));
            byte[] answer = rig.only(0);
            assertThat(Rig.layers(answer)).isEqualTo("ETHERNET IPV6 ICMPV6");
            assertThat(Rig.u48(answer, 0)).isEqualTo(HOST);
            assertThat(Rig.u16(answer, 54)).isEqualTo(136 << 8);
        }
    }

    /** RFC 4861, 7.2.5: without the flag to override, another address is not taken. */
    @Test
    void keepsAKnownNeighbourWhereAnAdvertisementDoesNotOverrideIt() {
        try (Rig rig = rig()) {
            rig.offer(0, udp6(HOST6, SERVER6, 64));
            rig.offer(1, advertisement(SERVER, 0x6000_0000L));
            rig.pass(2);
            rig.sent(1);
            rig.offer(1, advertisement(SERVER + 1, 0x4000_0000L));
            rig.offer(0, udp6(HOST6, SERVER6, 64));
            assertThat(Rig.u48(rig.only(1), 0)).isEqualTo(SERVER);
            rig.offer(1, advertisement(SERVER + 1, 0x2000_0000L));
            rig.offer(0, udp6(HOST6, SERVER6, 64));
            assertThat(Rig.u48(rig.only(1), 0)).isEqualTo(SERVER + 1);
        }
    }

    /** RFC 6583: who looks through a network asks for more neighbours than there are places. */
    @Test
    void aScanOfANetworkDoesNotKeepANeighbourFromBeingFound() {
        try (Rig rig = rig()) {
            for (int i = 10; i < 10 + PendingNeighbors.HOPS; i++) {
                rig.offer(0, udp("10.0.0.2", "10.0.1." + i, 64));
            }
            rig.pass(150);
            rig.sent(1);
            rig.offer(0, udp("10.0.0.2", "10.0.1.2", 64));
            assertThat(Rig.u32(rig.only(1), 38)).isEqualTo(Rig.ipv4("10.0.1.2"));
            rig.offer(1, arp(2, SERVER, "10.0.1.2", Rig.MAC + 1, "10.0.1.1", Rig.MAC + 1));
            rig.pass(2);
            assertThat(Rig.u48(rig.only(1), 0)).isEqualTo(SERVER);
            assertThat(rig.drops("too many wait for the neighbour")).isEqualTo(1);
        }
    }

    /** The table has 64 places, and nobody asked for these. */
    @Test
    void neighboursThatSomebodyInventsDoNotKeepAnswersOut() {
        try (Rig rig = rig()) {
            for (int round = 0; round < 8; round++) {
                for (int i = 10; i < 250; i++) {
                    rig.offer(
                            1, arp(1, SERVER + 10 + round + i, "10.0.1." + i, 0, "10.0.1.1", EthernetFrames.BROADCAST));
                }
                rig.sent(1);
            }
            rig.offer(0, udp("10.0.0.2", "10.0.1.2", 64));
            rig.offer(1, arp(2, SERVER, "10.0.1.2", Rig.MAC + 1, "10.0.1.1", Rig.MAC + 1));
            rig.sent(1);
            rig.pass(2);
            assertThat(Rig.u48(rig.only(1), 0)).isEqualTo(SERVER);
        }
    }

    @Test
    void packetsThatWaitedAreStillOfThePortThatTheyCameFrom() {
        VlanPushStage push = new VlanPushStage(0b01, 0, 0x8100, 9, 0);
        try (Rig rig = Rig.of(2, stage(1_000_000_000_000L, 100), push)) {
            rig.offer(0, udp("10.0.0.2", "10.0.1.2", 64));
            assertThat(Rig.u16(rig.only(1), 12)).isEqualTo(EthernetFrames.ARP);
            rig.offer(1, arp(2, SERVER, "10.0.1.2", Rig.MAC + 1, "10.0.1.1", Rig.MAC + 1));
            rig.pass(2);
            assertThat(Rig.u32(rig.only(1), 12)).isEqualTo(0x8100_0009);
        }
    }
}
