package io.offhook.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.InternetChecksum.Verdict;
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
        assertThat(InternetChecksum.transport(GoldenFrame.of("sctp").walk())).isEqualTo(Verdict.UNKNOWN);
        assertThat(InternetChecksum.transport(GoldenFrame.of("arp").walk())).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void doesNotJudgeWhileARoutingHeaderHasSegmentsLeft() {
        byte[] bytes = GoldenFrame.of("ipv6Extensions").bytes();
        bytes[ETHERNET + 40 + 8 + 8 + 3] = 1;
        PacketWalker walker = new PacketWalker();
        walker.walk(GoldenFrame.segment(bytes), 0, bytes.length, bytes.length, LinkType.ETHERNET);

        assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.UNKNOWN);
    }
}
