package io.offhook.packet.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.Endpoint;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.checksum.ChecksumField;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.checksum.InternetChecksum.Verdict;
import io.offhook.packet.walk.GoldenFrame;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.packet.write.PacketWriter;
import io.offhook.packet.write.WrittenSample;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PacketEditorTest {
    private final PacketWalker walker = new PacketWalker();
    private final PacketEditor editor = new PacketEditor();

    static List<WrittenSample> samples() {
        return WrittenSample.all();
    }

    private MemorySegment walk(byte[] bytes, int linkType) {
        MemorySegment segment = GoldenFrame.segment(bytes);
        walker.walk(segment, 0, bytes.length, bytes.length, linkType);
        editor.edit(walker);
        return segment;
    }

    private List<Verdict> verdicts() {
        List<Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < walker.layerCount(); i++) {
            verdicts.add(InternetChecksum.of(walker, i));
        }
        return verdicts;
    }

    /** The example of RFC 1624, 4. */
    @Test
    void updatesAChecksumAsTheRfcDoes() {
        assertThat(InternetChecksum.update(0xdd2f, 0x5555, 0x3285)).isZero();
    }

    @Test
    void updatesAChecksumToWhatARecomputedOneIs() {
        Random random = new Random(3);
        for (int round = 0; round < 100_000; round++) {
            int other = random.nextInt(0x10000);
            int before = random.nextInt(0x10000);
            int after = random.nextInt(0x10000);
            int checksum = ~InternetChecksum.fold((long) other + before) & 0xffff;
            int updated = InternetChecksum.update(checksum, before, after);
            assertThat(InternetChecksum.fold((long) other + after + updated)).isIn(0xffff, 0);
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void keepsEveryChecksumRightThatCoversWhatItChanges(WrittenSample sample) {
        Random random = new Random(23);
        for (int round = 0; round < 200; round++) {
            walk(sample.bytes(), sample.linkType());
            List<Verdict> before = verdicts();
            long high = walker.sourceHigh() == 0 && walker.sourceLow() >>> 32 == 0xffff ? 0 : random.nextLong();
            long low = high == 0 ? 0xffff_0000_0000L | random.nextInt() & 0xffff_ffffL : random.nextLong();
            int port = random.nextInt(0x10000);
            boolean isIp = walker.network() >= 0;
            boolean hasPorts = walker.transport() >= 0 && walker.sourcePort() != 0;

            assertThat(editor.sourceAddress(high, low)).isEqualTo(isIp);
            assertThat(editor.ttl(port & 0xff)).isEqualTo(isIp);
            assertThat(editor.dscp(port & 63)).isEqualTo(isIp);
            assertThat(editor.sourcePort(port)).isEqualTo(hasPorts);
            assertThat(editor.destinationPort(port)).isEqualTo(hasPorts);
            if (isIp) {
                assertThat(walker.sourceHigh()).isEqualTo(high);
                assertThat(walker.sourceLow()).isEqualTo(low);
            }
            assertThat(verdicts()).as("seed 23, round %d", round).isEqualTo(before);
            if (isIp) {
                assertThat(editor.destinationAddress(high, ~low & 0xffff_ffffL | low & ~0xffff_ffffL))
                        .isTrue();
                assertThat(verdicts()).as("seed 23, round %d", round).isEqualTo(before);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void keepsWrongChecksumsAsWrongAsTheyWere(WrittenSample sample) {
        MemorySegment segment = walk(sample.bytes(), sample.linkType());
        for (int i = 0; i < walker.layerCount(); i++) {
            int at = ChecksumField.at(walker, i);
            if (at < 0) {
                continue;
            }
            byte[] damaged = sample.bytes().clone();
            damaged[(int) walker.layerOffset(i) + at] ^= 0x5a;
            walk(damaged, sample.linkType());
            long low = walker.sourceLow();
            long high = walker.sourceHigh();
            editor.sourceAddress(high, low ^ 0x1234_5678L);
            editor.sourcePort(1);
            MemorySegment edited = walker.segment();
            editor.sourceAddress(high, low);
            editor.sourcePort(
                    NetworkOrder.u16(segment, walker.transport() < 0 ? 0 : walker.layerOffset(walker.transport())));
            assertThat(HexFormat.of().formatHex(edited.toArray(ValueLayout.JAVA_BYTE)))
                    .isEqualTo(HexFormat.of().formatHex(damaged));
            segment = walk(sample.bytes(), sample.linkType());
        }
    }

    /** Payload bytes at any place, one, two and four of them: all checksums around follow. */
    @ParameterizedTest
    @MethodSource("samples")
    void followsAChangeOfAnyBytesOfThePayload(WrittenSample sample) {
        Random random = new Random(29);
        walk(sample.bytes(), sample.linkType());
        int length = walker.payloadLength();
        if (length < 4 || walker.transport() >= 0 && walker.layerType(walker.transport()) == LayerType.SCTP) {
            return; // SCTP's chunks are the test's below
        }
        List<Verdict> before = verdicts();
        for (int round = 0; round < 300; round++) {
            long at = walker.payloadOffset() + random.nextInt(length - 3);
            switch (random.nextInt(3)) {
                case 0 -> editor.u8(at, random.nextInt(0x100));
                case 1 -> editor.u16(at, random.nextInt(0x10000));
                default -> editor.u32(at, random.nextInt() & 0xffff_ffffL);
            }
            assertThat(verdicts()).as("seed 29, round %d", round).isEqualTo(before);
        }
    }

    @Test
    void followsAChangeInSctpWithTheCrc() {
        Random random = new Random(31);
        for (WrittenSample sample : WrittenSample.all()) {
            walk(sample.bytes(), sample.linkType());
            if (walker.indexOf(LayerType.SCTP) < 0) {
                continue;
            }
            for (int round = 0; round < 200; round++) {
                editor.u8(walker.payloadOffset() + random.nextInt(walker.payloadLength()), random.nextInt(256));
                editor.sourcePort(random.nextInt(0x10000));
                assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.CORRECT);
            }
        }
    }

    @Test
    void changesVlanAndEthernetAddresses() {
        GoldenFrame frame = GoldenFrame.of("serviceVlan");
        MemorySegment segment = walk(frame.bytes(), frame.linkType());
        assertThat(editor.vlanId(4095)).isTrue();
        assertThat(editor.ethernet(0x0102_0304_0506L, 0x0a0b_0c0d_0e0fL)).isTrue();
        assertThat(HexFormat.of().formatHex(segment.asSlice(0, 18).toArray(ValueLayout.JAVA_BYTE)))
                .isEqualTo("0a0b0c0d0e0f" + "010203040506" + "88a8" + "0fff" + "8100");
        assertThatIllegalArgumentException().isThrownBy(() -> editor.vlanId(4096));
        walk(GoldenFrame.of("raw4").bytes(), LinkType.RAW);
        assertThat(editor.vlanId(1)).isFalse();
        assertThat(editor.ethernet(1, 2)).isFalse();
    }

    @Test
    void translatesBothEnds() {
        GoldenFrame frame = GoldenFrame.of("udp");
        walk(frame.bytes(), frame.linkType());
        assertThat(editor.source(Endpoint.ofIpv4(0x0a000001, 40_000))).isTrue();
        assertThat(editor.destination(Endpoint.ofIpv4(0x0a000002, 40_002))).isTrue();
        walker.walk(walker.segment(), 0, frame.length(), frame.length(), frame.linkType());
        assertThat(new Endpoint(walker.sourceHigh(), walker.sourceLow(), walker.sourcePort()))
                .hasToString("10.0.0.1:40000");
        assertThat(new Endpoint(walker.destinationHigh(), walker.destinationLow(), walker.destinationPort()))
                .hasToString("10.0.0.2:40002");
        assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.CORRECT);
        assertThat(editor.source(new Endpoint(1, 2, 3))).as("IPv6 in IPv4").isFalse();
        assertThat(walker.segment().toArray(ValueLayout.JAVA_BYTE)[26]).isEqualTo((byte) 10);

        walk(GoldenFrame.of("icmpEcho").bytes(), LinkType.ETHERNET);
        assertThat(editor.source(Endpoint.ofIpv4(1, 2))).as("no ports").isFalse();
        assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.CORRECT);
    }

    /** What was cut off or came in other fragments is not needed: the bytes that are there become what they would. */
    @Test
    void editsSnappedPacketsAsWholeOnes() {
        for (WrittenSample sample : WrittenSample.all()) {
            byte[] whole = edited(sample, sample.bytes().length);
            for (int cut = 60; cut < sample.bytes().length; cut++) {
                walker.walk(
                        GoldenFrame.segment(Arrays.copyOf(sample.bytes(), cut)),
                        0,
                        cut,
                        sample.bytes().length,
                        sample.linkType());
                PacketWalker ofWhole = new PacketWalker();
                ofWhole.walk(
                        GoldenFrame.segment(sample.bytes()),
                        0,
                        sample.bytes().length,
                        sample.bytes().length,
                        sample.linkType());
                if (walker.transport() != ofWhole.transport()
                        || walker.transport() >= 0 && ChecksumField.at(walker, walker.transport()) < 0) {
                    continue; // cut in the headers
                }
                assertThat(edited(sample, cut)).as("%s cut to %d", sample, cut).isEqualTo(Arrays.copyOf(whole, cut));
            }
        }
    }

    private byte[] edited(WrittenSample sample, int captured) {
        MemorySegment segment = GoldenFrame.segment(Arrays.copyOf(sample.bytes(), captured));
        walker.walk(segment, 0, captured, sample.bytes().length, sample.linkType());
        editor.edit(walker);
        boolean isIpv6 = walker.network() >= 0 && walker.layerType(walker.network()) == LayerType.IPV6;
        editor.sourceAddress(isIpv6 ? 0x1234 : 0, isIpv6 ? 5 : 0xffff_0102_0304L);
        editor.sourcePort(7);
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void translatesTheFragmentsOfADatagramSoThatTheWholeIsRight() {
        MemorySegment whole = Arena.ofAuto().allocate(200);
        PacketWriter writer = new PacketWriter();
        int length = writer.begin(whole, 0)
                .ipv4(1, 2)
                .udp(5060, 5061)
                .zeros(40)
                .text("tail")
                .finish();
        MemorySegment fragments = Arena.ofAuto().allocate(200);
        int first = writer.begin(fragments, 0)
                .ipv4(1, 2, ip -> ip.protocol(17).moreFragments(true).dontFragment(false))
                .payload(whole, 20, 24)
                .finish();
        int second = writer.begin(fragments, 100)
                .ipv4(1, 2, ip -> ip.protocol(17).fragmentOffset(3).dontFragment(false))
                .payload(whole, 44, length - 44)
                .finish();

        for (int at = 0; at <= 100; at += 100) {
            int fragment = at == 0 ? first : second;
            walker.walk(fragments, at, fragment, fragment, LinkType.RAW);
            assertThat(walker.isFragment()).isTrue();
            editor.edit(walker);
            assertThat(editor.sourceAddress(0, 0xffff_0a0b_0c0dL)).isTrue();
            assertThat(editor.sourcePort(99)).isEqualTo(at == 0);
            assertThat(InternetChecksum.ipv4Header(fragments, at, 20)).isEqualTo(Verdict.CORRECT);
        }

        MemorySegment.copy(fragments, 20, whole, 20, 24);
        MemorySegment.copy(fragments, 120, whole, 44, length - 44);
        NetworkOrder.putU32(whole, 12, 0x0a0b_0c0dL);
        walker.walk(whole, 0, length, length, LinkType.RAW);
        assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.CORRECT);
        assertThat(walker.sourcePort()).isEqualTo(99);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void makesChecksumsAnew(WrittenSample sample) {
        walk(sample.bytes(), sample.linkType());
        byte[] damaged = sample.bytes().clone();
        for (int i = 0; i < walker.layerCount(); i++) {
            int at = ChecksumField.at(walker, i);
            boolean isAbsent = at < 0 || InternetChecksum.of(walker, i) == Verdict.ABSENT;
            if (!isAbsent) {
                damaged[(int) walker.layerOffset(i) + at + 1] ^= (byte) (i + 1);
            }
        }
        MemorySegment segment = walk(damaged, sample.linkType());
        assertThat(editor.recompute()).isZero();
        assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(sample.bytes());
    }

    /** What a sender left to its card stays such that a card can complete it, through any edit. */
    @ParameterizedTest
    @MethodSource("samples")
    void keepsWhatWasLeftToTheCardToBeCompleted(WrittenSample sample) {
        MemorySegment segment = walk(sample.bytes(), sample.linkType());
        int transport = walker.transport();
        LayerType type = transport < 0 ? LayerType.PAYLOAD : walker.layerType(transport);
        boolean isOffloaded = type == LayerType.TCP || type == LayerType.UDP || type == LayerType.SCTP;
        if (!isOffloaded || InternetChecksum.transport(walker) != Verdict.CORRECT) {
            return;
        }
        long field = walker.layerOffset(transport) + ChecksumField.at(walker, transport);
        if (type == LayerType.SCTP) {
            NetworkOrder.putU32(segment, field, 0);
        } else {
            NetworkOrder.putU16(segment, field, ChecksumField.pseudoHeader(walker, transport));
        }
        assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.PARTIAL);
        editor.edit(walker);
        Random random = new Random(43);
        boolean isIpv4 = walker.layerType(walker.network()) == LayerType.IPV4;
        for (int round = 0; round < 100; round++) {
            long low = isIpv4 ? 0xffff_0000_0000L | random.nextInt() & 0xffff_ffffL : random.nextLong();
            editor.sourceAddress(isIpv4 ? 0 : random.nextLong(), low);
            editor.destinationAddress(isIpv4 ? 0 : random.nextLong(), ~low & 0xffff_ffffL | low & ~0xffff_ffffL);
            editor.sourcePort(random.nextInt(0x10000));
            editor.ttl(round);
            if (walker.payloadLength() > 0) {
                editor.u8(walker.payloadOffset() + random.nextInt(walker.payloadLength()), round);
            }
            assertThat(InternetChecksum.transport(walker))
                    .as("seed 43, round %d", round)
                    .isEqualTo(Verdict.PARTIAL);
        }
        assertThat(editor.recompute()).isZero();
        assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.CORRECT);
        editor.sourcePort(9);
        assertThat(InternetChecksum.transport(walker)).as("whole since").isEqualTo(Verdict.CORRECT);
    }

    /** Behind what is covered a change is free, and what was cut off there is not missed. */
    @Test
    void leavesTheChecksumOfUdpLiteWhereItDoesNotCover() {
        MemorySegment segment = Arena.ofAuto().allocate(100);
        int length = new PacketWriter()
                .begin(segment, 0)
                .ipv4(1, 2, ip -> ip.protocol(136))
                .u16(5060)
                .u16(5061)
                .u16(12)
                .u16(0xffff)
                .text("covered, or not")
                .finish();
        walker.walk(segment, 0, length, length, LinkType.RAW);
        editor.edit(walker);
        assertThat(editor.recompute()).isZero();
        assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.CORRECT);
        int made = NetworkOrder.u16(segment, 26);
        editor.u8(32, 'X');
        assertThat(NetworkOrder.u16(segment, 26)).isEqualTo(made);
        editor.u8(31, 'X');
        assertThat(NetworkOrder.u16(segment, 26)).isNotEqualTo(made);
        assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.CORRECT);
        assertThat(editor.destinationPort(7)).isTrue();

        for (int captured = 28; captured < length; captured++) {
            walker.walk(segment, 0, captured, length, LinkType.RAW);
            assertThat(InternetChecksum.transport(walker))
                    .as("cut to %d", captured)
                    .isEqualTo(captured < 32 ? Verdict.UNKNOWN : Verdict.CORRECT);
        }
    }

    @Test
    void leavesChecksumsWhoseBytesAreNotAllThere() {
        GoldenFrame frame = GoldenFrame.of("udp");
        byte[] cut = Arrays.copyOf(frame.bytes(), frame.length() - 3);
        MemorySegment segment = GoldenFrame.segment(cut);
        walker.walk(segment, 0, cut.length, frame.length(), frame.linkType());
        editor.edit(walker);
        assertThat(editor.recompute()).isEqualTo(1);
        assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(cut);
    }

    @Test
    void staysInsideOfAnyBytes() {
        Random random = new Random(37);
        List<GoldenFrame> frames = GoldenFrame.all();
        for (int round = 0; round < 30_000; round++) {
            GoldenFrame frame = frames.get(random.nextInt(frames.size()));
            byte[] bytes = Arrays.copyOf(frame.bytes(), random.nextInt(frame.length() + 1));
            for (int i = random.nextInt(6); i > 0 && bytes.length > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            walk(bytes, frame.linkType());
            editor.source(Endpoint.ofIpv4(1, 2));
            editor.destinationAddress(3, 4);
            editor.destinationPort(5);
            editor.ttl(6);
            editor.dscp(7);
            editor.vlanId(8);
            editor.ethernet(9, 10);
            editor.recompute();
            verdicts();
        }
    }

    @Test
    void allocatesNothing() {
        MemorySegment[] segments = WrittenSample.all().stream()
                .map(sample -> GoldenFrame.segment(sample.bytes()))
                .toArray(MemorySegment[]::new);
        int[] linkTypes =
                WrittenSample.all().stream().mapToInt(WrittenSample::linkType).toArray();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long sum = 0;
        for (int round = 0; round < 3_000; round++) {
            sum += editAll(segments, linkTypes, round);
        }
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5; attempt++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int round = 0; round < 200; round++) {
                sum += editAll(segments, linkTypes, round);
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertThat(sum).isNotZero();
        assertThat(least).isLessThan(1_000);
    }

    private long editAll(MemorySegment[] segments, int[] linkTypes, int round) {
        long sum = 0;
        for (int i = 0; i < segments.length; i++) {
            int length = (int) segments[i].byteSize();
            walker.walk(segments[i], 0, length, length, linkTypes[i]);
            editor.edit(walker);
            sum += editor.sourceAddress(0, 0xffff_0000_0000L | round) ? 1 : 0;
            sum += editor.sourcePort(round & 0xffff) ? 1 : 0;
            sum += editor.recompute();
        }
        return sum;
    }
}
