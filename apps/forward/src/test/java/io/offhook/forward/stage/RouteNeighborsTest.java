package io.offhook.forward.stage;

import static io.offhook.forward.stage.RouterRig.HOST;
import static io.offhook.forward.stage.RouterRig.HOST6;
import static io.offhook.forward.stage.RouterRig.SERVER;
import static io.offhook.forward.stage.RouterRig.SERVER6;
import static io.offhook.forward.stage.RouterRig.advertisement;
import static io.offhook.forward.stage.RouterRig.arp;
import static io.offhook.forward.stage.RouterRig.ethernet;
import static io.offhook.forward.stage.RouterRig.hex;
import static io.offhook.forward.stage.RouterRig.put48;
import static io.offhook.forward.stage.RouterRig.rig;
import static io.offhook.forward.stage.RouterRig.solicitation;
import static io.offhook.forward.stage.RouterRig.stage;
import static io.offhook.forward.stage.RouterRig.udp;
import static io.offhook.forward.stage.RouterRig.udp6;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.forward.EthernetFrames;
import io.offhook.forward.IpPrefix;
import io.offhook.forward.Rig;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a router resolves its neighbours and answers their requests, by ARP and neighbor discovery. */
class RouteNeighborsTest {
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
