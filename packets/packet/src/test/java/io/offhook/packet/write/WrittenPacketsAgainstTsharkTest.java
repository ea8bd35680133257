package io.offhook.packet.write;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.checksum.ChecksumField;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.edit.CryptoPan;
import io.offhook.packet.edit.CryptoPanTest;
import io.offhook.packet.edit.PacketAnonymizer;
import io.offhook.packet.edit.PacketEditor;
import io.offhook.packet.link.VlanTag;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.tunnel.GreView;
import io.offhook.packet.walk.GoldenFrame;
import io.offhook.packet.walk.PacketWalker;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Has tshark read what was written and edited, with every checksum checked. Skipped where there is none. */
class WrittenPacketsAgainstTsharkTest {
    private static final Path TSHARK = Path.of("/usr/bin/tshark");
    private static final List<String> CHECKSUMS = List.of("ip", "tcp", "udp", "icmp", "icmpv6", "sctp", "gre");

    @TempDir
    Path folder = Path.of("");

    @Test
    void readsEveryWrittenPacketWithoutAComplaint() throws Exception {
        readsWithoutComplaint(WrittenSample.all());
    }

    @Test
    void readsEveryEditedPacketWithoutAComplaint() throws Exception {
        List<WrittenSample> edited = WrittenSample.all().stream()
                .map(WrittenPacketsAgainstTsharkTest::edited)
                .toList();
        readsWithoutComplaint(edited);
    }

    @Test
    void readsEveryAnonymizedPacketWithoutAComplaint() throws Exception {
        readsWithoutComplaint(WrittenSample.all().stream()
                .map(WrittenPacketsAgainstTsharkTest::anonymized)
                .toList());
    }

    @Test
    void readsEveryTaggedPacketWithoutAComplaint() throws Exception {
        readsWithoutComplaint(WrittenSample.all().stream()
                .filter(sample -> sample.linkType() == LinkType.ETHERNET)
                .map(WrittenPacketsAgainstTsharkTest::tagged)
                .toList());
    }

    /** What was left to a card, edited and anonymized before, is right once a card completes it. */
    @Test
    void readsEveryCompletedPacketWithoutAComplaint() throws Exception {
        readsWithoutComplaint(WrittenSample.all().stream()
                .map(WrittenPacketsAgainstTsharkTest::offloaded)
                .toList());
    }

    /** Checksums that the writer does not know, made by the editor: tshark agrees, and not with others. */
    @Test
    void readsEveryChecksumThatTheEditorMakesWithoutAComplaint() throws Exception {
        List<String> statuses = List.of(
                "udp.checksum.status",
                "dccp.checksum.status",
                "igmp.checksum.status",
                "vrrp.checksum.status",
                "pim.cksum.status");
        List<WrittenSample> samples = recomputed();
        Path file = folder.resolve("recomputed.pcap");
        Files.write(file, pcap(LinkType.RAW, samples));
        List<String> lines = run(file, statuses);
        assertThat(lines).hasSameSizeAs(samples);
        for (int i = 0; i < lines.size(); i++) {
            assertThat(isAccepted(lines.get(i)))
                    .as("%s: %s", samples.get(i), lines.get(i))
                    .isTrue();
        }
        List<WrittenSample> damaged =
                samples.stream().map(WrittenPacketsAgainstTsharkTest::damaged).toList();
        Files.write(file, pcap(LinkType.RAW, damaged));
        lines = run(file, statuses);
        for (int i = 0; i < lines.size(); i++) {
            assertThat(isAccepted(lines.get(i)))
                    .as("%s, damaged: %s", samples.get(i), lines.get(i))
                    .isFalse();
        }
    }

    /** Whether all checksums that tshark tells of are good, or absent, and there is no complaint. */
    private static boolean isAccepted(String line) {
        String[] fields = line.split("\\|", -1);
        boolean isComplaint =
                !fields[1].isEmpty() || fields[2].toLowerCase(Locale.ROOT).contains("checksum");
        return !isComplaint
                && Arrays.stream(fields, 3, fields.length)
                        .flatMap(status -> Stream.of(status.split(",", -1)))
                        .allMatch(status -> status.isEmpty() || status.equals("1") || status.equals("3"));
    }

    private static List<WrittenSample> recomputed() {
        String payload = "48656c6c6f20776f726c6421 05";
        List<WrittenSample> samples = new ArrayList<>();
        for (String coverage : List.of("0000", "0008", "000b", "000c", "0015")) {
            samples.add(recomputed("udplite " + coverage, 136, "c901 c902" + coverage + "0000" + payload));
            samples.add(recomputed6("udplite6 " + coverage, 136, "c901 c902" + coverage + "0000" + payload));
        }
        for (String coverage : List.of("00", "01", "02", "04")) {
            String dccp = "c901 c902 04" + coverage + "0000 05 00 000000000001" + payload;
            samples.add(recomputed("dccp " + coverage, 33, dccp));
            samples.add(recomputed6("dccp6 " + coverage, 33, dccp));
        }
        samples.add(recomputed("igmp", 2, "16 00 0000 e0000105"));
        samples.add(recomputed("pim hello", 103, "20 00 0000 0001 0002 0069 0014 0004 01020304"));
        String quoted = "4500 001c 0000 0000 4011 f6c5 c0000201 c6336402 1388 1389 0008 0000";
        samples.add(recomputed("pim register", 103, "21 00 0000 00000000" + quoted));
        samples.add(recomputed6("pim6 hello", 103, "20 00 0000 0001 0002 0069 0014 0004 01020304"));
        samples.add(recomputed6("pim6 register", 103, "21 00 0000 00000000" + quoted));
        samples.add(recomputed("vrrp 2", 112, "21 01 64 01 00 01 0000 c0000263 0000000000000000"));
        samples.add(recomputed("vrrp 3", 112, "31 01 64 01 0064 0000 c0000263"));
        samples.add(recomputed6("vrrp6", 112, "31 01 64 01 0064 0000 fe800000000000000000000000000001"));
        return samples;
    }

    private static WrittenSample recomputed(String name, int protocol, String hex) {
        return recomputed(WrittenSample.of(
                name,
                LinkType.RAW,
                "",
                w -> w.ipv4(
                                WrittenSample.A,
                                WrittenSample.B,
                                ip -> ip.protocol(protocol).ttl(255))
                        .payload(WrittenSample.hex(hex))));
    }

    private static WrittenSample recomputed6(String name, int protocol, String hex) {
        return recomputed(WrittenSample.of(
                name,
                LinkType.RAW,
                "",
                w -> w.ipv6(
                                WrittenSample.A6,
                                1,
                                WrittenSample.B6,
                                2,
                                ip -> ip.nextHeader(protocol).hopLimit(255))
                        .payload(WrittenSample.hex(hex))));
    }

    /** Its checksum is made, then kept through edits. */
    private static WrittenSample recomputed(WrittenSample sample) {
        int length = sample.bytes().length;
        MemorySegment segment = GoldenFrame.segment(sample.bytes());
        int field = checksumOf(sample);
        NetworkOrder.putU16(segment, field, 0x5a5a); // UDP-Lite may not leave it out, and one of 0 is left alone
        PacketWalker walker = new PacketWalker();
        walker.walk(segment, 0, length, length, sample.linkType());
        PacketEditor editor = new PacketEditor();
        editor.edit(walker);
        assertThat(editor.recompute()).isZero();
        assertThat(InternetChecksum.of(walker, 1)).as(sample.name()).isEqualTo(InternetChecksum.Verdict.CORRECT);
        boolean isIpv4 = walker.layerType(0) == LayerType.IPV4;
        editor.sourceAddress(isIpv4 ? 0 : 0x2001_0db8_1234_5678L, isIpv4 ? 0xffff_0a01_0203L : 99);
        editor.sourcePort(50_123);
        if (!sample.name().contains("register")) { // whose packet has checksums of its own
            editor.u8(length - 1, 0xa5);
            editor.u16(length - 3L, 0xbeef);
        }
        return sample.with(segment.toArray(ValueLayout.JAVA_BYTE));
    }

    private static int checksumOf(WrittenSample sample) {
        PacketWalker walker = new PacketWalker();
        int length = sample.bytes().length;
        walker.walk(GoldenFrame.segment(sample.bytes()), 0, length, length, sample.linkType());
        return (int) walker.layerOffset(1) + ChecksumField.at(walker, 1);
    }

    private static WrittenSample damaged(WrittenSample sample) {
        byte[] bytes = sample.bytes().clone();
        bytes[checksumOf(sample)] ^= 0x11;
        return sample.with(bytes);
    }

    @Test
    void hasEveryLayerThatCanBeWritten() {
        Set<String> written = WrittenSample.all().stream()
                .flatMap(sample -> Stream.of(sample.written().split(" ")))
                .collect(Collectors.toSet());
        assertThat(written)
                .isEqualTo(Stream.of(WrittenLayer.values())
                        .map(WrittenLayer::label)
                        .collect(Collectors.toSet()));
    }

    /** That the above could fail: each checksum, given a wrong value, is complained of. */
    @Test
    void isToldOfEveryWrongChecksum() throws Exception {
        Map<String, UnaryOperator<PacketWriter>> wrong = Map.of(
                "ip", w -> w.ipv4(1, 2).checksum(1).udp(50_000, 50_001),
                "tcp", w -> w.ipv4(1, 2).tcp(50_000, 50_001, 1, 2, TcpView.ACK).checksum(1),
                "udp", w -> w.ipv4(1, 2).udp(50_000, 50_001).checksum(1),
                "icmp", w -> w.ipv4(1, 2).icmp(8, 0, 1).checksum(1),
                "icmpv6", w -> w.ipv6(1, 2, 3, 4).icmpv6(128, 0, 1).checksum(1),
                "sctp",
                        w -> w.ipv4(1, 2)
                                .sctp(50_000, 50_001, 1)
                                .checksum(1)
                                .sctpData(1, 2, 3, 4)
                                .u32(5),
                "gre", w -> w.ipv4(1, 2).gre(GreView.CHECKSUM, 0, 0).checksum(1).ipv4(3, 4));
        List<WrittenSample> samples = CHECKSUMS.stream()
                .map(name -> WrittenSample.of(name, LinkType.RAW, "", requireNonNull(wrong.get(name))))
                .toList();
        Path file = folder.resolve("wrong.pcap");
        Files.write(file, pcap(LinkType.RAW, samples));
        List<String> lines = run(file);
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.get(i).split("\\|", -1)[3 + i])
                    .as(samples.get(i).name())
                    .startsWith("0");
        }
        assertThat(lines).hasSameSizeAs(samples);
    }

    private static WrittenSample edited(WrittenSample sample) {
        MemorySegment segment = GoldenFrame.segment(sample.bytes());
        PacketWalker walker = new PacketWalker();
        walker.walk(segment, 0, sample.bytes().length, sample.bytes().length, sample.linkType());
        PacketEditor editor = new PacketEditor();
        editor.edit(walker);
        boolean isIpv4 = walker.network() >= 0 && walker.layerType(walker.network()) == LayerType.IPV4;
        boolean isNeighbor = walker.indexOf(LayerType.ICMPV6) >= 0; // its hop limit must be 255
        editor.sourceAddress(isIpv4 ? 0 : 0x2001_0db8_1234_5678L, isIpv4 ? 0xffff_0a01_0203L : 99);
        editor.sourcePort(50_123);
        editor.ttl(isNeighbor ? 255 : 77);
        editor.dscp(10);
        editor.vlanId(5);
        editor.ethernet(0x0200_0000_00aaL, 0x0200_0000_00bbL);
        byte[] bytes = segment.toArray(ValueLayout.JAVA_BYTE);
        return sample.with(bytes);
    }

    /** With a tag pushed, or the outermost one popped. */
    private static WrittenSample tagged(WrittenSample sample) {
        int length = sample.bytes().length;
        MemorySegment segment = Arena.ofAuto().allocate(length + 4L);
        MemorySegment.copy(sample.bytes(), 0, segment, ValueLayout.JAVA_BYTE, 4, length);
        long start = VlanTag.pop(segment, 4, length);
        start = start == 4 ? VlanTag.push(segment, 4, length, VlanTag.CUSTOMER, 77, 3, false) : start;
        return sample.with(segment.asSlice(start).toArray(ValueLayout.JAVA_BYTE));
    }

    private static WrittenSample anonymized(WrittenSample sample) {
        MemorySegment segment = GoldenFrame.segment(sample.bytes());
        int length = sample.bytes().length;
        new PacketAnonymizer(new CryptoPan(CryptoPanTest.sampleKey()), true)
                .anonymize(segment, 0, length, length, sample.linkType());
        return sample.with(segment.toArray(ValueLayout.JAVA_BYTE));
    }

    /** As a capture on the sending host has it, then edited, then completed as a card does. */
    private static WrittenSample offloaded(WrittenSample sample) {
        MemorySegment segment = GoldenFrame.segment(sample.bytes());
        int length = sample.bytes().length;
        PacketWalker walker = new PacketWalker();
        walker.walk(segment, 0, length, length, sample.linkType());
        int i = walker.transport();
        boolean isOffloaded = i >= 0
                && (walker.layerType(i) == LayerType.TCP || walker.layerType(i) == LayerType.UDP)
                && walker.count(LayerType.IPV4) + walker.count(LayerType.IPV6) == 1;
        if (!isOffloaded) {
            return sample;
        }
        long header = walker.layerOffset(i);
        long field = header + ChecksumField.at(walker, i);
        NetworkOrder.putU16(segment, field, ChecksumField.pseudoHeader(walker, i));
        PacketEditor editor = new PacketEditor();
        editor.edit(walker);
        boolean isIpv4 = walker.layerType(walker.network()) == LayerType.IPV4;
        editor.sourceAddress(isIpv4 ? 0 : 0x2001_0db8_1234_5678L, isIpv4 ? 0xffff_0a01_0203L : 99);
        editor.sourcePort(50_123);
        new PacketAnonymizer(new CryptoPan(CryptoPanTest.sampleKey()), false)
                .anonymize(segment, 0, length, length, sample.linkType());
        NetworkOrder.putU16(segment, field, ~InternetChecksum.sum(segment, header, walker.layerLength(i), 0) & 0xffff);
        return sample.with(segment.toArray(ValueLayout.JAVA_BYTE));
    }

    private void readsWithoutComplaint(List<WrittenSample> samples) throws IOException, InterruptedException {
        Map<Integer, List<WrittenSample>> byLinkType =
                samples.stream().collect(Collectors.groupingBy(WrittenSample::linkType));
        int[] good = new int[CHECKSUMS.size()];
        for (Map.Entry<Integer, List<WrittenSample>> entry : byLinkType.entrySet()) {
            Path file = folder.resolve("written-" + entry.getKey() + ".pcap");
            Files.write(file, pcap(entry.getKey(), entry.getValue()));
            List<String> lines = run(file);
            assertThat(lines).hasSameSizeAs(entry.getValue());
            for (int i = 0; i < lines.size(); i++) {
                accept(lines.get(i), entry.getValue().get(i), good);
            }
        }
        for (int i = 0; i < good.length; i++) {
            assertThat(good[i]).as("good checksums of %s", CHECKSUMS.get(i)).isPositive();
        }
        assertThat(Arrays.stream(good).sum()).isGreaterThan(70);
    }

    /** @param good counts the good checksums of each protocol */
    private static void accept(String line, WrittenSample sample, int[] good) {
        String[] fields = line.split("\\|", -1);
        assertThat(fields[0]).as("protocols of %s: %s", sample, line).doesNotContain("malformed");
        assertThat(fields[1]).as("malformed %s: %s", sample, line).isEmpty();
        assertThat(fields[2].toLowerCase(Locale.ROOT))
                .as("%s: %s", sample, line)
                .doesNotContain("checksum")
                .doesNotContain("bogus")
                .doesNotContain("length");
        List<String> ours = ours(sample.layers());
        List<String> theirs = protocolsOf(fields[0]); // which go on with what an ICMP error quotes
        boolean isError = sample.layers().contains("icmp,") && theirs.size() > ours.size();
        assertThat(isError ? theirs.subList(0, ours.size()) : theirs).as(line).isEqualTo(ours);
        for (int i = 0; i < CHECKSUMS.size(); i++) {
            String protocol = CHECKSUMS.get(i);
            boolean mayBeAbsent = protocol.equals("udp") || protocol.equals("gre");
            for (String status : fields[3 + i].split(",", -1)) {
                boolean isGood = status.equals("1");
                assertThat(isGood || status.isEmpty() || mayBeAbsent && status.equals("3"))
                        .as("%s checksum of %s: %s", protocol, sample, line)
                        .isTrue();
                good[i] += isGood ? 1 : 0;
            }
        }
    }

    /** IP and transport, as tshark names the layers: enough to see that it found the same packet. */
    private static List<String> protocolsOf(String protocols) {
        return Arrays.stream(protocols.split(":"))
                .filter(List.of("ip", "ipv6", "tcp", "udp", "sctp", "icmp", "icmpv6", "gre", "arp")::contains)
                .toList();
    }

    private static List<String> ours(String layers) {
        return Arrays.stream(layers.split(","))
                .map(layer -> layer.equals("ipv4") ? "ip" : layer)
                .filter(List.of("ip", "ipv6", "tcp", "udp", "sctp", "icmp", "icmpv6", "gre", "arp")::contains)
                .toList();
    }

    private static byte[] pcap(int linkType, List<WrittenSample> samples) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(0xa1b2c3d4);
            out.writeInt(0x0002_0004);
            out.writeLong(0);
            out.writeInt(65_535);
            out.writeInt(linkType);
            for (int i = 0; i < samples.size(); i++) {
                out.writeInt(1_600_000_000 + i);
                out.writeInt(0);
                out.writeInt(samples.get(i).bytes().length);
                out.writeInt(samples.get(i).bytes().length);
                out.write(samples.get(i).bytes());
            }
        }
        return bytes.toByteArray();
    }

    private static List<String> run(Path file) throws IOException, InterruptedException {
        return run(
                file, CHECKSUMS.stream().map(name -> name + ".checksum.status").toList());
    }

    private static List<String> run(Path file, List<String> statuses) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(TSHARK), "skipped: there is no " + TSHARK);
        List<String> command = new ArrayList<>(List.of(TSHARK.toString(), "-n", "-r", file.toString()));
        for (String option : List.of(
                "ip.check_checksum:TRUE",
                "tcp.check_checksum:TRUE",
                "udp.check_checksum:TRUE",
                "udplite.check_checksum:TRUE",
                "sctp.checksum:CRC 32c")) {
            command.addAll(List.of("-o", option));
        }
        command.addAll(List.of("-T", "fields", "-E", "separator=|", "-E", "occurrence=a"));
        command.addAll(List.of("-e", "frame.protocols", "-e", "_ws.malformed", "-e", "_ws.expert.message"));
        for (String status : statuses) {
            command.addAll(List.of("-e", status));
        }
        Path complaints = file.resolveSibling("complaints");
        Process process =
                new ProcessBuilder(command).redirectError(complaints.toFile()).start();
        try (var output = process.getInputStream()) {
            List<String> lines = new String(output.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(complaints)).isZero();
            return lines;
        }
    }
}
