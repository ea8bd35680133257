package io.offhook.cli.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Captures;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.packet.LinkType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code offhook filter}, {@code offhook match}, and {@code --filter}. */
class FilterCommandTest {
    private static final String LOSSY = "../../samples/lossy.pcap";

    @TempDir
    static Path folder;

    private static String office;

    @BeforeAll
    static void writeCapture() {
        office = Captures.write(Captures.office().capture(), folder, "office.pcap");
    }

    @Test
    void printsTheProgramAsTcpdumpDoes() {
        String program = """
                (000) ldh      [12]
                (001) jeq      #0x806           jt 2	jf 3
                (002) ret      #262144
                (003) ret      #0
                """;
        assertThat(Offhook.run("filter", "arp")).isEqualTo(new Offhook.Result(ExitCode.DONE, program, ""));
        assertThat(Offhook.run("filter", "--link-type", "ETHER", "ether", "proto", "0x806")
                        .out())
                .isEqualTo(program);
        assertThat(Offhook.run("filter", "--link-type=1", "--snap-length", "96", "arp")
                        .out())
                .isEqualTo(program.replace("262144", "96"));
        assertThat(Offhook.run("filter", "arp", "--code", "decimal").out())
                .isEqualTo("4\n40 0 0 12\n21 0 1 2054\n6 0 0 262144\n6 0 0 0\n");
        assertThat(Offhook.run("filter", "arp", "--code", "c").out())
                .startsWith("{ 0x28, 0, 0, 0x0000000c },\n{ 0x15, 0, 1, 0x00000806 },\n");
        assertThat(Offhook.run("filter", "-O", "arp and arp").out().lines()).hasSizeGreaterThan(4);
        assertThat(Offhook.run("filter", "arp and arp").out()).isEqualTo(program);
    }

    @Test
    void marksThePositionOfAFault() {
        Offhook.Result result = Offhook.run("filter", "tcp and vlan 5000");
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .startsWith("offhook: VLAN tag 5000 greater than maximum 4095")
                .contains("\n  tcp and vlan 5000\n")
                .containsPattern("\n +\\^\n$");
    }

    /** -1 is a number, and no option. */
    @Test
    void takesAnExpressionThatBeginsWithASign() {
        Offhook.Result result = Offhook.run("filter", "-1 = 0xffffffff");
        assertThat(result).isEqualTo(new Offhook.Result(ExitCode.DONE, "(000) ret      #262144\n", ""));
        assertThat(Offhook.run("print", "--filter", "-1 = 0", LOSSY))
                .isEqualTo(new Offhook.Result(ExitCode.DONE, "", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "--link-type, ethernot, --link-type ethernot is neither a name",
        "--link-type, 65536, --link-type 65536 is neither a name",
        "--snap-length, 0, --snap-length 0 is less than 1",
        "--code, forth, '--code forth is not one of assembly, c, decimal'"
    })
    void rejectsInvalidOptions(String option, String value, String message) {
        Offhook.Result result = Offhook.run("filter", option, value, "arp");
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).startsWith("offhook: " + message);
    }

    @Test
    void acceptsPrintedNamesOfLinkTypes() {
        assertThat(FilterCommand.linkType("linux-sll")).isEqualTo(LinkType.LINUX_SLL);
        assertThat(FilterCommand.linkType("65535")).isEqualTo(65_535);
        assertThat(FilterCommand.linkType("101")).isEqualTo(LinkType.RAW);
    }

    private static String match(String expressions, String... captures) throws IOException {
        Path file = Files.writeString(Files.createTempFile(folder, "expressions", ".txt"), expressions);
        List<String> args = new java.util.ArrayList<>(List.of("match", file.toString()));
        args.addAll(List.of(captures));
        Offhook.Result result = Offhook.run(args.toArray(String[]::new));
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isZero();
        return result.out();
    }

    @Test
    void matchReportsFramesByTheirNumbers() throws IOException {
        String capture =
                Captures.write(Captures.office().capture(), Files.createDirectory(folder.resolve("m")), "office.pcap");
        long packets = Offhook.run("print", capture).out().lines().count();
        String out = match("# what there is\n\nlen > 0\r\nless 1\nvlan 5000\n", capture);
        String[] lines = out.split("\n", -1);
        assertThat(lines).hasSize(5);
        assertThat(lines[0]).isEqualTo("capture\tlinktype\texpression\tpackets\tmatched\tframes_sha1");
        assertThat(lines[1]).startsWith(capture + "\t1\tlen > 0\t" + packets + "\t" + packets + "\t");
        // of nothing at all
        assertThat(lines[2])
                .isEqualTo(capture + "\t1\tless 1\t" + packets + "\t0\tda39a3ee5e6b4b0d3255bfef95601890afd80709");
        assertThat(lines[3])
                .isEqualTo(capture + "\t1\tvlan 5000\t" + packets + "\terror\tVLAN tag 5000 greater than maximum 4095");
        assertThat(lines[4]).isEmpty();
    }

    @Test
    void matchResetsForEachCapture() throws IOException {
        String once = match("udp", office);
        String twice = match("udp", office, office);
        String line = once.substring(once.indexOf('\n') + 1);
        assertThat(line).contains("\tudp\t");
        assertThat(twice).isEqualTo(once + line);
    }

    @Test
    void matchNeedsExpressions() {
        Offhook.Result result = Offhook.run("match", folder.resolve("none.txt").toString(), office);
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("none.txt is not a readable file");
    }

    private static Map<String, Object> capture(String... args) {
        Offhook.Result result = Offhook.run(args);
        assertThat(result.err()).isEmpty();
        return Json.asObject(Json.object(result.out()).get("capture"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"calls", "streams", "registrations", "messages"})
    void filteredPacketsAreCounted(String command) {
        Map<String, Object> all = capture(command, "--format", "json", office);
        Map<String, Object> none = capture(command, "--format", "json", "--filter", "less 1", office);
        Object packets = all.get("packets");
        assertThat(String.valueOf(all.get("counters"))).doesNotContain("filteredPackets");
        assertThat(none).containsEntry("packets", 0L);
        assertThat(Json.asObject(Json.asObject(none.get("counters")).get("filteredPackets")))
                .containsEntry("count", packets)
                .containsEntry("firstFrame", 1L)
                .containsEntry("lastFrame", packets);
        assertThat(Json.objects(none.get("files")).getFirst()).containsEntry("packets", packets);
        Map<String, Object> udp = capture(command, "--format", "json", "--filter", "len > 0", office);
        assertThat(udp).isEqualTo(all);
    }

    @Test
    void callsAreAssembledFromMatchingPackets() {
        String all = Offhook.run("calls", "--format", "csv", LOSSY).out();
        assertThat(all.lines()).hasSizeGreaterThan(1);
        assertThat(Offhook.run("calls", "--format", "csv", "--filter", "udp", LOSSY)
                        .out())
                .isEqualTo(all);
        assertThat(Offhook.run("calls", "--format", "csv", "--filter", "tcp", LOSSY)
                        .out()
                        .lines())
                .hasSize(1);
        assertThat(Offhook.run("calls", "--filter", "tcp", LOSSY).out()).contains("filtered packets ");
    }

    @Test
    void printKeepsFrameNumbers() {
        List<String> all = Offhook.run("print", LOSSY).out().lines().toList();
        List<String> sip = Offhook.run("print", "--filter", "udp port 5060", LOSSY)
                .out()
                .lines()
                .toList();
        assertThat(sip).isNotEmpty().hasSizeLessThan(all.size() / 2);
        assertThat(all).containsAll(sip);
        assertThat(sip).allMatch(line -> line.contains("5060"));
    }

    @Test
    void matchKeepsFrameNumbers() throws IOException {
        Path file = Files.writeString(folder.resolve("all.txt"), "len > 0\nudp port 5060\n");
        String all = Offhook.run("match", file.toString(), LOSSY).out();
        String sip = Offhook.run("match", "--filter", "udp port 5060", file.toString(), LOSSY)
                .out();
        String[] wanted = all.lines().toList().get(2).split("\t", -1);
        assertThat(sip.lines().skip(1))
                .allSatisfy(line -> assertThat(line.split("\t", -1)).endsWith(wanted[4], wanted[4], wanted[5]));
    }

    @Test
    void mergeWritesMatchingPackets() {
        Path whole = folder.resolve("whole-merge.pcapng");
        Path sip = folder.resolve("sip-merge.pcapng");
        Offhook.run("merge", LOSSY, office, "-w", whole.toString());
        Offhook.Result result = Offhook.run("merge", LOSSY, office, "-w", sip.toString(), "--filter", "udp port 5060");
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(count(sip)).isPositive().isEqualTo(count(whole, "--filter", "udp port 5060"));
        assertThat(count(whole)).isGreaterThan(count(sip));
    }

    private static long count(Path capture, String... options) {
        List<String> args = new java.util.ArrayList<>(List.of("print", capture.toString()));
        args.addAll(List.of(options));
        return Offhook.run(args.toArray(String[]::new)).out().lines().count();
    }

    @Test
    void infoCountsMatchingPackets() {
        Map<String, Object> file = Json.objects(
                        Json.object(Offhook.run("info", "--format", "json", "--filter", "udp port 5060", LOSSY)
                                        .out())
                                .get("files"))
                .getFirst();
        long sip = Offhook.run("print", "--filter", "udp port 5060", LOSSY)
                .out()
                .lines()
                .count();
        assertThat(file).containsEntry("packets", sip).containsEntry("rtpPackets", 0L);
    }

    @Test
    void callIsExtractedFromMatchingPackets() {
        Path whole = folder.resolve("whole.pcapng");
        Path sip = folder.resolve("sip.pcapng");
        Offhook.run("call", "1", LOSSY, "-w", whole.toString());
        Offhook.run("call", "1", LOSSY, "-w", sip.toString(), "--filter", "udp port 5060");
        assertThat(Offhook.run("print", "--filter", "udp port 5060", whole.toString())
                        .out()
                        .lines()
                        .count())
                .isEqualTo(Offhook.run("print", sip.toString()).out().lines().count())
                .isPositive();
    }

    @Test
    void rejectsInvalidFilters() {
        for (String command : List.of("calls", "streams", "registrations", "messages", "info", "print", "flows")) {
            Offhook.Result result = Offhook.run(command, "--filter", "vlan 5000", LOSSY);
            assertThat(result.code()).as(command).isEqualTo(ExitCode.MISUSE);
            assertThat(result.err())
                    .startsWith("offhook: --filter for link type ether: VLAN tag 5000 greater than maximum 4095")
                    .endsWith("; see offhook " + command + " --help\n");
        }
    }

    /** Raw IP has no ARP: no mistake where several captures are read with one filter. */
    @Test
    void impossibleFilterForALinkTypeMatchesNothing() throws IOException {
        String raw = Files.write(folder.resolve("raw.pcap"), RawCapture.bytes()).toString();
        assertThat(Offhook.run("print", raw).out().lines()).hasSize(1);
        assertThat(Offhook.run("print", "--filter", "arp", raw)).isEqualTo(new Offhook.Result(ExitCode.DONE, "", ""));
        assertThat(Offhook.run("print", "--filter", "vlan", raw).code()).isEqualTo(ExitCode.MISUSE);
    }

    /** BSD loopback has its address family in the byte order of the machine that captured. */
    @ParameterizedTest
    @ValueSource(strings = {"02000000", "00000002"})
    void loopbackIsReadInEitherByteOrder(String family) throws IOException {
        byte[] bytes = RawCapture.loopback(family);
        String capture = Files.write(folder.resolve(family + ".pcap"), bytes).toString();
        assertThat(Offhook.run("print", "--filter", "udp and dst host 10.0.0.2", capture)
                        .out()
                        .lines())
                .hasSize(1);
        assertThat(Offhook.run("print", "--filter", "ip6", capture).out()).isEmpty();
        assertThat(match("ip\nip6\n", capture).lines().map(line -> line.split("\t", -1)[4]))
                .containsExactly("matched", "1", "0");
    }

    /** One UDP packet, of raw IP. */
    private static final class RawCapture {
        static byte[] loopback(String family) {
            return java.util.HexFormat.of()
                    .parseHex("d4c3b2a1020004000000000000000000ffff000000000000" + "01000000000000002000000020000000"
                            + family + "4500001c00000000401100000a0000010a000002" + "0001000200080000");
        }

        static byte[] bytes() {
            return java.util.HexFormat.of()
                    .parseHex("d4c3b2a1020004000000000000000000ffff000065000000" + "01000000000000001c0000001c000000"
                            + "4500001c00000000401100000a0000010a000002" + "0001000200080000");
        }
    }
}
