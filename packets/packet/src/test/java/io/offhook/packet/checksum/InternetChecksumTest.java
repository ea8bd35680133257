package io.offhook.packet.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.checksum.InternetChecksum.Verdict;
import io.offhook.packet.edit.PacketEditor;
import io.offhook.packet.walk.GoldenFrame;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.packet.write.PacketWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InternetChecksumTest {
    private static final int ETHERNET = 14;

    /** The example of RFC 1071, 3. */
    @Test
    void sumsTheExampleOfTheRfc() {
        MemorySegment bytes = GoldenFrame.segment("0001 f203 f4f5 f6f7");

        assertThat(InternetChecksum.sum(bytes, 0, 8, 0)).isEqualTo(0xddf2);
    }

    @Test
    void sumsAsTheRfcDefinesIt() {
        Random random = new Random(5);
        for (int round = 0; round < 5_000; round++) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            long words = 0;
            for (int i = 0; i < bytes.length; i += 2) {
                words += (bytes[i] & 0xff) << 8 | (i + 1 < bytes.length ? bytes[i + 1] & 0xff : 0);
            }
            while (words > 0xffff) {
                words = (words & 0xffff) + (words >>> 16);
            }
            MemorySegment segment = GoldenFrame.segment(bytes);
            assertThat(InternetChecksum.sum(segment, 0, bytes.length, 0))
                    .as("seed 5, round %d", round)
                    .isEqualTo((int) words);
            int half = bytes.length / 4 * 2;
            int before = InternetChecksum.sum(segment, 0, half, 0);
            assertThat(InternetChecksum.sum(segment, half, bytes.length - half, before))
                    .isEqualTo((int) words);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"udp", "udpPadded", "tcpSyn", "tcp6", "vlanUdp6", "icmpEcho", "icmpv6Echo", "ipv6Extensions"})
    void findsACorrectChecksumCorrectAndADamagedOneWrong(String name) {
        GoldenFrame frame = GoldenFrame.of(name);
        PacketWalker walker = frame.walk();
        assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.CORRECT);

        byte[] bytes = frame.bytes();
        int last = (int) walker.payloadOffset() + walker.payloadLength() - 1;
        bytes[last] ^= 1;
        walker.walk(GoldenFrame.segment(bytes), 0, bytes.length, bytes.length, LinkType.ETHERNET);
        assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.WRONG);
    }

    @Test
    void checksAndMakesTheOneOfAnIpv4Header() {
        GoldenFrame frame = GoldenFrame.of("ipv4Options");
        byte[] bytes = frame.bytes();
        MemorySegment segment = GoldenFrame.segment(bytes);

        assertThat(InternetChecksum.ipv4Header(segment, ETHERNET, 24)).isEqualTo(Verdict.CORRECT);
        assertThat(InternetChecksum.ofIpv4Header(segment, ETHERNET, 24))
                .isEqualTo(NetworkOrder.u16(segment, ETHERNET + 10));

        bytes[ETHERNET + 8]--;
        MemorySegment damaged = GoldenFrame.segment(bytes);
        assertThat(InternetChecksum.ipv4Header(damaged, ETHERNET, 24)).isEqualTo(Verdict.WRONG);
    }

    @Test
    void saysWhenThereIsNoneOrItCannotBeKnown() {
        GoldenFrame udp = GoldenFrame.of("udp");
        byte[] without = udp.bytes();
        without[ETHERNET + 26] = 0;
        without[ETHERNET + 27] = 0;
        PacketWalker walker = new PacketWalker();
        walker.walk(GoldenFrame.segment(without), 0, without.length, without.length, LinkType.ETHERNET);
        assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.ABSENT);

        walker.walk(udp.segment(), 0, udp.length() - 1, udp.length(), LinkType.ETHERNET);
        assertThat(InternetChecksum.transport(walker)).as("snapped").isEqualTo(Verdict.UNKNOWN);
        assertThat(InternetChecksum.transport(GoldenFrame.of("firstFragment").walk()))
                .isEqualTo(Verdict.UNKNOWN);
        assertThat(InternetChecksum.transport(GoldenFrame.of("laterFragment").walk()))
                .isEqualTo(Verdict.UNKNOWN);
        assertThat(InternetChecksum.transport(GoldenFrame.of("esp").walk())).isEqualTo(Verdict.UNKNOWN);
        assertThat(InternetChecksum.transport(GoldenFrame.of("arp").walk())).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void judgesTheCrcOfSctp() {
        GoldenFrame frame = GoldenFrame.of("sctp");
        assertThat(InternetChecksum.transport(frame.walk()))
                .as("0, as it is left to a card")
                .isEqualTo(Verdict.PARTIAL);

        MemorySegment segment = frame.segment();
        NetworkOrder.putU32(segment, ETHERNET + 28, Crc32c.sctp(segment, ETHERNET + 20, 16));
        PacketWalker walker = new PacketWalker();
        walker.walk(segment, 0, frame.length(), frame.length(), frame.linkType());
        assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.CORRECT);
        NetworkOrder.putU32(segment, ETHERNET + 28, 1);
        assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.WRONG);
    }

    /** RFC 1122, 3.2.1.8: while a source route goes on, the destination that is summed up is its last one. */
    @Test
    void judgesByTheEndOfASourceRoute() {
        for (int pointer : new int[] {4, 8}) {
            MemorySegment segment = Arena.ofAuto().allocate(100);
            byte[] route = {(byte) 131, 7, (byte) pointer, 10, 0, 0, 9, 0};
            int length = new PacketWriter()
                    .begin(segment, 0)
                    .ipv4(0x0a000001, 0x0a000002)
                    .ipv4Options(route)
                    .udp(1, 2)
                    .text("routed")
                    .finish();
            long destination = pointer == 4 ? 23 : 16;
            int sum = InternetChecksum.sum(segment, 28, length - 28, 17 + length - 28);
            sum = InternetChecksum.sum(segment, 12, 4, sum);
            assertThat(InternetChecksum.sum(segment, destination, 4, sum)).isEqualTo(0xffff);
            PacketWalker walker = new PacketWalker();
            walker.walk(segment, 0, length, length, LinkType.RAW);
            assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.CORRECT);
            PacketEditor editor = new PacketEditor();
            editor.edit(walker);
            editor.destinationAddress(0, 0xffff_0a0a_0a0aL);
            assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.CORRECT);
        }
    }

    /** As Linux leaves it to the card: the sum of addresses, protocol and length. */
    @Test
    void reportsAChecksumThatWasLeftToTheCard() {
        GoldenFrame frame = GoldenFrame.of("udp");
        MemorySegment segment = frame.segment();
        int length = frame.length() - ETHERNET - 20;
        int left = InternetChecksum.sum(segment, ETHERNET + 12, 8, 17 + length);
        NetworkOrder.putU16(segment, ETHERNET + 26, left);
        PacketWalker walker = new PacketWalker();
        walker.walk(segment, 0, frame.length(), frame.length(), frame.linkType());
        assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.PARTIAL);
        NetworkOrder.putU16(segment, ETHERNET + 26, left + 1);
        assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.WRONG);
    }

    @Test
    void judgesEveryLayerOfATunnel() {
        GoldenFrame frame = GoldenFrame.of("greOptions");
        PacketWalker walker = frame.walk();
        assertThat(InternetChecksum.of(walker, walker.indexOf(LayerType.IPV4))).isEqualTo(Verdict.CORRECT);
        assertThat(InternetChecksum.of(walker, walker.indexOf(LayerType.GRE))).isEqualTo(Verdict.WRONG);
        assertThat(InternetChecksum.of(walker, walker.indexOf(LayerType.IPV6))).isEqualTo(Verdict.UNKNOWN);
        assertThat(InternetChecksum.of(walker, walker.indexOf(LayerType.UDP))).isEqualTo(Verdict.CORRECT);
        PacketWalker plain = GoldenFrame.of("gre").walk();
        assertThat(InternetChecksum.of(plain, plain.indexOf(LayerType.GRE))).isEqualTo(Verdict.ABSENT);
        PacketWalker vxlan = GoldenFrame.of("vxlan").walk();
        assertThat(InternetChecksum.of(vxlan, vxlan.indexOf(LayerType.UDP))).isEqualTo(Verdict.ABSENT);
        assertThat(InternetChecksum.transport(vxlan)).isEqualTo(Verdict.CORRECT);
    }

    /** RFC 8200, 8.1: while segments are left, the destination that is summed up stands in the routing header. */
    @Test
    void judgesByTheLastDestinationOfARoutingHeader() {
        byte[] bytes = GoldenFrame.of("ipv6Extensions").bytes();
        int routing = ETHERNET + 40 + 8 + 8;
        bytes[routing + 3] = 1;
        assertThat(verdict(bytes)).as("the address in it is another one").isEqualTo(Verdict.WRONG);
        bytes[routing + 23] = 2;
        assertThat(verdict(bytes)).as("now the same").isEqualTo(Verdict.CORRECT);
        bytes[routing + 2] = 99;
        assertThat(verdict(bytes)).as("a type that is not known").isEqualTo(Verdict.UNKNOWN);
    }

    private static Verdict verdict(byte[] bytes) {
        PacketWalker walker = new PacketWalker();
        walker.walk(GoldenFrame.segment(bytes), 0, bytes.length, bytes.length, LinkType.ETHERNET);
        return InternetChecksum.transport(walker);
    }
}
