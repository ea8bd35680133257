package io.offhook.packet.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.checksum.ChecksumField;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.checksum.InternetChecksum.Verdict;
import io.offhook.packet.walk.CaptureFrames;
import io.offhook.packet.walk.GoldenFrame;
import io.offhook.packet.walk.IcmpError;
import io.offhook.packet.walk.PacketWalker;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PacketAnonymizerTest {
    private final CryptoPan pan = new CryptoPan(CryptoPanTest.sampleKey());
    private final PacketAnonymizer anonymizer = new PacketAnonymizer(pan, true);

    private byte[] anonymized(byte[] bytes, int linkType) {
        MemorySegment segment = GoldenFrame.segment(bytes);
        anonymizer.anonymize(segment, 0, bytes.length, bytes.length, linkType);
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }

    /** What a walk finds, addresses and checksums aside, and whether the checksums are right. */
    private static List<String> shape(byte[] bytes, int linkType) {
        PacketWalker walker = new PacketWalker();
        MemorySegment segment = GoldenFrame.segment(bytes);
        walker.walk(segment, 0, bytes.length, bytes.length, linkType);
        List<String> shape = new ArrayList<>();
        shape.add(walker.stop() + " " + walker.stopOffset() + " " + walker.payloadOffset() + " "
                + walker.payloadLength());
        for (int i = 0; i < walker.layerCount(); i++) {
            String verdict = "";
            if (walker.layerType(i) == LayerType.IPV4 && walker.layerHeaderLength(i) >= 20) {
                verdict = InternetChecksum.ipv4Header(segment, walker.layerOffset(i), walker.layerHeaderLength(i))
                        .toString();
            }
            shape.add(walker.layerType(i) + " " + walker.layerOffset(i) + " " + verdict);
        }
        for (int i = 0; i < walker.layerCount(); i++) {
            Verdict verdict = InternetChecksum.of(walker, i);
            boolean isBoth = verdict == Verdict.CORRECT && isLeftToTheCard(walker, i);
            shape.add(isBoth ? "CORRECT PARTIAL" : verdict.toString());
        }
        IcmpError quote = new IcmpError();
        if (quote.find(walker) && quote.length() > 0) {
            byte[] quoted = Arrays.copyOfRange(bytes, (int) quote.offset(), (int) quote.offset() + quote.length());
            shape.addAll(shape(quoted, LinkType.RAW));
        }
        return shape;
    }

    /** What is left there may, once in 65,536 packets, be right by chance. */
    private static boolean isLeftToTheCard(PacketWalker walker, int i) {
        boolean isOffloaded = walker.layerType(i) == LayerType.TCP || walker.layerType(i) == LayerType.UDP;
        int at = isOffloaded ? ChecksumField.at(walker, i) : -1;
        return at >= 0
                && NetworkOrder.u16(walker.segment(), walker.layerOffset(i) + at)
                        == ChecksumField.pseudoHeader(walker, i);
    }

    /** What was right is right, and what was left to the card is left to it: by chance it may be both. */
    private static void assertSameShape(String about, List<String> after, List<String> before) {
        assertThat(after).as(about).hasSameSizeAs(before);
        for (int i = 0; i < before.size(); i++) {
            String was = before.get(i).replaceFirst("^CORRECT PARTIAL$", "CORRECT");
            boolean isBoth = after.get(i).equals("CORRECT PARTIAL") && "CORRECT PARTIAL".contains(was);
            assertThat(isBoth ? was : after.get(i)).as("%s: %s", about, after).isEqualTo(was);
        }
    }

    @Test
    void keepsTheShapeAndTheChecksumsOfAllKindsOfPackets() {
        int right = 0;
        for (GoldenFrame frame : GoldenFrame.all()) {
            byte[] before = frame.bytes();
            List<String> shape = shape(before, frame.linkType());
            if (frame.stop() == PacketWalker.Stop.TRUNCATED || frame.stop() == PacketWalker.Stop.MALFORMED) {
                continue; // a part of it is blanked
            }
            byte[] after = anonymized(before, frame.linkType());
            assertThat(shape(after, frame.linkType())).as(frame.name()).isEqualTo(shape);
            right += shape.contains(Verdict.CORRECT.toString()) ? 1 : 0;
        }
        assertThat(right).isGreaterThan(20);
    }

    @Test
    void changesEveryAddressOfEveryIpHeader() {
        PacketWalker walker = new PacketWalker();
        for (GoldenFrame frame : GoldenFrame.all()) {
            byte[] before = frame.bytes();
            MemorySegment was = GoldenFrame.segment(before);
            MemorySegment is = GoldenFrame.segment(anonymized(before, frame.linkType()));
            walker.walk(was, 0, before.length, before.length, frame.linkType());
            for (int i = 0; i < walker.layerCount(); i++) {
                long at = walker.layerOffset(i);
                if (walker.layerType(i) == LayerType.IPV4 && before.length - at >= 20) {
                    for (long address : new long[] {at + 12, at + 16}) {
                        assertThat(NetworkOrder.bits32(is, address))
                                .as(frame.name())
                                .isEqualTo(pan.ipv4(NetworkOrder.bits32(was, address)));
                    }
                } else if (walker.layerType(i) == LayerType.IPV6 && before.length - at >= 40) {
                    for (long address : new long[] {at + 8, at + 24}) {
                        pan.ipv6(NetworkOrder.bits64(was, address), NetworkOrder.bits64(was, address + 8));
                        assertThat(NetworkOrder.bits64(is, address)).isEqualTo(pan.high());
                        assertThat(NetworkOrder.bits64(is, address + 8)).isEqualTo(pan.low());
                    }
                }
            }
        }
    }

    /** ICMP port unreachable about a DNS query: the quoted header has its addresses and checksums, too. */
    @Test
    void changesWhatAnIcmpErrorQuotes() {
        String ethernet = "001122334455 66778899aabb 0800";
        // 192.0.2.1 > 198.51.100.7, ICMP 3/3; quoted 198.51.100.7:4000 > 192.0.2.1:53
        String ip = "4500 0038 0001 0000 4001 0000 c0000201 c6336407";
        String quote = "4500 0020 0002 0000 4011 0000 c6336407 c0000201 0fa0 0035 000c abcd";
        byte[] bytes = HexFormat.of().parseHex((ethernet + ip + "0303 0000 00000000" + quote).replace(" ", ""));
        MemorySegment segment = GoldenFrame.segment(bytes);
        NetworkOrder.putU16(segment, 14 + 20 + 8 + 10, InternetChecksum.ofIpv4Header(segment, 14 + 20 + 8, 20));
        NetworkOrder.putU16(segment, 14 + 10, InternetChecksum.ofIpv4Header(segment, 14, 20));
        NetworkOrder.putU16(segment, 14 + 22, ~InternetChecksum.sum(segment, 14 + 20, 36, 0) & 0xffff);
        byte[] before = segment.toArray(ValueLayout.JAVA_BYTE);

        byte[] after = anonymized(before, LinkType.ETHERNET);

        assertThat(shape(before, LinkType.ETHERNET)).contains("CORRECT");
        assertThat(shape(after, LinkType.ETHERNET)).isEqualTo(shape(before, LinkType.ETHERNET));
        MemorySegment is = GoldenFrame.segment(after);
        assertThat(NetworkOrder.bits32(is, 14 + 28 + 12)).isEqualTo(pan.ipv4(0xc6336407));
        assertThat(NetworkOrder.bits32(is, 14 + 28 + 16)).isEqualTo(pan.ipv4(0xc0000201));
        // the quoted UDP checksum follows the quoted addresses
        assertThat(NetworkOrder.u16(is, 14 + 28 + 26)).isNotEqualTo(0xabcd);
    }

    /** UDP-Lite that covers its header only, DCCP, and VRRP 3, of which the address it tells of is covered, too. */
    @ParameterizedTest
    @CsvSource({
        "136, c901c902000812340102030405060708",
        "33, c901c902040012340000000000000001",
        "112, 310164010064abcdc0000263"
    })
    void checksumsOfRareTransportsFollowTheAddresses(int protocol, String transport) {
        int length = 20 + transport.length() / 2;
        byte[] before = HexFormat.of()
                .parseHex(String.format("4500%04x00000000ff%02x0000c6336407c0000201%s", length, protocol, transport));
        byte[] after = anonymized(before, LinkType.RAW);
        assertThat(Arrays.copyOfRange(after, 12, 20)).isNotEqualTo(Arrays.copyOfRange(before, 12, 20));
        assertThat(sumFromAddressesOn(after)).isEqualTo(sumFromAddressesOn(before));
    }

    /** What a sender leaves to its network card: the card must find the sum of the new addresses there. */
    @ParameterizedTest
    @ValueSource(strings = {"udp", "tcpSyn", "tcp6", "vlanUdp6"})
    void aChecksumLeftToTheCardStaysToBeCompleted(String name) {
        GoldenFrame frame = GoldenFrame.of(name);
        PacketWalker walker = frame.walk();
        int transport = walker.transport();
        byte[] before = frame.bytes();
        MemorySegment segment = GoldenFrame.segment(before);
        int field = (int) walker.layerOffset(transport) + ChecksumField.at(walker, transport);
        NetworkOrder.putU16(segment, field, ChecksumField.pseudoHeader(walker, transport));
        byte[] left = segment.toArray(ValueLayout.JAVA_BYTE);
        for (int length = left.length; length > field + 2; length--) { // snapped, too
            byte[] cut = Arrays.copyOf(left, length);
            MemorySegment after = GoldenFrame.segment(cut);
            anonymizer.anonymize(after, 0, length, left.length, frame.linkType());
            walker.walk(after, 0, length, left.length, frame.linkType());
            if (walker.transport() == transport && walker.stop() == PacketWalker.Stop.COMPLETE) {
                assertThat(NetworkOrder.u16(after, field))
                        .as("%s cut to %d", name, length)
                        .isEqualTo(ChecksumField.pseudoHeader(walker, transport))
                        .isNotEqualTo(NetworkOrder.u16(segment, field));
            }
        }
    }

    private static int sumFromAddressesOn(byte[] packet) {
        return InternetChecksum.sum(GoldenFrame.segment(packet), 12, packet.length - 12L, 0);
    }

    /** Zeek's ipv6-mobility-dst-opts.pcap, packet 3: the length of the option is wrong, and the checksum covers it yet. */
    @Test
    void theChecksumOfAMobileNodeCoversItsHomeAddress() {
        byte[] before = HexFormat.of()
                .parseHex("ffffffffffff00000000000086dd60000000" + "00243c40200104f80004000702e081fffe52ffff"
                        + "200104f80004000702e081fffe529a6b" + "110201020000c901200100780001003200000000000000017530"
                        + "32c8000c43de58585858");
        assertThat(sumOfMobileUdp(before)).isEqualTo(0xffff);
        byte[] after = anonymized(before, LinkType.ETHERNET);
        assertThat(Arrays.copyOfRange(after, 62, 78)).isNotEqualTo(Arrays.copyOfRange(before, 62, 78));
        assertThat(sumOfMobileUdp(after)).isEqualTo(0xffff);
    }

    private static int sumOfMobileUdp(byte[] frame) {
        MemorySegment segment = GoldenFrame.segment(frame);
        int addresses = InternetChecksum.sum(segment, 62, 16, InternetChecksum.sum(segment, 38, 16, 0));
        int total = InternetChecksum.sum(segment, 78, 12, addresses) + 12 + 17;
        return (total & 0xffff) + (total >>> 16);
    }

    @Test
    void leavesTheUdpChecksumOutThatWasLeftOut() {
        byte[] bytes = GoldenFrame.of("udp").bytes();
        PacketWalker walker = GoldenFrame.of("udp").walk();
        int field = (int) walker.layerOffset(walker.transport()) + 6;
        bytes[field] = 0;
        bytes[field + 1] = 0;
        byte[] after = anonymized(bytes, LinkType.ETHERNET);
        assertThat(after[field]).isZero();
        assertThat(after[field + 1]).isZero();
    }

    @Test
    void isOneToOneSoThatConversationsStay() {
        byte[] frame = GoldenFrame.of("udp").bytes();
        Set<String> others = new HashSet<>();
        for (int i = 0; i < 256; i++) {
            frame[26 + 3] = (byte) i;
            others.add(Arrays.toString(Arrays.copyOfRange(anonymized(frame, LinkType.ETHERNET), 26, 30)));
        }
        assertThat(others).hasSize(256);
        assertThat(others.stream().map(text -> text.replaceFirst(",[^,]*$", "")).distinct())
                .hasSize(1);
    }

    @Test
    void leavesMacAddressesWhereTheyAreNotAskedFor() {
        byte[] frame = GoldenFrame.of("udp").bytes();
        MemorySegment segment = GoldenFrame.segment(frame);
        new PacketAnonymizer(pan, false).anonymize(segment, 0, frame.length, frame.length, LinkType.ETHERNET);
        assertThat(Arrays.copyOf(segment.toArray(ValueLayout.JAVA_BYTE), 12)).isEqualTo(Arrays.copyOf(frame, 12));
    }

    @Test
    void leavesNothingOfAnAddressThatWasCutThrough() {
        for (String name : List.of("udp", "tcp6", "arp")) {
            GoldenFrame golden = GoldenFrame.of(name);
            byte[] frame = golden.bytes();
            for (int length = 15; length < Math.min(frame.length, 54); length++) {
                byte[] cut = Arrays.copyOf(frame, length);
                byte[] after = anonymized(cut, golden.linkType());
                PacketWalker walker = new PacketWalker();
                walker.walk(GoldenFrame.segment(cut), 0, length, frame.length, golden.linkType());
                if (walker.stop() == PacketWalker.Stop.TRUNCATED && walker.layerCount() == 1) {
                    assertThat(Arrays.copyOfRange(after, 14, length))
                            .as(name + " cut to " + length)
                            .containsOnly(0);
                }
            }
        }
        assertThat(anonymizer.packetsBlanked()).isGreaterThan(20);
    }

    /** A router advertisement with a prefix and a link-layer address. */
    @Test
    void leavesNothingOfAnAddressInAnOptionThatWasCutThrough() {
        byte[] whole = HexFormat.of()
                .parseHex("6000000000383aff" + "fe80000000000000020000fffe000001" + "ff020000000000000000000000000001"
                        + "8600000040000708" + "0000000000000000"
                        + "030440c0" + "0000ffff0000ffff00000000" + "20010db8111122220000000000000000"
                        + "0101aabbccddeeff");
        int prefix = 72;
        int mac = 90;
        for (int length = prefix + 1; length < whole.length; length++) {
            MemorySegment cut = GoldenFrame.segment(Arrays.copyOf(whole, length));
            anonymizer.anonymize(cut, 0, length, whole.length, LinkType.RAW);
            byte[] after = cut.toArray(ValueLayout.JAVA_BYTE);
            if (length < prefix + 16) {
                assertThat(Arrays.copyOfRange(after, prefix, length))
                        .as("prefix cut to " + length)
                        .containsOnly(0);
            } else if (length > mac) {
                assertThat(Arrays.copyOfRange(after, mac, length))
                        .as("MAC cut to " + length)
                        .containsOnly(0);
            }
        }
    }

    /** An authentication header of a length that cannot be, GRE of a version that is none: what they carry is not found. */
    @ParameterizedTest
    @ValueSource(strings = {"33 0400000000000001", "2f 00030800"})
    void leavesNothingOfAPacketInATunnelThatCannotBe(String tunnel) {
        String inner =
                "4500001c00000000401100000a0000010a00000200010002000800004500001c00000000401100000a0000010a000002";
        String header = tunnel.substring(3);
        int length = 20 + (header.length() + inner.length()) / 2;
        byte[] before = HexFormat.of()
                .parseHex(String.format(
                        "4500%04x00000000ff%s0000c6336407c0000201%s%s", length, tunnel.substring(0, 2), header, inner));
        byte[] after = anonymized(before, LinkType.RAW);
        assertThat(Arrays.copyOfRange(after, 20, length)).containsOnly(0);
        assertThat(anonymizer.packetsBlanked()).isEqualTo(1);
    }

    @Test
    void staysWithinThePacketWhateverIsInIt() {
        Random random = new Random(20_261_121);
        List<GoldenFrame> frames = GoldenFrame.all();
        for (int round = 0; round < 60_000; round++) {
            GoldenFrame frame = frames.get(random.nextInt(frames.size()));
            byte[] bytes = frame.bytes();
            for (int i = random.nextInt(5); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            int length = random.nextInt(3) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
            MemorySegment segment = Arena.ofAuto().allocate(length + 32L).fill((byte) 0x5a);
            MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 16, length);
            int linkType = random.nextInt(20) == 0 ? random.nextInt(300) : frame.linkType();
            anonymizer.anonymize(segment, 16, length, bytes.length, linkType);
            for (int i = 0; i < 16; i++) {
                assertThat(segment.get(ValueLayout.JAVA_BYTE, i))
                        .as("round " + round)
                        .isEqualTo((byte) 0x5a);
                assertThat(segment.get(ValueLayout.JAVA_BYTE, 16L + length + i)).isEqualTo((byte) 0x5a);
            }
        }
    }

    @Test
    void keepsTheShapeOfThePacketsInPublicCaptures() throws IOException {
        Path folder = Path.of("../../../shared/captures").toAbsolutePath().normalize();
        assumeTrue(Files.isDirectory(folder), "no captures beside the project");
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(file -> file.toString().matches(".*\\.(pcap|pcapng|cap)"))
                    .sorted()
                    .toList();
        }
        long[] checked = new long[2];
        for (Path file : files) {
            CaptureFrames.read(file, (number, segment, offset, captured, wire, linkType) -> {
                if (number > 300) {
                    return;
                }
                byte[] before = segment.asSlice(offset, captured).toArray(ValueLayout.JAVA_BYTE);
                PacketWalker walker = new PacketWalker();
                walker.walk(segment, offset, captured, wire, linkType);
                byte[] after = anonymized(before, linkType);
                if (walker.stop() == PacketWalker.Stop.COMPLETE && !walker.isSnapped()) {
                    assertSameShape(file + " " + number, shape(after, linkType), shape(before, linkType));
                    checked[0]++;
                    checked[1] += InternetChecksum.transport(walker) == Verdict.CORRECT ? 1 : 0;
                }
            });
        }
        assertThat(checked[0]).isGreaterThan(40_000);
        assertThat(checked[1]).isGreaterThan(20_000);
    }
}
