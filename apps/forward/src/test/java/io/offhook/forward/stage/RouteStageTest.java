package io.offhook.forward.stage;

import static io.offhook.forward.stage.RouterRig.HOST;
import static io.offhook.forward.stage.RouterRig.HOST6;
import static io.offhook.forward.stage.RouterRig.SERVER6;
import static io.offhook.forward.stage.RouterRig.arp;
import static io.offhook.forward.stage.RouterRig.ethernet;
import static io.offhook.forward.stage.RouterRig.hex;
import static io.offhook.forward.stage.RouterRig.put48;
import static io.offhook.forward.stage.RouterRig.rig;
import static io.offhook.forward.stage.RouterRig.solicitation;
import static io.offhook.forward.stage.RouterRig.stage;
import static io.offhook.forward.stage.RouterRig.table;
import static io.offhook.forward.stage.RouterRig.udp;
import static io.offhook.forward.stage.RouterRig.udp6;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.forward.EthernetFrames;
import io.offhook.forward.IpPrefix;
import io.offhook.forward.Rig;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a router forwards and drops, and what it reports to senders. */
class RouteStageTest {
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
}
