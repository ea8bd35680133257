package io.offhook.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.PacketWriter;
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
            new NatTable.Translation((int) OUT, (int) IN, NatTable.ANY, 0, 0),
            new NatTable.Translation((int) OUT_WEB, (int) IN_WEB, 6, 8080, 80),
            new NatTable.Translation((int) OUT_WEB, (int) IN_WEB, 17, 53, 53)));

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

    @Test
    void findsOverlaps() {
        NatTable.Translation whole = new NatTable.Translation(1, 2, NatTable.ANY, 0, 0);
        NatTable.Translation port = new NatTable.Translation(3, 4, 6, 80, 80);
        assertThat(NatTable.overlaps(List.of(whole, port))).isEmpty();
        assertThat(NatTable.overlaps(List.of(whole, new NatTable.Translation(1, 5, NatTable.ANY, 0, 0))))
                .containsExactly(1);
        assertThat(NatTable.overlaps(List.of(whole, new NatTable.Translation(9, 2, NatTable.ANY, 0, 0))))
                .containsExactly(1);
        assertThat(NatTable.overlaps(List.of(whole, new NatTable.Translation(1, 5, 6, 80, 80))))
                .containsExactly(1);
        assertThat(NatTable.overlaps(List.of(port, new NatTable.Translation(3, 5, NatTable.ANY, 0, 0))))
                .containsExactly(1);
        assertThat(NatTable.overlaps(List.of(port, new NatTable.Translation(3, 4, 17, 80, 80))))
                .isEmpty();
        assertThatThrownBy(() -> NatTable.of(List.of(whole, whole))).isInstanceOf(IllegalArgumentException.class);
    }
}
