package io.offhook.forward.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.forward.Burst;
import io.offhook.forward.IpPrefix;
import io.offhook.forward.Rig;
import io.offhook.forward.Stage;
import io.offhook.forward.Translation;
import io.offhook.packet.write.PacketWriter;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Outside is port 1: 203.0.113.10 is 10.0.0.10, and port 8080 of TCP at 203.0.113.1 is port 80 of 10.0.0.20. */
class NatStageTest {
    private static final long OUT = Rig.ipv4Long("203.0.113.10");
    private static final long IN = Rig.ipv4Long("10.0.0.10");
    private static final long OUT_WEB = Rig.ipv4Long("203.0.113.1");
    private static final long IN_WEB = Rig.ipv4Long("10.0.0.20");
    private static final long PEER = Rig.ipv4Long("198.51.100.7");

    private static final NatTable TABLE = NatTable.of(List.of(
            new Translation((int) OUT, (int) IN, Translation.ANY, 0, 0),
            new Translation((int) OUT_WEB, (int) IN_WEB, 6, 8080, 80),
            new Translation((int) OUT_WEB, (int) IN_WEB, 17, 53, 53)));

    private static Rig rig() {
        return Rig.of(
                2,
                new NatStage(true, 0b10, TABLE),
                new Stage() {
                    @Override
                    public String name() {
                        return "cross";
                    }

                    @Override
                    public void process(Burst burst) {
                        for (int i = 0; i < burst.count(); i++) {
                            burst.output(i, 1 - burst.port(i));
                        }
                    }
                },
                new NatStage(false, 0b10, TABLE));
    }

    private static byte[] packet(Consumer<PacketWriter> rest) {
        return Rig.packet(writer -> rest.accept(writer.ethernet(1, 2)));
    }

    private static byte[] udp(long source, long destination, int from, int to) {
        return packet(w -> w.ipv4(source, destination).udp(from, to).payload(new byte[] {1, 2, 3}));
    }

    private static byte[] tcp(long source, long destination, int from, int to) {
        return packet(w -> w.ipv4(source, destination).tcp(from, to, 7, 8, 0x10).payload(new byte[] {1, 2, 3, 4, 5}));
    }

    /** Through, from a port; what comes out at the other is what is expected, byte for byte. */
    private static void becomes(int from, byte[] packet, byte[] expected) {
        try (Rig rig = rig()) {
            rig.offer(from, packet);
            byte[] sent = rig.only(1 - from);
            assertThat(sent).isEqualTo(expected);
            Rig.layers(sent);
        }
    }

    @Test
    void translatesAddressesBothWays() {
        becomes(1, udp(PEER, OUT, 5, 6), udp(PEER, IN, 5, 6));
        becomes(0, udp(IN, PEER, 6, 5), udp(OUT, PEER, 6, 5));
        becomes(1, tcp(PEER, OUT, 5, 6), tcp(PEER, IN, 5, 6));
        becomes(0, tcp(IN, PEER, 6, 5), tcp(OUT, PEER, 6, 5));
    }

    @Test
    void translatesPorts() {
        becomes(1, tcp(PEER, OUT_WEB, 40_000, 8080), tcp(PEER, IN_WEB, 40_000, 80));
        becomes(0, tcp(IN_WEB, PEER, 80, 40_000), tcp(OUT_WEB, PEER, 8080, 40_000));
        becomes(1, udp(PEER, OUT_WEB, 40_000, 53), udp(PEER, IN_WEB, 40_000, 53));
    }

    @Test
    void leavesWhatNoTranslationIsFor() {
        for (byte[] packet : List.of(tcp(PEER, OUT_WEB, 1, 81), udp(PEER, OUT_WEB, 1, 8080), udp(PEER, PEER, 1, 2))) {
            becomes(1, packet, packet);
        }
        byte[] inside = udp(IN_WEB, PEER, 80, 1);
        becomes(0, inside, inside);
        // what goes from inside to an outside address is no business of this side
        byte[] hairpin = udp(PEER, OUT, 1, 2);
        becomes(0, hairpin, hairpin);
    }

    @Test
    void keepsUdpWithoutChecksumWithout() {
        byte[] packet = udp(PEER, OUT, 5, 6);
        packet[40] = 0;
        packet[41] = 0;
        byte[] expected = udp(PEER, IN, 5, 6);
        expected[40] = 0;
        expected[41] = 0;
        becomes(1, packet, expected);
    }

    @Test
    void translatesIcmpAndWhatItsErrorsQuote() {
        becomes(
                1,
                packet(w -> w.ipv4(PEER, OUT).icmp(8, 0, 1).payload(new byte[] {9})),
                packet(w -> w.ipv4(PEER, IN).icmp(8, 0, 1).payload(new byte[] {9})));
        // a router outside tells of what came from inside
        becomes(
                1,
                packet(w -> w.ipv4(PEER, OUT).icmp(11, 0, 0).payload(quoted(udp(OUT, PEER, 6, 5)))),
                packet(w -> w.ipv4(PEER, IN).icmp(11, 0, 0).payload(quoted(udp(IN, PEER, 6, 5)))));
        // a host inside tells of what came from outside
        becomes(
                0,
                packet(w -> w.ipv4(IN, PEER).icmp(3, 3, 0).payload(quoted(udp(PEER, IN, 5, 6)))),
                packet(w -> w.ipv4(OUT, PEER).icmp(3, 3, 0).payload(quoted(udp(PEER, OUT, 5, 6)))));
        becomes(
                1,
                packet(w ->
                        w.ipv4(PEER, OUT).icmp(3, 4, 1400).payload(Arrays.copyOf(quoted(tcp(OUT, PEER, 6, 5)), 28))),
                packet(w -> w.ipv4(PEER, IN).icmp(3, 4, 1400).payload(Arrays.copyOf(quoted(tcp(IN, PEER, 6, 5)), 28))));
    }

    private static byte[] quoted(byte[] frame) {
        return Arrays.copyOfRange(frame, 14, frame.length);
    }

    @Test
    void translatesFragmentsByAddressAndDropsThoseThatNeedPorts() {
        byte[] later = packet(
                w -> w.ipv4(PEER, OUT, ip -> ip.fragmentOffset(10).protocol(17)).payload(new byte[20]));
        byte[] expected = packet(
                w -> w.ipv4(PEER, IN, ip -> ip.fragmentOffset(10).protocol(17)).payload(new byte[20]));
        becomes(1, later, expected);
        try (Rig rig = rig()) {
            rig.offer(
                    1,
                    packet(w -> w.ipv4(
                                    PEER, OUT_WEB, ip -> ip.fragmentOffset(10).protocol(6))
                            .payload(new byte[20])));
            assertThat(rig.drops("fragment without ports")).isEqualTo(1);
        }
    }

    /** As a bridge floods: what stays inside keeps its address. */
    @Test
    void translatesForOutsideOnlyWhatGoesInsideToo() {
        Stage flood = new Stage() {
            @Override
            public String name() {
                return "flood";
            }

            @Override
            public void process(Burst burst) {
                for (int i = 0, count = burst.count(); i < count; i++) {
                    burst.outputs(i, 0b110);
                }
            }
        };
        try (Rig rig = Rig.of(3, flood, new NatStage(false, 0b10, TABLE))) {
            rig.offer(0, udp(IN, PEER, 6, 5));
            assertThat(rig.only(1)).isEqualTo(udp(OUT, PEER, 6, 5));
            assertThat(rig.only(2)).isEqualTo(udp(IN, PEER, 6, 5));
        }
    }

    @Test
    void findsOverlaps() {
        Translation whole = new Translation(1, 2, Translation.ANY, 0, 0);
        Translation port = new Translation(3, 4, 6, 80, 80);
        assertThat(Translation.overlaps(List.of(whole, port))).isEmpty();
        assertThat(Translation.overlaps(List.of(whole, new Translation(1, 5, Translation.ANY, 0, 0))))
                .containsExactly(1);
        assertThat(Translation.overlaps(List.of(whole, new Translation(9, 2, Translation.ANY, 0, 0))))
                .containsExactly(1);
        assertThat(Translation.overlaps(List.of(whole, new Translation(1, 5, 6, 80, 80))))
                .containsExactly(1);
        assertThat(Translation.overlaps(List.of(port, new Translation(3, 5, Translation.ANY, 0, 0))))
                .containsExactly(1);
        assertThat(Translation.overlaps(List.of(port, new Translation(3, 4, 17, 80, 80))))
                .isEmpty();
        assertThatThrownBy(() -> NatTable.of(List.of(whole, whole))).isInstanceOf(IllegalArgumentException.class);
    }

    /** By what they quote it is known whom they are about: RFC 5508, REQ-4. */
    @Test
    void translatesErrorsAboutPacketsOfTranslatedPorts() {
        becomes(
                1,
                packet(w -> w.ipv4(PEER, OUT_WEB).icmp(3, 4, 1400).payload(quoted(tcp(OUT_WEB, PEER, 8080, 40_000)))),
                packet(w -> w.ipv4(PEER, IN_WEB).icmp(3, 4, 1400).payload(quoted(tcp(IN_WEB, PEER, 80, 40_000)))));
        becomes(
                0,
                packet(w -> w.ipv4(IN_WEB, PEER).icmp(3, 3, 0).payload(quoted(tcp(PEER, IN_WEB, 40_000, 80)))),
                packet(w -> w.ipv4(OUT_WEB, PEER).icmp(3, 3, 0).payload(quoted(tcp(PEER, OUT_WEB, 40_000, 8080)))));
        // about another port of that address: it is the router's own
        byte[] own = packet(w -> w.ipv4(PEER, OUT_WEB).icmp(3, 4, 1400).payload(quoted(tcp(OUT_WEB, PEER, 81, 4))));
        becomes(1, own, own);
    }

    /** RFC 5508, REQ-5. */
    @Test
    void aRouterInsideSpeaksByTheAddressOfTheHostThatItIsAbout() {
        long inner = Rig.ipv4Long("10.0.0.99");
        becomes(
                0,
                packet(w -> w.ipv4(inner, PEER).icmp(11, 0, 0).payload(quoted(udp(PEER, IN, 5, 6)))),
                packet(w -> w.ipv4(OUT, PEER).icmp(11, 0, 0).payload(quoted(udp(PEER, OUT, 5, 6)))));
        becomes(
                0,
                packet(w -> w.ipv4(inner, PEER).icmp(11, 0, 0).payload(quoted(tcp(PEER, IN_WEB, 5, 80)))),
                packet(w -> w.ipv4(OUT_WEB, PEER).icmp(11, 0, 0).payload(quoted(tcp(PEER, OUT_WEB, 5, 8080)))));
    }

    @Test
    void errorsOfTheRouterItselfQuoteThePacketAsItWasSent() {
        long gateway = 0x0200_0000_00feL;
        RouteTable routes = RouteTable.of(
                List.of(
                        new RouteTable.Interface(0, IpPrefix.parse("10.0.0.1/24")),
                        new RouteTable.Interface(1, IpPrefix.parse("203.0.113.254/24"))),
                List.of(new RouteTable.Route(IpPrefix.parse("0.0.0.0/0"), 1, IpPrefix.parse("203.0.113.99"))),
                List.of(new RouteTable.Neighbor(1, IpPrefix.parse("203.0.113.99"), gateway)));
        RouteStage route = RouteStage.of(
                0b11,
                new long[] {Rig.MAC, Rig.MAC + 1},
                new int[] {1500, 1500},
                routes,
                new NeighborTable(64, 60_000_000_000L, 0),
                100,
                0);
        try (Rig rig = Rig.of(2, new NatStage(true, 0b10, TABLE), route, new NatStage(false, 0b10, TABLE))) {
            byte[] packet = Rig.packet(w -> w.ethernet(gateway, Rig.MAC + 1)
                    .ipv4(PEER, OUT, ip -> ip.ttl(1))
                    .udp(5, 6)
                    .payload(new byte[] {1, 2, 3}));
            rig.offer(1, packet);
            byte[] error = rig.only(1);
            assertThat(Rig.layers(error)).isEqualTo("ETHERNET IPV4 ICMP");
            assertThat(Rig.u16(error, 34)).isEqualTo(11 << 8);
            assertThat(Rig.u32(error, 26)).isEqualTo(Rig.ipv4("203.0.113.254"));
            assertThat(Arrays.copyOfRange(error, 42, error.length)).isEqualTo(quoted(packet));
        }
    }

    private static byte[] fragment(long source, long destination, int id, int from, int to) {
        return packet(
                w -> w.ipv4(source, destination, ip -> ip.identification(id).moreFragments(true))
                        .udp(from, to)
                        .payload(new byte[16]));
    }

    private static byte[] later(long source, long destination, int id) {
        return packet(w -> w.ipv4(
                        source,
                        destination,
                        ip -> ip.identification(id).fragmentOffset(3).protocol(17))
                .payload(new byte[20]));
    }

    /** RFC 4787, REQ-14: a datagram of SIP is longer than a packet, at times. */
    @Test
    void fragmentsBecomeWhatTheirFirstOneBecame() {
        try (Rig rig = rig()) {
            rig.offer(1, fragment(PEER, OUT_WEB, 7, 40_000, 53), later(PEER, OUT_WEB, 7));
            assertThat(rig.sent(0)).containsExactly(fragment(PEER, IN_WEB, 7, 40_000, 53), later(PEER, IN_WEB, 7));
            rig.offer(0, fragment(IN_WEB, PEER, 8, 53, 40_000), later(IN_WEB, PEER, 8));
            assertThat(rig.sent(1)).containsExactly(fragment(OUT_WEB, PEER, 8, 53, 40_000), later(OUT_WEB, PEER, 8));
            // of a port that is not translated
            rig.offer(0, fragment(IN_WEB, PEER, 9, 54, 40_000), later(IN_WEB, PEER, 9));
            assertThat(rig.sent(1)).containsExactly(fragment(IN_WEB, PEER, 9, 54, 40_000), later(IN_WEB, PEER, 9));
        }
    }

    /** Else what is inside would be told outside. */
    @Test
    void dropsFragmentsWhoseFirstOneDidNotComeOrTooLongAgo() {
        try (Rig rig = rig()) {
            rig.offer(0, later(IN_WEB, PEER, 8));
            assertThat(rig.drops("fragment without ports")).isEqualTo(1);
            rig.offer(0, fragment(IN_WEB, PEER, 8, 53, 40_000));
            rig.nowNs.addAndGet(16_000_000_000L);
            rig.offer(0, later(IN_WEB, PEER, 8));
            assertThat(rig.sent(1)).hasSize(1);
            assertThat(rig.drops("fragment without ports")).isEqualTo(2);
        }
    }

    @Test
    void remembersTheLastOfManyFirstFragments() {
        NatFragments fragments = new NatFragments();
        for (int id = 0; id < 100_000; id++) {
            fragments.note(5, id, id, id);
            fragments.note(5, id, id + 1, id);
            assertThat(fragments.find(5, id, id)).isEqualTo(id + 1);
        }
        long known = 0;
        for (int id = 0; id < 100_000; id++) {
            known += fragments.find(5, id, 100_000) == id + 1 ? 1 : 0;
        }
        assertThat(known).isBetween(1000L, 1024L);
        assertThat(fragments.find(6, 99_999, 100_000)).isEqualTo(NatFragments.UNKNOWN);
    }
}
