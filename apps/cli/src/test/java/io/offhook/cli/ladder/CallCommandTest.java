package io.offhook.cli.ladder;

import static io.offhook.testkit.truth.Party.CALLEE;
import static io.offhook.testkit.truth.Party.CALLER;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Captures;
import io.offhook.cli.Json;
import io.offhook.cli.Main;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.messages.MessagesFields;
import io.offhook.cli.terminal.Text;
import io.offhook.packet.Endpoint;
import io.offhook.testkit.traffic.Addresses;
import io.offhook.testkit.traffic.CaptureWriter;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Link;
import io.offhook.testkit.traffic.Recorder;
import io.offhook.testkit.traffic.RtpPacket;
import io.offhook.testkit.traffic.Tap;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Csv;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code offhook call}: finds one call and shows it as a ladder. */
class CallCommandTest {
    @TempDir
    static Path folder;

    private static String office;

    @BeforeAll
    static void writeCapture() {
        office = Captures.write(Captures.office().capture(), folder, "office.pcap");
    }

    private static String call(int width, String id, String file, String... options) {
        String[] args = new String[options.length + 6];
        System.arraycopy(new String[] {"call", id, file, "--utc", "--color", "never"}, 0, args, 0, 6);
        System.arraycopy(options, 0, args, 6, options.length);
        Offhook.Result result = new Offhook().onTerminal(width).with(args);
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isEqualTo(ExitCode.DONE);
        return result.out();
    }

    private static List<Frame> shortCall() {
        return new Traffic(4)
                .call(call -> call.callId("cut@pbx")
                        .from("alice")
                        .to("bob")
                        .answered()
                        .hangUp(CALLER))
                .capture()
                .frames();
    }

    /** A capture of which each packet ends so many bytes behind the beginning of the Call-ID of the INVITE. */
    private static Path snapped(List<Frame> frames, int callIdBytes, String name) throws IOException {
        String invite = new String(frames.getFirst().bytes(), StandardCharsets.ISO_8859_1);
        Path file = folder.resolve(name);
        CaptureWriter.pcap().snapLength(invite.indexOf("cut@pbx") + callIdBytes).write(frames, file);
        return file;
    }

    /** 100 and the 200 to BYE are so short that they have the whole Call-ID, which so is that of all. */
    @Test
    void showsAndWritesMessagesWhoseCallIdWasCutOff() throws IOException {
        List<Frame> frames = shortCall();
        Path file = snapped(frames, 3, "snapped.pcap");
        Path written = folder.resolve("snapped-call.pcap");
        assertThat(call(88, "1", file.toString(), "-w", written.toString()))
                .contains("Call-ID   cut@pbx\n", "Outcome   answered (200)")
                .contains("INVITE", "100 Trying", "180 Ringing", "200 OK", "ACK", "BYE")
                .contains("Messages  7 SIP messages");
        assertThat(Offhook.run("print", written.toString()).out().lines()).hasSize(frames.size());
        assertThat(Offhook.run("calls", "--format", "csv", written.toString()).out())
                .contains("cut@pbx");
    }

    @Test
    void showsACallOfWhichNoMessageHasItsWholeCallId() throws IOException {
        List<Frame> frames = new ArrayList<>(shortCall());
        frames.removeIf(frame -> new String(frame.bytes(), StandardCharsets.ISO_8859_1).contains(" 100 Trying"));
        frames.removeLast(); // the 200 to BYE
        Path file = snapped(frames, 3, "all-cut.pcap");
        assertThat(Offhook.run("messages", "--outcome", "answered", file.toString())
                        .out()
                        .lines())
                .hasSize(frames.size());
        assertThat(Offhook.run("messages", "--outcome", "busy", file.toString()).out())
                .isEmpty();
        assertThat(call(88, "cut", file.toString()))
                .contains(
                        "Call-ID   cut\n", "Outcome   answered (200)", "INVITE", "180 Ringing", "200 OK", "ACK", "BYE");
        Map<String, Object> call =
                Json.asObject(Json.object(Offhook.run("call", "1", "--format", "json", file.toString())
                                .out())
                        .get("call"));
        assertThat(call).containsEntry("callId", "cut").containsEntry("callIdPartial", true);
    }

    @Test
    void drawsACallAsALadder() {
        String file = Captures.write(
                new Traffic(4)
                        .call(call -> call.callId("busy@pbx")
                                .from("alice")
                                .to("bob")
                                .invite()
                                .retransmitted(1)
                                .trying()
                                .ringing()
                                .rejected(486, "Busy Here"))
                        .capture(),
                folder,
                "busy.pcap");
        assertThat(call(88, "busy", file)).isEqualTo("""
                Call-ID   busy@pbx
                From      sip:alice@10.1.0.1
                To        sip:bob@10.2.0.1
                Begun     22:13:20.000 on 2023-11-14 (UTC)
                Outcome   busy (486), rang after 0.63 s
                Messages  6 SIP messages over UDP, 1 retransmission
                Software  10.1.0.1:5060: Offhook-Testkit/1.0
                          10.2.0.1:5060: Offhook-Testkit/1.0
                Problems  busy

                Frame  Time             Start      Step  10.1.0.1:5060                     10.2.0.1:5060
                    1  22:13:20.000    +0.000    +0.000  │────────────────── INVITE ──────────────────▶│
                                                         │ audio 10.1.0.1:16388 PCMA telephone-event   │
                                                         │   sendrecv                                  │
                    2  22:13:20.500    +0.500    +0.500  │────────────── INVITE (again) ──────────────▶│
                    3  22:13:20.506    +0.506    +0.006  │◀──────────────── 100 Trying ────────────────│
                    4  22:13:20.628    +0.628    +0.122  │◀─────────────── 180 Ringing ────────────────│
                    5  22:13:20.672    +0.672    +0.044  │◀────────────── 486 Busy Here ───────────────│
                    6  22:13:20.679    +0.679    +0.006  │──────────────────── ACK ───────────────────▶│
                """);
    }

    @Test
    void putsMediaKeysAndErrorsWhereTheyHappened() {
        String file = Captures.write(
                new Traffic(4)
                        .call(call -> call.callId("a@b")
                                .answered()
                                .talk(500)
                                .dtmf(CALLER, "12")
                                .mediaRefusedBy(CALLEE, 1)
                                .hangUp(CALLEE))
                        .capture(),
                folder,
                "keys.pcap");
        List<String> lines = call(100, "a@b", file).lines().toList();
        List<String> arrows = lines.stream()
                .filter(line -> line.contains("▶│") || line.contains("│◀"))
                .map(line -> line.replaceAll(".*│[◀─═]+ ", "").replaceAll(" [▶─═]+│", ""))
                .toList();
        assertThat(arrows)
                .startsWith("INVITE", "100 Trying", "180 Ringing", "200 OK", "ACK")
                .contains("RTP PCMA", "DTMF 1 2", "ICMP port unreachable")
                .endsWith("BYE", "200 OK (BYE)");
        assertThat(arrows.indexOf("DTMF 1 2")).isGreaterThan(arrows.indexOf("RTP PCMA"));
        assertThat(lines)
                .anyMatch(line -> line.contains(" packets in ") && line.contains(" % lost") && line.contains("MOS "));
        assertThat(lines)
                .anyMatch(line -> line.contains("from caller 0x") && line.contains("BurstR") && line.contains("delay"));
    }

    @Test
    void givesProxiesColumnsInTheOrderOfTheirAppearance() {
        List<String> lines =
                call(120, "#1", Captures.scenario("proxies", folder)).lines().toList();
        assertThat(lines)
                .anyMatch(line -> line.matches(
                        ".* +10\\.1\\.\\S+:5060 +10\\.9\\.0\\.1:5060 +10\\.19\\.0\\.1:5060 +10\\.2\\.\\S+:5060"));
        assertThat(lines).anyMatch(line -> line.startsWith("Hops      10.1."));
        // media passes the proxies by
        assertThat(lines).anyMatch(line -> line.contains("╪") && line.contains(" RTP "));
    }

    @Test
    void putsMediaOfARelayIntoTheRelaysColumn() {
        List<String> lines = call(120, "#1", Captures.scenario("proxy-with-media-relay", folder))
                .lines()
                .filter(line -> line.contains(" RTP "))
                .toList();
        assertThat(lines).hasSize(4).noneMatch(line -> line.contains("╪"));
    }

    @Test
    void givesEachPortAColumnWhereAllIsOnOneMachine() {
        String file = Captures.write(
                new Traffic(4)
                        .call(call -> call.callId("a@b")
                                .signallingAt(CALLER, Addresses.endpoint("127.0.0.1", 5061))
                                .signallingAt(CALLEE, Addresses.endpoint("127.0.0.1", 5060))
                                .mediaAt(CALLER, Addresses.endpoint("127.0.0.1", 6000))
                                .mediaAt(CALLEE, Addresses.endpoint("127.0.0.1", 7000))
                                .answered()
                                .talk(300)
                                .hangUp(CALLER))
                        .capture(),
                folder,
                "loopback.pcap");
        List<String> lines = call(90, "a@b", file).lines().toList();
        assertThat(lines).anyMatch(line -> line.matches(".* +127\\.0\\.0\\.1:5061 +127\\.0\\.0\\.1:5060"));
        assertThat(lines)
                .filteredOn(line -> line.contains(" RTP "))
                .hasSize(2)
                .allMatch(line -> line.matches(".*│[◀═].*[▶═]│"));
    }

    @ParameterizedTest
    @CsvSource({
        "one@office, one@office",
        "tw, two@office",
        "three, three@office",
        "our@, four@office",
        "#1, one@office",
        "3, three@office",
        "@2, two@office",
        "#4, four@office"
    })
    void findsACallByAllOrPartOfItsIdOrByItsNumber(String id, String callId) {
        assertThat(call(80, id, office)).startsWith("Call-ID   " + callId + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "@office | 4 calls have a Call-ID like @office: one@office, two@office, three@office, four@office; use a longer part, the number in offhook calls, or a filter",
                "nobody  | no call has a Call-ID with nobody in it, of 4 calls",
                "#5      | there is no call #5; there are 4 calls",
                "5       | there is no call 5; there are 4 calls",
                "#0      | there is no call #0"
            })
    void reportsMissingAndAmbiguousCalls(String id, String message) {
        Offhook.Result result = Offhook.run("call", id, office);
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains(message);
    }

    /** The table may show some of the calls only: a call keeps its number. */
    @Test
    void findsTheNumberThatTheTableShows() {
        String table = Offhook.run("calls", office, "--outcome", "cancelled").out();
        String number = table.lines()
                .filter(line -> line.contains("carol"))
                .map(line -> line.strip().split(" ", -1)[0])
                .findFirst()
                .orElseThrow();
        assertThat(number).isEqualTo("3");
        assertThat(call(80, number, office)).startsWith("Call-ID   three@office\n");
    }

    @Test
    void prefersACallIdToANumber() {
        Traffic traffic = new Traffic(4);
        for (String callId : List.of("2", "x", "y")) {
            traffic.call(call -> call.callId(callId).invite().trying().rejected(486, "Busy Here"));
        }
        String file = Captures.write(traffic.capture(), folder, "numbers.pcap");
        assertThat(call(80, "2", file)).startsWith("Call-ID   2\n");
        assertThat(call(80, "#2", file)).startsWith("Call-ID   x\n");
        assertThat(call(80, "3", file)).startsWith("Call-ID   y\n");
    }

    @Test
    void filtersSelectAmongMatchingCalls() {
        assertThat(call(80, "@office", office, "--outcome", "busy")).startsWith("Call-ID   two@office\n");
        assertThat(call(80, "office", office, "--from", "carol")).startsWith("Call-ID   three@office\n");
        assertThat(Offhook.run("call", "1", office, "--outcome", "busy").err())
                .contains("call 1 exists, but is excluded by the filters");
        assertThat(Offhook.run("call", "one", office, "--outcome", "busy").err())
                .contains("no call has a Call-ID with one in it, of 1 call");
    }

    /** What a message says may be made to act on the terminal that shows it. */
    @ParameterizedTest
    @ValueSource(strings = {"", "--sdp", "--messages"})
    void masksControlCharacters(String option) throws IOException {
        String evil = "\u001b]0;x\u0007\u009b2J\u202e";
        Recorder recorder = new Recorder(1);
        Tap tap = new Tap(recorder, new Random(1));
        Endpoint alice = Addresses.endpoint("10.0.0.1", 5060);
        Endpoint bob = Addresses.endpoint("10.0.0.2", 5060);
        String sdp = "v=0\r\no=" + evil + " 1 1 IN IP4 10.0.0.1\r\ns=-\r\nc=IN IP4 10.0.0.1\r\nt=0 0\r\n" + "m=" + evil
                + " 4000 RTP/AVP 96\r\na=rtpmap:96 " + evil + "/8000\r\n";
        long time = Traffic.START_NS;
        for (String start : List.of("INVITE sip:bob@10.0.0.2 SIP/2.0", "SIP/2.0 200 " + evil, "INFO sip:bob SIP/2.0")) {
            String method = start.startsWith("INFO") ? "INFO" : "INVITE";
            String body = method.equals("INFO") ? evil : sdp;
            byte[] octets = body.getBytes(StandardCharsets.UTF_8);
            String message = start + "\r\nVia: SIP/2.0/UDP 10.0.0.1;branch=z9hG4bK" + method + "\r\nFrom: \"" + evil
                    + "\" <sip:" + evil + "@a>;tag=a\r\nTo: <sip:" + evil + "@b>;tag=b\r\nCall-ID: a@b\r\nCSeq: 1 "
                    + method + "\r\nUser-Agent: " + evil + "\r\nReason: " + evil + "\r\nContent-Type: "
                    + (method.equals("INFO") ? "text/" + evil : "application/sdp") + "\r\nContent-Length: "
                    + octets.length + "\r\n\r\n" + body;
            boolean isAnswer = start.startsWith("SIP");
            tap.udp(
                    time += 20_000_000,
                    true,
                    isAnswer ? bob : alice,
                    isAnswer ? alice : bob,
                    message.getBytes(StandardCharsets.UTF_8));
        }
        for (int i = 0; i < 60; i++) {
            byte[] rtp = new RtpPacket()
                    .payloadType(96)
                    .sequence(i)
                    .timestamp(160L * i)
                    .ssrc(7)
                    .bytes(new byte[160]);
            time += 20_000_000;
            tap.udp(time, true, Addresses.endpoint("10.0.0.2", 4000), Addresses.endpoint("10.0.0.1", 4000), rtp);
        }
        Path file = folder.resolve("evil.pcap");
        CaptureWriter.pcap().write(recorder.frames(), file);
        for (String command : List.of("call", "calls", "streams", "messages", "print", "registrations", "info")) {
            for (String format : List.of("table", "json", "csv")) {
                List<String> words = new ArrayList<>(List.of(command));
                if (command.equals("call")) {
                    words.add("a@b");
                }
                words.addAll(List.of(file.toString(), "--color", "never", "--format", format));
                if (command.equals("call") && !option.isEmpty()) {
                    words.add(option);
                }
                if (List.of("messages", "print").contains(command) && !option.isEmpty()) {
                    words.add("-v");
                }
                Offhook.Result result = new Offhook().onTerminal(100).with(words.toArray(String[]::new));
                assertThat(result.err()).isEmpty();
                assertThat(result.out().codePoints().filter(c -> c != '\n' && c != '\r' && c != '\t'))
                        .as(String.join(" ", words))
                        .noneMatch(Text::isHarmful);
            }
        }
    }

    @Test
    void showsWholeDescriptionsAndWholeMessages() {
        assertThat(call(100, "one", office, "--sdp"))
                .contains("│ v=0", "│ a=rtpmap:")
                .doesNotContain("│ Via: ");
        assertThat(call(100, "one", office, "--messages")).contains("│ Via: SIP/2.0/UDP ", "│ v=0", "│ CSeq: 1 INVITE");
    }

    @Test
    void writesCallAndMessagesAsOneDocument() {
        Map<String, Object> document = Json.object(call(80, "one", office, "--format", "json", "--messages"));
        assertThat(document).containsOnlyKeys("capture", "call", "messages", "messagesLeftOut");
        Map<String, Object> all =
                Json.object(Offhook.run("calls", "--format", "json", office).out());
        assertThat(document.get("call"))
                .isEqualTo(Json.objects(all.get("calls")).getFirst());
        List<Map<String, Object>> messages = Json.objects(document.get("messages"));
        assertThat((long) messages.size())
                .isEqualTo(Json.asObject(document.get("call")).get("messages"));
        assertThat(messages).allMatch(message -> "one@office".equals(message.get("callId")));
        assertThat(Json.text(messages.getFirst(), "text")).startsWith("INVITE ");
    }

    @Test
    void writesMessagesAsCsv() {
        List<List<String>> rows = Csv.parse(call(80, "two", office, "--format", "csv"));
        assertThat(rows).hasSize(6);
        assertThat(rows.getFirst()).isEqualTo(MessagesFields.COLUMNS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "answered",
                "proxies",
                "forked",
                "hold-with-music",
                "early-media",
                "fax",
                "utf-8-names",
                "audio-and-video",
                "multipart-body",
                "callee-behind-nat",
                "tcp-proxies",
                "ipv6",
                "no-audio"
            })
    void fitsTheTerminal(String scenario) {
        String file = Captures.scenario(scenario, folder);
        for (int width : new int[] {40, 60, 80, 132}) {
            assertThat(call(width, "#1", file).lines())
                    .allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(width));
        }
    }

    @Test
    void drawsWithAsciiOnATerminalThatKnowsNoMore() {
        Offhook.Result result = new Offhook()
                .onTerminal(80)
                .charset(StandardCharsets.US_ASCII)
                .with("call", "two", office, "--color", "never");
        assertThat(result.out()).contains("|", "->|".substring(1), "- INVITE -").doesNotContain("?");
    }

    @Test
    void readsStandardInputMoreThanOnce() {
        byte[] capture = Captures.office().capture().bytes();
        Offhook.Result result = new Offhook().input(capture).with("call", "two", "-", "--utc");
        assertThat(result.err()).isEmpty();
        assertThat(result.out())
                .isEqualTo(Offhook.run("call", "two", office, "--utc").out());
    }

    @Test
    void leavesNoCopyOfStandardInput() throws IOException {
        byte[] capture = Captures.office().capture().bytes();
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        List<Path> before = copies(temporary);
        new Offhook().input(capture).with("call", "two", "-");
        new Offhook().input(capture).with("call", "nobody", "-");
        assertThat(copies(temporary)).isEqualTo(before);
    }

    private static List<Path> copies(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("offhook-standard-input-"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "one.pcap, nsecpcap",
        "one.CAP, nsecpcap",
        "one.dmp.gz, nsecpcap",
        "one.pcapng, pcapng",
        "one, pcapng",
        "one.pcapng.zst, pcapng"
    })
    void theNameOfTheFileDecidesItsFormat(String name, String format) {
        String target = folder.resolve(name).toString();
        call(80, "two", office, "-w", target);
        Map<String, Object> file = Json.objects(Json.object(
                                Offhook.done("info", "--format", "json", target).out())
                        .get("files"))
                .getFirst();
        assertThat(file)
                .containsEntry("format", format)
                .containsEntry("packets", 5L)
                .containsEntry("calls", 1L);
    }

    @Test
    void packetsOfSeveralLinkTypesNeedPcapng() {
        String ether = Captures.write(
                new Traffic(1).call(call -> call.callId("both").invite()).capture(), folder, "ether.pcap");
        String raw = Captures.write(
                new Traffic(1)
                        .at(100)
                        .call(call ->
                                call.callId("both").on(Link.raw()).invite().trying())
                        .capture(),
                folder,
                "raw.pcap");
        Path target = folder.resolve("both.pcap");
        Offhook.Result result = Offhook.run("call", "both", ether, raw, "-w", target.toString());
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("several link types", "name a file that ends in .pcapng");
        assertThat(target).doesNotExist();
        Offhook.done("call", "both", ether, raw, "-w", target + "ng");
    }

    @Test
    void writesThePacketsAloneToStandardOutput() throws IOException {
        Path target = folder.resolve("same.pcapng");
        call(80, "two", office, "-w", target.toString());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(new String[] {"call", "two", office, "-w", "-"}, new Offhook().terminal(out, err));
        assertThat(code).isEqualTo(ExitCode.DONE);
        assertThat(err.size()).isZero();
        assertThat(out.toByteArray()).isEqualTo(Files.readAllBytes(target));
        assertThat(Path.of("-")).doesNotExist();
    }

    @Test
    void refusesTargetsBeforeItReads() {
        String missing = folder.resolve("none/out.pcapng").toString();
        Offhook.Result result = Offhook.run("call", "two", office, "-w", missing);
        assertThat(result.code()).isEqualTo(ExitCode.UNWRITABLE);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains(missing, "does not exist");
        result = Offhook.run("call", "two", office, "-w", folder.toString());
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("is a directory");
        result = new Offhook().onTerminal(80).with("call", "two", office, "-w", "-");
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("to a terminal");
        result = Offhook.run("call", "two", office, "-w", "-", "--format", "json");
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("-w - writes to standard output");
    }

    @Test
    void saysHowManyPacketsItWrote() {
        Path target = folder.resolve("two.pcapng");
        assertThat(call(80, "two", office, "-w", target.toString())).endsWith("5 packets written to " + target + "\n");
        assertThat(Offhook.run("messages", target.toString()).out().lines()).hasSize(5);
    }

    @Test
    void keepsTheFirstOfAbsurdlyManyMessages() {
        Traffic traffic = new Traffic(4).every(1);
        for (int i = 0; i < 4001; i++) {
            traffic.call(
                    call -> call.callId("same@id").invite().trying().ringing().rejected(486, "Busy Here"));
        }
        String file = Captures.write(traffic.capture(), folder, "many.pcap");
        Map<String, Object> few = Json.object(call(80, "one", office, "--format", "json"));
        assertThat(few).containsEntry("messagesLeftOut", 0L);
        Map<String, Object> document = Json.object(call(80, "same", file, "--format", "json"));
        assertThat(Json.objects(document.get("messages"))).hasSize(20_000);
        assertThat(document).containsEntry("messagesLeftOut", 5L);
    }

    @Test
    void reportsWhatIsWrongWithAFileThatHasNoCalls() {
        Offhook.Result result =
                Offhook.run("call", "x", folder.resolve("is-not-there.pcap").toString());
        assertThat(result.code()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(result.err()).contains("no call has a Call-ID with x in it").contains("is-not-there.pcap");
    }
}
