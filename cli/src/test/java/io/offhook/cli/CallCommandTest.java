package io.offhook.cli;

import static io.offhook.testkit.Party.CALLEE;
import static io.offhook.testkit.Party.CALLER;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.Addresses;
import io.offhook.testkit.Traffic;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

                                  10.1.0.1:5060                                   10.2.0.1:5060
                22:13:20.000    +0.000  │─────────────────── INVITE ───────────────────▶│
                                        │ audio 10.1.0.1:16388 PCMA telephone-event sendrecv
                22:13:20.500    +0.500  │─────────────── INVITE (again) ───────────────▶│
                22:13:20.506    +0.506  │◀───────────────── 100 Trying ─────────────────│
                22:13:20.628    +0.628  │◀──────────────── 180 Ringing ─────────────────│
                22:13:20.672    +0.672  │◀─────────────── 486 Busy Here ────────────────│
                22:13:20.679    +0.679  │───────────────────── ACK ────────────────────▶│
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
                        " +10\\.1\\.\\S+:5060 +10\\.9\\.0\\.1:5060 +10\\.19\\.0\\.1:5060 +10\\.2\\.\\S+:5060"));
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
        assertThat(lines).anyMatch(line -> line.matches(" +127\\.0\\.0\\.1:5061 +127\\.0\\.0\\.1:5060"));
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
        "#4, four@office"
    })
    void findsACallByAllOrPartOfItsIdOrByItsNumber(String id, String callId) {
        assertThat(call(80, id, office)).startsWith("Call-ID   " + callId + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "@office | 4 calls have a Call-ID like @office: one@office, two@office, three@office, four@office; more of it, or #N, tells which",
                "nobody  | no call has a Call-ID with nobody in it, of 4 calls",
                "#5      | there is no call #5; there are 4 calls",
                "#0      | there is no call #0"
            })
    void tellsWhenItIsNotOneCall(String id, String message) {
        Offhook.Result result = Offhook.run("call", id, office);
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains(message);
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
    void tellsWhatIsWrongWithAFileThatHasNoCalls() {
        Offhook.Result result =
                Offhook.run("call", "x", folder.resolve("is-not-there.pcap").toString());
        assertThat(result.code()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(result.err()).contains("no call has a Call-ID with x in it").contains("is-not-there.pcap");
    }
}
