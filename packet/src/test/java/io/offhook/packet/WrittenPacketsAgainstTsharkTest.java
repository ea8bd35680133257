package io.offhook.packet;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
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
        var segment = GoldenFrame.segment(sample.bytes());
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
        byte[] bytes = segment.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        return new WrittenSample(sample.name(), sample.linkType(), sample.layers(), bytes);
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
        assertThat(fields[2].toLowerCase(java.util.Locale.ROOT))
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
        assumeTrue(Files.isExecutable(TSHARK), "skipped: there is no " + TSHARK);
        List<String> command = new ArrayList<>(List.of(TSHARK.toString(), "-n", "-r", file.toString()));
        for (String option : List.of(
                "ip.check_checksum:TRUE",
                "tcp.check_checksum:TRUE",
                "udp.check_checksum:TRUE",
                "sctp.checksum:CRC 32c")) {
            command.addAll(List.of("-o", option));
        }
        command.addAll(List.of("-T", "fields", "-E", "separator=|", "-E", "occurrence=a"));
        command.addAll(List.of("-e", "frame.protocols", "-e", "_ws.malformed", "-e", "_ws.expert.message"));
        for (String protocol : CHECKSUMS) {
            command.addAll(List.of("-e", protocol + ".checksum.status"));
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
