package io.offhook.cli.rewrite;

import static io.offhook.cli.Offhook.done;
import static io.offhook.cli.rewrite.WrittenFiles.names;
import static io.offhook.cli.rewrite.WrittenFiles.packets;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Captures;
import io.offhook.cli.Json;
import io.offhook.cli.Main;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.rewrite.WrittenFiles.Packet;
import io.offhook.cli.terminal.Terminal;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.packet.write.PacketWriter;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.pcap.file.PcapNgBlockWriter;
import io.offhook.pcap.file.PcapNgOptions;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import io.offhook.testkit.traffic.CaptureWriter;
import io.offhook.testkit.truth.Csv;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** convert and merge, as they are typed, and the options that split shares with them. */
class RewriteCommandsTest {
    @TempDir
    static Path office;

    @TempDir
    Path folder;

    private static String pcap = "";
    private static String pcapNg = "";

    @BeforeAll
    static void writeCaptures() {
        pcap = Captures.write(Captures.office().capture(), office, "office.pcap");
        pcapNg =
                Captures.write(Captures.office().capture(CaptureWriter.pcapng().dropped(930)), office, "office.pcapng");
    }

    private static CaptureFormat format(Path file) {
        try (CaptureFileSource source = CaptureFiles.open(file.toString())) {
            return Objects.requireNonNull(source.files().getFirst().format());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a.pcapng, PCAPNG, NONE",
        "a.pcap, PCAP, NONE",
        "a.cap, PCAP, NONE",
        "a, PCAPNG, NONE",
        "a.PCAP.GZ, PCAP, GZIP",
        "a.pcapng.zst, PCAPNG, ZSTD"
    })
    void fileNameSelectsTheFormat(String name, CaptureFormat format, CaptureCompression compression) {
        Path target = folder.resolve(name);
        String out = done("convert", pcap, "-w", target.toString()).out();
        assertThat(packets(target)).isEqualTo(packets(Path.of(pcap)));
        assertThat(format(target)).isEqualTo(format);
        assertThat(out)
                .startsWith(Words.count(packets(target).size(), "packet") + " written to " + target + " ("
                        + format.label() + ", ");
        try (CaptureFileSource source = CaptureFiles.open(target.toString())) {
            assertThat(source.files().getFirst().compression()).isEqualTo(compression);
        }
        assertThat(names(folder)).containsExactly(name);
    }

    @Test
    void optionsOverrideTheFileName() {
        Path target = folder.resolve("a.pcap");
        done("convert", pcapNg, "-w", target.toString(), "--to", "pcapng", "--compress", "gzip");
        assertThat(format(target)).isEqualTo(CaptureFormat.PCAPNG);
        done("convert", pcapNg, "-w", target.toString(), "--to", "nsecpcap");
        assertThat(format(target)).isEqualTo(CaptureFormat.PCAP_NANOSECOND);
    }

    @Test
    void aCopyOfPcapNgIsTheSameByteForByte() throws IOException {
        Path target = folder.resolve("a.pcapng");
        done("convert", pcapNg, "-w", target.toString());
        assertThat(Files.readAllBytes(target)).isEqualTo(Files.readAllBytes(Path.of(pcapNg)));
    }

    @Test
    void readsAndWritesStandardStreams() throws IOException {
        byte[] file = Files.readAllBytes(Path.of(pcapNg));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = new Offhook().input(file).terminal(out, err);
        assertThat(Main.run(new String[] {"convert", "-", "-w", "-"}, terminal)).isZero();
        assertThat(out.toByteArray()).isEqualTo(file);
        assertThat(err.size()).isZero();
    }

    @Test
    void cutsByNumberCountAndTime() {
        List<Packet> all = packets(Path.of(pcap));
        Path target = folder.resolve("a.pcapng");
        String out = done("convert", pcap, "-w", target.toString(), "--frames", "3-5,10,4-6")
                .out();
        assertThat(packets(target)).containsExactly(all.get(2), all.get(3), all.get(4), all.get(5), all.get(9));
        assertThat(out).startsWith("5 of 10 packets written to ");
        done("convert", pcap, "-w", target.toString(), "--count", "7");
        assertThat(packets(target)).isEqualTo(all.subList(0, 7));
        String since = Times.epoch(all.get(20).timestampNs());
        String until = Times.epoch(all.get(30).timestampNs());
        done("convert", pcap, "-w", target.toString(), "--since", since, "--until", until);
        long first = all.get(20).timestampNs();
        long last = all.get(30).timestampNs();
        assertThat(packets(target))
                .isEqualTo(all.stream()
                        .filter(packet -> packet.timestampNs() >= first && packet.timestampNs() <= last)
                        .toList())
                .hasSizeGreaterThanOrEqualTo(11);
    }

    @Test
    void shortensPackets() {
        Path target = folder.resolve("a.pcap");
        done("convert", pcap, "-w", target.toString(), "--snap-length", "60");
        assertThat(packets(target)).allMatch(packet -> packet.bytes().length() <= 120);
        assertThat(packets(target))
                .extracting(Packet::wireLength)
                .isEqualTo(
                        packets(Path.of(pcap)).stream().map(Packet::wireLength).toList());
        done("convert", pcap, "-w", target.toString(), "--headers-only");
        String text = new String(
                HexFormat.of()
                        .parseHex(String.join(
                                "", packets(target).stream().map(Packet::bytes).toList())),
                StandardCharsets.ISO_8859_1);
        assertThat(text).doesNotContain("SIP/2.0").doesNotContain("INVITE");
        assertThat(packets(target)).allMatch(packet -> packet.bytes().length() == 2 * 42);
    }

    @Test
    void keyFileYieldsTheSameAddressesAgain() throws IOException {
        Path key = Files.writeString(folder.resolve("key"), "00112233445566778899aabbccddeeff\n".repeat(2));
        Path one = folder.resolve("one.pcapng");
        Path other = folder.resolve("other.pcapng");
        String out = done("convert", pcap, "-w", one.toString(), "--anonymise", key.toString())
                .out();
        assertThat(out)
                .contains("Addresses changed in " + Words.count(packets(one).size(), "packet") + ".\n")
                .contains(
                        "Payloads (SIP, DNS, DHCP...) still hold addresses and names; --headers-only leaves them out.");
        done("convert", pcap, "-w", other.toString(), "--anonymise", key.toString());
        assertThat(packets(one)).isEqualTo(packets(other));
        done("convert", pcap, "-w", other.toString(), "--anonymize", "random", "--anonymise-macs");
        assertThat(packets(one)).isNotEqualTo(packets(other)).hasSameSizeAs(packets(other));
        Set<Long> before = addresses(Path.of(pcap));
        Set<Long> after = addresses(one);
        assertThat(after).hasSameSizeAs(before).doesNotContainAnyElementsOf(before);
    }

    @Test
    void anonymisingRemovesNamesCommentsAndSecrets() throws IOException {
        Path named = folder.resolve("named.pcapng");
        try (Arena arena = Arena.ofConfined();
                PcapNgBlockWriter out = PcapNgBlockWriter.create(named)) {
            MemorySegment memory = arena.allocate(200);
            int length = new PacketWriter()
                    .begin(memory, 0)
                    .ethernet(0x020000000001L, 0x020000000002L)
                    .ipv4(0xc0000201L, 0xc6336402L)
                    .udp(9, 9)
                    .zeros(10)
                    .finish();
            out.section(new PcapNgOptions().comment("of Alice").text(4, "a program"));
            out.interfaceDescription(
                    LinkType.ETHERNET,
                    0,
                    new PcapNgOptions()
                            .text(2, "eth0")
                            .bytes(4, new byte[] {(byte) 192, 0, 2, 1, (byte) 255, (byte) 255, (byte) 255, 0})
                            .u8(9, 9)
                            .text(11, "host alice.example"));
            out.names(new PcapNgOptions().bytes(1, new byte[] {(byte) 192, 0, 2, 1, 'a', 0}), new PcapNgOptions());
            out.secrets(0x544c534b, "SECRET".getBytes(StandardCharsets.US_ASCII), new PcapNgOptions());
            out.packet(0, 7, memory, 0, length, length, new PcapNgOptions().comment("Alice again"));
            out.statistics(0, 8, new PcapNgOptions().bits64(5, 3));
        }
        Path target = folder.resolve("a.pcapng");
        String out = done("convert", named.toString(), "-w", target.toString(), "--anonymise", "random")
                .out();
        assertThat(out)
                .contains(
                        "2 blocks left out, for which there is no place in what was written, or which may tell addresses")
                .contains("4 options left out, which must or can not be copied, or which may tell addresses");
        assertThat(new String(Files.readAllBytes(target), StandardCharsets.ISO_8859_1))
                .contains("a program")
                .contains("eth0")
                .doesNotContainIgnoringCase("alice")
                .doesNotContain("SECRET")
                .doesNotContain("\u00c0\u0000\u0002\u0001");
        try (CaptureFileSource source = CaptureFiles.open(target.toString())) {
            source.next(new FrameBatch(10));
            assertThat(source.losses()).hasSize(1);
            assertThat(source.interfaces().getFirst().timestampUnitsPerSecond()).isEqualTo(1_000_000_000);
        }
    }

    private static Set<Long> addresses(Path file) {
        Set<Long> addresses = new TreeSet<>();
        PacketWalker walker = new PacketWalker();
        try (CaptureFileSource source = CaptureFiles.open(file.toString())) {
            FrameBatch batch = new FrameBatch(500);
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    walker.walk(
                            batch.segmentOf(i),
                            batch.offset(i),
                            batch.capturedLength(i),
                            batch.wireLength(i),
                            batch.linkType(i));
                    addresses.add(walker.sourceLow());
                    addresses.add(walker.destinationLow());
                }
            }
        }
        return addresses;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "convert                      | -w FILE is missing: the file to write",
                "convert -w no/such/dir/a     | does not exist",
                "convert -w a --frames 0      | --frames 0 is empty; packets are numbered from 1",
                "convert -w a --frames x      | --frames x is not a range; examples: 17, 1-10, 100-",
                "convert -w a --count -1      | --count -1 is outside 0 to",
                "convert -w a --anonymise nokey | --anonymise nokey: there is no such key file; to generate a key, use random",
                "convert -w a --anonymise-macs | --anonymise-macs requires --anonymise, which names the key",
                "convert -w - --format json   | -w - writes to standard output; omit --format, or name a file",
                "convert -w a --to snoop      | --to snoop is not one of pcap, nsecpcap, pcapng",
                "split -w a                   | one of --packets, --bytes, --seconds and --per is required",
                "split -w a --per call --count 3 | --count cannot be combined with --per, which writes packets unchanged;",
                "split -w a --per street      | --per street is not one of call, flow",
                "split -w a --packets 0       | --packets 0 is less than 1",
                "split -w a --bytes 5X        | --bytes 5X is not a size; examples: 1500000, 100M, 64Ki",
                "split -w a --seconds 0       | --seconds 0 is not a time; examples: 60 (seconds), 0.5, 90s, 10m, 2h",
                "split -w - --packets 5       | -w - writes one stream; a series of files requires a name"
            })
    void rejectsInvalidOptions(String line, String message) {
        List<String> args = new ArrayList<>(List.of(line.strip().split(" +", -1)));
        args.add(pcap);
        Offhook.Result result = Offhook.run(args.toArray(String[]::new));
        assertThat(result.code()).isIn(ExitCode.MISUSE, ExitCode.UNWRITABLE);
        assertThat(result.err()).contains(message);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void doesNotOverwriteWhatItReads() throws IOException {
        Path file = Files.copy(Path.of(pcap), folder.resolve("a.pcap"));
        byte[] before = Files.readAllBytes(file);
        Offhook.Result result = Offhook.run("convert", file.toString(), "-w", file.toString());
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("is also read; name another file");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void keepsThePreviousFileOnFailure() throws IOException {
        Path target = Files.writeString(folder.resolve("a.pcap"), "before");
        Path mixed = folder.resolve("mixed.pcapng");
        byte[] bytes = Files.readAllBytes(Path.of(pcap));
        bytes[20] = 113;
        Path cooked = Files.write(office.resolve("cooked.pcap"), bytes);
        done("merge", pcap, cooked.toString(), "-w", mixed.toString());
        Offhook.Result result = Offhook.run("convert", mixed.toString(), "-w", target.toString());
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("in a pcap file of link type").contains("write pcapng, which takes several");
        assertThat(target).hasContent("before");
        assertThat(names(folder)).containsExactly("a.pcap", "mixed.pcapng");
    }

    @Test
    void writesPacketsBeforeDamageAndReportsIt() throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(pcap));
        Path cut = Files.write(folder.resolve("cut.pcap"), Arrays.copyOf(bytes, bytes.length - 7));
        Path target = folder.resolve("a.pcapng");
        Offhook.Result result = Offhook.run("convert", cut.toString(), "-w", target.toString());
        assertThat(result.code()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(result.err()).contains("cut.pcap: at byte ").contains("the file ends after");
        List<Packet> all = packets(Path.of(pcap));
        assertThat(packets(target)).isEqualTo(all.subList(0, all.size() - 1));
    }

    @Test
    void writesNothingIfNoFileIsReadable() throws IOException {
        Path text = Files.writeString(folder.resolve("a.txt"), "no capture at all");
        Offhook.Result result = Offhook.run(
                "convert", text.toString(), "-w", folder.resolve("b.pcap").toString());
        assertThat(result.code()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(names(folder)).containsExactly("a.txt");
    }

    @Test
    void mergesByTime() {
        Path first = folder.resolve("first.pcapng");
        Path second = folder.resolve("second.pcap");
        done("convert", pcap, "-w", first.toString(), "--frames", "1-20,51-");
        done("convert", pcap, "-w", second.toString(), "--frames", "21-50");
        Path merged = folder.resolve("merged.pcap");
        done("merge", first.toString(), second.toString(), "-w", merged.toString());
        assertThat(packets(merged)).isEqualTo(packets(Path.of(pcap)));
        Path ng = folder.resolve("merged.pcapng");
        done("merge", first.toString(), second.toString(), "-w", ng.toString());
        assertThat(packets(ng)).isEqualTo(packets(Path.of(pcap)));
        try (CaptureFileSource source = CaptureFiles.open(ng.toString())) {
            source.next(new FrameBatch(5000));
            assertThat(source.interfaces()).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pcap", "pcapng"})
    void reportsAFullDisk(String format) {
        Assumptions.assumeTrue(Files.exists(Path.of("/dev/full")), "there is no /dev/full here");
        Offhook.Result result = Offhook.run("convert", pcap, "-w", "/dev/full", "--to", format);
        assertThat(result.code()).isEqualTo(ExitCode.UNWRITABLE);
        assertThat(result.err()).contains("/dev/full").contains("No space left on device");
    }

    @Test
    void pcapHoldsWhatIsSelectedFromSeveralLinkTypes() throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(pcap));
        bytes[20] = 113;
        Path cooked = Files.write(folder.resolve("cooked.pcap"), bytes);
        Path mixed = folder.resolve("mixed.pcapng");
        done("merge", pcap, cooked.toString(), "-w", mixed.toString());
        Path target = folder.resolve("a.pcap");
        done("convert", mixed.toString(), "-w", target.toString(), "--frames", "2");
        assertThat(packets(target)).containsExactly(packets(cooked).getFirst());
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "csv"})
    void reportsInJsonAndCsv(String format) {
        Path target = folder.resolve("a.pcap");
        String out = done("convert", pcapNg, "-w", target.toString(), "--format", format)
                .out();
        int packets = packets(target).size();
        if (format.equals("csv")) {
            List<List<String>> rows = Csv.parse(out);
            assertThat(rows.getFirst()).isEqualTo(RewriteOutput.COLUMNS);
            assertThat(rows.get(1).get(RewriteOutput.COLUMNS.indexOf("packetsWritten")))
                    .isEqualTo(Integer.toString(packets));
            return;
        }
        Map<String, Object> document = Json.object(out);
        assertThat(Json.asObject(document.get("written")))
                .containsEntry("path", target.toString())
                .containsEntry("format", "pcap")
                .containsEntry("files", 1L)
                .containsEntry("packetsWritten", (long) packets)
                .containsEntry("packetsAnonymised", null);
        assertThat(Json.objects(document.get("read"))).hasSize(1);
    }
}
