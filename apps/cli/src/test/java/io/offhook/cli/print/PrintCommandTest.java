package io.offhook.cli.print;

import static io.offhook.testkit.truth.Party.CALLER;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Captures;
import io.offhook.cli.Json;
import io.offhook.cli.Main;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.packet.Endpoint;
import io.offhook.packet.LinkType;
import io.offhook.testkit.traffic.Addresses;
import io.offhook.testkit.traffic.CaptureWriter;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Ip;
import io.offhook.testkit.traffic.Link;
import io.offhook.testkit.traffic.Octets;
import io.offhook.testkit.traffic.Recorder;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.traffic.Transports;
import io.offhook.testkit.truth.Csv;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code offhook print}: a line a packet, all layers, hexadecimal, JSON and CSV. */
class PrintCommandTest {
    private static final long START_NS = 1_700_000_000_000_000_000L;
    /** Frames of such protocols, as they are in the golden frames of packet. */
    private static final String LLDP =
            "02000000000202000000000188cc02070402000000000104050565746830060200780a06737769746368"
                    + "0e0400140004fe060080c20100640000";

    private static final String STP =
            "0200000000020200000000010027424203000002023c806400000c01020300004e20906400000c040506"
                    + "80030100140002000f0000";
    private static final String OSPF =
            "0200000000020200000000010800450000401234000040597bfac0000201c63364020201002cc0000201"
                    + "000000003a9d00000000000000000000ffffff00000a0201000000280000000000000000";
    private static final String VRRP =
            "0200000000020200000000010800450000281234000040707bfbc0000201c6336402210764010001b7f7"
                    + "c00002fe0000000000000000";

    private static final Endpoint ONE = Addresses.endpoint("10.0.0.1", 5060);
    private static final Endpoint OTHER = Addresses.endpoint("10.0.0.2", 5060);

    @TempDir
    Path folder;

    private final Recorder recorder = new Recorder(1000);
    private int packets;

    private void frame(byte[] frame) {
        recorder.add(START_NS + packets++ * 1_000_000L, LinkType.ETHERNET, frame);
    }

    private void udp(Endpoint source, Endpoint destination, byte[] payload) {
        byte[] datagram = Transports.udp(source, destination, payload);
        frame(Link.ethernet().frame(Ip.between(source, destination).packet(Ip.UDP, datagram), true));
    }

    private void udp(int port, byte[] payload) {
        udp(ONE.withPort(port), OTHER.withPort(port), payload);
    }

    private String file() throws IOException {
        Path file = folder.resolve("in.pcap");
        CaptureWriter.pcap().write(recorder.frames(), file);
        return file.toString();
    }

    private static String print(String... args) {
        String[] all = new String[args.length + 2];
        all[0] = "print";
        all[1] = "--utc";
        System.arraycopy(args, 0, all, 2, args.length);
        Offhook.Result result = Offhook.run(all);
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isEqualTo(ExitCode.DONE);
        return result.out();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void describesEachPacket() throws IOException {
        udp(ONE, OTHER, text("INVITE sip:bob@b SIP/2.0\r\nCSeq: 1 INVITE\r\n\r\n"));
        udp(OTHER, ONE, text("SIP/2.0 180 Ringing\r\nCSeq: 1 INVITE\r\n\r\n"));
        udp(ONE, OTHER, text("\r\n\r\n"));
        udp(
                4000,
                new Octets()
                        .u16(0x8088)
                        .u16(1)
                        .u32(160)
                        .u32(0xdeadbeefL)
                        .zeros(160)
                        .toArray());
        udp(
                4000,
                new Octets()
                        .u16(0x8008)
                        .u16(2)
                        .u32(320)
                        .u32(0xdeadbeefL)
                        .zeros(160)
                        .toArray());
        udp(4001, new Octets().u16(0x80c9).u16(1).u32(0xdeadbeefL).toArray());
        udp(
                53,
                new Octets()
                        .u16(0x1234)
                        .u16(0x0100)
                        .u16(1)
                        .u16(0)
                        .u32(0)
                        .u8(2)
                        .text("ab")
                        .u8(1)
                        .text("c")
                        .u8(0)
                        .u16(33)
                        .u16(1)
                        .toArray());
        udp(3478, new Octets().u16(1).u16(0).u32(0x2112a442L).zeros(12).toArray());
        udp(7000, text("hello"));
        byte[] syn = Transports.tcp(ONE, OTHER, 7, 0, Transports.SYN, new byte[0], new byte[0]);
        frame(Link.ethernet().frame(Ip.between(ONE, OTHER).packet(Ip.TCP, syn), true));
        byte[] quoted = Ip.between(ONE, OTHER).packet(Ip.UDP, Transports.udp(ONE, OTHER, text("x")));
        frame(Link.ethernet().frame(Transports.portUnreachable(OTHER, ONE, quoted, 28), false));
        assertThat(print(file())).isEqualTo("""
                     1  22:13:20.000000          10.0.0.1:5060 -> 10.0.0.2:5060          SIP     86  INVITE sip:bob@b SIP/2.0
                     2  22:13:20.001000          10.0.0.2:5060 -> 10.0.0.1:5060          SIP     81  SIP/2.0 180 Ringing (INVITE)
                     3  22:13:20.002000          10.0.0.1:5060 -> 10.0.0.2:5060          UDP     46  keep-alive
                     4  22:13:20.003000          10.0.0.1:4000 -> 10.0.0.2:4000          RTP    214  PT=8 PCMA SSRC=0xdeadbeef Seq=1 Time=160 Mark
                     5  22:13:20.004000          10.0.0.1:4000 -> 10.0.0.2:4000          RTP    214  PT=8 PCMA SSRC=0xdeadbeef Seq=2 Time=320
                     6  22:13:20.005000          10.0.0.1:4001 -> 10.0.0.2:4001          RTCP    50  RR SSRC=0xdeadbeef
                     7  22:13:20.006000            10.0.0.1:53 -> 10.0.0.2:53            DNS     64  query 0x1234 ab.c SRV
                     8  22:13:20.007000          10.0.0.1:3478 -> 10.0.0.2:3478          STUN    62  binding request
                     9  22:13:20.008000          10.0.0.1:7000 -> 10.0.0.2:7000          UDP     47  5 bytes
                    10  22:13:20.009000          10.0.0.1:5060 -> 10.0.0.2:5060          TCP     54  [SYN] Seq=7 Win=65535 Len=0
                    11  22:13:20.010000               10.0.0.2 -> 10.0.0.1               ICMP    70  port unreachable (udp 10.0.0.1:5060 -> 10.0.0.2:5060)
                """);
    }

    @Test
    void reportsEveryLayerWithItsFields() throws IOException {
        udp(
                4000,
                new Octets()
                        .u16(0x8088)
                        .u16(1)
                        .u32(160)
                        .u32(0xdeadbeefL)
                        .bytes((byte) 1, (byte) 2)
                        .toArray());
        assertThat(print("-v", file()))
                .contains("    ethernet at 0, 14 bytes\n        destination: ")
                .contains("        type: 2048 (0x800)\n    ipv4 at 14, 20 bytes\n")
                .contains("        source: 10.0.0.1\n        destination: 10.0.0.2\n    udp at 34, 8 bytes\n")
                .contains("    rtp at 42, 12 bytes\n        version: 2\n        padding: false\n")
                .contains("        marker: true\n        payloadType: 8\n        sequenceNumber: 1\n")
                .contains("        ssrc: 0xDEADBEEF\n        payloadLength: 2\n        data: 01 02\n")
                .doesNotContain("payload at");
    }

    @Test
    void dumpsTheBytes() throws IOException {
        udp(7000, text("0123456789\u001b[31m"));
        assertThat(print("-x", file()).lines().toList())
                .hasSize(6)
                .last()
                .asString()
                .isEmpty();
        assertThat(print("-x", file()))
                .contains("    0020  00 02 1b 58 1b 58 00 17  ")
                .contains("30 31 32 33 34 35  ...X.X...v012345\n")
                .contains("    0030  36 37 38 39 1b 5b 33 31  6d                       6789.[31m\n")
                .doesNotContain("\u001b");
    }

    @Test
    void showsApplicationsInsteadOfPayload() throws IOException {
        byte[] query = new Octets()
                .u16(0x1234)
                .u16(0x0100)
                .u16(1)
                .zeros(6)
                .text("\3www\7example\0")
                .u16(28)
                .u16(1)
                .toArray();
        udp(ONE.withPort(40000), OTHER.withPort(53), query);
        Map<String, Object> packet = Json.object(print("--format", "json", file()));
        Map<String, Object> last = Json.objects(packet.get("layers")).getLast();

        assertThat(packet).containsEntry("protocol", "DNS");
        assertThat(last)
                .containsEntry("layer", "dns")
                .containsEntry("question", "www.example")
                .doesNotContainKey("data");
        assertThat(Json.object(print("--format", "json", "-x", file())).toString())
                .contains(HexFormat.of().formatHex(query));
        assertThat(print("-v", file())).contains("dns at 42").contains("question: www.example");
    }

    @Test
    void describesNeighborDiscovery() throws IOException {
        for (String hex : new String[] {LLDP, STP, OSPF, VRRP}) {
            frame(HexFormat.of().parseHex(hex));
        }
        assertThat(print(file()))
                .contains("LLDP", "valid for 120 s")
                .contains("STP", "root 32868/00:00:0c:01:02:03 cost 20000")
                .contains("OSPF", "version 2 hello from 192.0.2.1")
                .contains("VRRP", "version 2 router 7 priority 100");
        assertThat(print("-v", file())).contains("systemName: switch", "rootPathCost: 20000", "address: 192.0.2.254");
    }

    @Test
    void writesOneJsonObjectPerLine() throws IOException {
        String file = Captures.scenario("rtcp", folder);
        List<String> lines = print("--format", "json", file).lines().toList();
        assertThat(lines).hasSize((int) print(file).lines().count());
        int frame = 0;
        for (String line : lines) {
            Map<String, Object> packet = Json.object(line);
            assertThat(packet).containsEntry("frame", (long) ++frame).containsEntry("stop", "complete");
            List<Map<String, Object>> layers = Json.objects(packet.get("layers"));
            assertThat(layers.getFirst()).containsEntry("layer", "ethernet").containsEntry("offset", 0L);
            assertThat(layers).extracting(layer -> layer.get("layer")).contains("ipv4", "udp");
        }
        assertThat(lines.getFirst()).contains("\"protocol\":\"SIP\"", "\"layer\":\"sip\"", "\"layer\":\"sdp\"");
        assertThat(lines).anyMatch(line -> line.contains("\"layer\":\"rtcp.report\""));
        assertThat(lines).noneMatch(line -> line.contains("\"data\""));
        assertThat(print("--format", "json", "-x", "--count", "20", file)).contains("\"data\":\"");
    }

    @Test
    void writesTheColumnsAsCsv() throws IOException {
        udp(ONE, OTHER, text("MESSAGE sip:\"a,b\"@b SIP/2.0\r\n\r\n"));
        assertThat(Csv.parse(print("--format", "csv", file())))
                .containsExactly(
                        List.of("frame", "time", "source", "destination", "protocol", "length", "info"),
                        List.of(
                                "1",
                                "1700000000.000000000",
                                "10.0.0.1:5060",
                                "10.0.0.2:5060",
                                "SIP",
                                "73",
                                "MESSAGE sip:\"a,b\"@b SIP/2.0"));
    }

    @Test
    void stopsAfterCount() {
        String file = Captures.scenario("answered", folder);
        assertThat(print("--count", "3", file).lines()).hasSize(3);
        assertThat(print("--count", "0", file)).isEmpty();
        assertThat(Offhook.run("print", "--count", "-1", file).code()).isEqualTo(ExitCode.MISUSE);
    }

    @ParameterizedTest
    @CsvSource({"--call-id, one@office", "--from, alice", "--outcome, busy"})
    void printsThePacketsOfTheCallsThatAFilterNames(String option, String value) {
        String file = Captures.write(Captures.office().capture(), folder, "office.pcap");
        long all = print(file).lines().count();
        List<String> wanted = print(option, value, file).lines().toList();
        assertThat(wanted).isNotEmpty().hasSizeLessThan((int) all);
        assertThat(wanted).allMatch(line -> line.contains("  SIP  ") || line.contains("  RTP  "));
        assertThat(wanted).noneMatch(line -> line.contains("REGISTER"));
        assertThat(print("--call-id", "no such call", file)).isEmpty();
    }

    @Test
    void printsThePacketsOfAnAddressAndATime() {
        String file = Captures.scenario("proxies", folder);
        List<String> lines = print("--address", "10.9.0.1", file).lines().toList();
        assertThat(lines).isNotEmpty().allMatch(line -> line.contains("10.9.0.1:5060"));
        assertThat(print("--until", "2023-11-14T22:13:20.5Z", file).lines())
                .isNotEmpty()
                .allMatch(line -> line.contains("22:13:20."));
    }

    @Test
    void readsStandardInputOnceOrAgain() throws IOException {
        byte[] capture = Captures.office().capture().bytes();
        String plain = new Offhook().input(capture).with("print", "-").out();
        assertThat(plain.lines()).hasSizeGreaterThan(100);
        String filtered = new Offhook()
                .input(capture)
                .with("print", "--outcome", "busy", "-")
                .out();
        assertThat(filtered.lines()).hasSize(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"table", "json", "csv"})
    void escapesControlCharactersOfPackets(String format) throws IOException {
        String evil = "\u001b]0;x\u0007\u202e\u009b2J";
        udp(ONE, OTHER, text("INVITE sip:a\u202e@b SIP/2.0\r\nSubject: " + evil + "\r\nCall-ID: x\r\n\r\n"));
        udp(ONE, OTHER, text("SIP/2.0 200 " + evil + "\r\nCSeq: 1 " + evil + "\r\n\r\n"));
        udp(
                53,
                new Octets()
                        .u16(1)
                        .u16(0x0100)
                        .u16(1)
                        .u16(0)
                        .u32(0)
                        .u8(evil.getBytes(StandardCharsets.UTF_8).length)
                        .text(evil)
                        .u8(0)
                        .u16(1)
                        .u16(1)
                        .toArray());
        byte[] http =
                Transports.tcp(ONE, OTHER, 7, 1, Transports.ACK, new byte[0], text("GET /" + evil + " HTTP/1.1\r\n"));
        frame(Link.ethernet().frame(Ip.between(ONE, OTHER).packet(Ip.TCP, http), true));
        String file = file();
        String out = print("-v", "-x", "--format", format, file);
        assertThat(out.replace("\n", "").replace("\r", "")).doesNotContain("\u001b", "\u0007");
        if (!format.equals("csv")) {
            assertThat(out.replace("\n", "")).isEqualTo(Text.printable(out.replace("\n", "")));
        }
        if (format.equals("json")) {
            Map<String, Object> packet = Json.object(out.substring(0, out.indexOf('\n')));
            Map<String, Object> sip = Json.objects(packet.get("layers")).getLast();
            assertThat(Json.text(Json.objects(sip.get("headers")).getFirst(), "value"))
                    .isEqualTo(evil);
        }
    }

    @Test
    void printsEveryTruncationOfEveryKindOfPacket() throws IOException {
        for (String scenario :
                List.of("answered", "tcp", "rtcp", "tunnel-vxlan", "ipv6", "fragments-of-ipv6", "link-stacked-vlans")) {
            List<Frame> frames = Scenarios.traffic(scenario, 1).capture().frames();
            for (Frame frame : frames.subList(0, Math.min(frames.size(), 6))) {
                for (int length = 0; length <= Math.min(frame.bytes().length, 130); length++) {
                    frame(Arrays.copyOf(frame.bytes(), length));
                }
            }
        }
        for (String[] options : new String[][] {{"-v", "-x"}, {"--format", "json", "-x"}, {"--format", "csv", "-v"}}) {
            String[] args = Arrays.copyOf(options, options.length + 1);
            args[options.length] = file();
            assertThat(print(args).lines().count()).isGreaterThanOrEqualTo(recorder.size());
        }
    }

    @Test
    void printsRandomBytesAndPacketsWithRandomBytesInThem() throws IOException {
        long seed = 7;
        Random random = new Random(seed);
        List<Frame> frames = Scenarios.traffic("rtcp", 1)
                .call(call -> call.answered().talk(200).hangUp(CALLER))
                .capture()
                .frames();
        for (int i = 0; i < 900; i++) {
            byte[] bytes = frames.get(random.nextInt(frames.size())).bytes().clone();
            if (i % 3 == 0) {
                random.nextBytes(bytes);
            }
            for (int changes = random.nextInt(6); changes >= 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            frame(bytes);
        }
        for (String[] options : new String[][] {{"-v", "-x"}, {"--format", "json", "-x"}}) {
            String[] args = Arrays.copyOf(options, options.length + 1);
            args[options.length] = file();
            String out = print(args);
            assertThat(out).as("seed %d", seed).doesNotContain("\u001b");
        }
        for (String line : print("--format", "json", file()).lines().toList()) {
            Json.object(line);
        }
    }

    @Test
    void reportsFaultsAfterReadablePackets() throws IOException {
        udp(7000, text("hello"));
        udp(7000, text("again"));
        byte[] whole = CaptureWriter.pcap().write(recorder.frames());
        Path cut = folder.resolve("cut.pcap");
        java.nio.file.Files.write(cut, Arrays.copyOf(whole, whole.length - 3));
        Offhook.Result result = Offhook.run("print", cut.toString());
        assertThat(result.code()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(result.out().lines()).hasSize(1);
        assertThat(result.err()).contains("cut.pcap: at byte ");
    }

    @Test
    void cutsLinesToTheWidthOfATerminal() throws IOException {
        udp(ONE, OTHER, text("INVITE sip:" + "x".repeat(300) + "@b SIP/2.0\r\n\r\n"));
        String out = new Offhook()
                .onTerminal(120)
                .with("print", "--color", "never", file())
                .out();
        assertThat(out.lines().toList()).singleElement().asString().hasSize(120).endsWith("…");
    }

    /** {@code tcpdump -U -w - | offhook print -}: a packet is shown when it has come, not when 4096 have. */
    @ParameterizedTest
    @ValueSource(strings = {"table", "json", "csv"})
    void flushesPacketsOfASlowPipe(String format) throws Exception {
        byte[] capture = Captures.office().capture().bytes();
        LineCounter out = new LineCounter();
        PipedOutputStream sender = new PipedOutputStream();
        try (PipedInputStream pipe = new PipedInputStream(sender, capture.length)) {
            Terminal terminal =
                    new Terminal(out, new ByteArrayOutputStream(), pipe, Map.of(), StandardCharsets.UTF_8, "");
            Thread command = new Thread(() -> Main.run(new String[] {"print", "-", "--format", format}, terminal));
            command.start();
            sender.write(capture, 0, capture.length - 1);
            String file = Captures.write(Captures.office().capture(), folder, "slow.pcap");
            long whole =
                    Offhook.run("print", "--format", format, file).out().lines().count();
            out.await(whole - 1);
            assertThat(command.isAlive()).isTrue();
            sender.write(capture, capture.length - 1, 1);
            sender.close();
            command.join(20_000);
            assertThat(out.lines()).isEqualTo(whole);
        }
    }

    /** What goes wrong later takes nothing of what was printed before. */
    @Test
    void keepsOutputBeforeAnInternalError() {
        Recorder recorder = new Recorder(1);
        for (int i = 0; i < 6000; i++) {
            recorder.add(Traffic.START_NS + i, LinkType.ETHERNET, new byte[60]);
        }
        Path file = folder.resolve("many.pcap");
        byte[] capture;
        try {
            CaptureWriter.pcap().write(recorder.frames(), file);
            capture = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        InputStream failing = new ByteArrayInputStream(capture) {
            @Override
            public synchronized int read(byte[] target, int offset, int length) {
                int read = super.read(target, offset, length);
                if (read < 0) {
                    throw new IllegalStateException("made up");
                }
                return read;
            }

            @Override
            public synchronized int available() {
                return 1;
            }
        };
        LineCounter out = new LineCounter();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(out, err, failing, Map.of(), StandardCharsets.UTF_8, "");
        assertThat(Main.run(new String[] {"print", "-"}, terminal)).isEqualTo(ExitCode.INTERNAL);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("internal error", "made up");
        assertThat(out.lines()).isEqualTo(6000 / 1024 * 1024); // whole batches
    }

    /** Counts line ends, and wakes who waits for them. */
    private static final class LineCounter extends OutputStream {
        private long lines;

        @Override
        public synchronized void write(int octet) {
            if (octet == '\n') {
                lines++;
                notifyAll();
            }
        }

        synchronized long lines() {
            return lines;
        }

        synchronized void await(long count) throws InterruptedException {
            long end = System.nanoTime() + 20_000_000_000L;
            while (lines < count && System.nanoTime() < end) {
                wait(1000);
            }
            assertThat(lines).isEqualTo(count);
        }
    }
}
