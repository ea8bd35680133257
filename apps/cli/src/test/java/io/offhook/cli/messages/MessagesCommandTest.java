package io.offhook.cli.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Captures;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.terminal.Text;
import io.offhook.packet.Endpoint;
import io.offhook.packet.LinkType;
import io.offhook.testkit.traffic.Addresses;
import io.offhook.testkit.traffic.CaptureWriter;
import io.offhook.testkit.traffic.Ip;
import io.offhook.testkit.traffic.Link;
import io.offhook.testkit.traffic.Recorder;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.traffic.Transports;
import io.offhook.testkit.truth.Csv;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code offhook messages}: the SIP messages of a capture, filtered. */
class MessagesCommandTest {
    @TempDir
    static Path folder;

    private static String office;

    @BeforeAll
    static void writeCapture() {
        office = Captures.write(Captures.office().capture(), folder, "office.pcap");
    }

    private static String messages(String... options) {
        List<String> args = new ArrayList<>(List.of("messages", "--utc"));
        args.addAll(List.of(options));
        Offhook.Result result = Offhook.run(args.toArray(String[]::new));
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isEqualTo(ExitCode.DONE);
        return result.out();
    }

    /** Method or status of each message. */
    private static List<String> labels(String... options) {
        List<String> args = new ArrayList<>(List.of("--format", "json"));
        args.addAll(List.of(options));
        args.add(office);
        List<String> labels = new ArrayList<>();
        for (Map<String, Object> message :
                Json.objects(Json.object(messages(args.toArray(String[]::new))).get("messages"))) {
            labels.add(
                    String.valueOf(message.get("method") == null ? message.get("statusCode") : message.get("method")));
        }
        return labels;
    }

    @Test
    void writesOneLinePerMessage() {
        List<String> lines = messages("--call-id", "two@office", office).lines().toList();
        assertThat(lines).hasSize(5);
        assertThat(lines.getFirst())
                .matches(
                        " +\\d+  22:13:20\\.\\d{3} +10\\.\\S+:5060 -> 10\\.\\S+:5060 +UDP  INVITE +1 INVITE +\\+4930123456 -> 1002 +two@office");
        assertThat(lines.get(3)).contains("  486 Busy Here  ");
    }

    /** Of 80 columns, addresses leave too few for a CSeq. */
    @Test
    void narrowLinesHaveTheMethodOfAResponseInItsLabel() {
        String out = new Offhook()
                .onTerminal(80)
                .with("messages", "--utc", "--color", "never", office)
                .out();
        assertThat(out).contains("  200 OK (BYE)").doesNotContain(" BYE  2 BYE");
        assertThat(out.lines()).allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(80));
    }

    @Test
    void marksRetransmittedAndMirroredMessages() {
        assertThat(messages(Captures.scenario("invite-retransmitted", folder)).lines())
                .anyMatch(line -> line.contains("INVITE") && line.endsWith("[retransmission]"));
        List<String> mirrored =
                messages(Captures.scenario("mirrored", folder)).lines().toList();
        assertThat(mirrored).filteredOn(line -> line.endsWith("[mirrored]")).hasSize(mirrored.size() / 2);
    }

    @Test
    void keepsTheWholeMessageInADocument() {
        Map<String, Object> document = Json.object(messages("--format", "json", "-v", office));
        assertThat(document).containsOnlyKeys("messages", "capture");
        List<Map<String, Object>> messages = Json.objects(document.get("messages"));
        Map<String, Object> capture = Json.asObject(document.get("capture"));
        assertThat(messages.size())
                .isEqualTo(Integer.parseInt(Json.text(capture, "sipRequests"))
                        + Integer.parseInt(Json.text(capture, "sipResponses")));
        Map<String, Object> invite = messages.getFirst();
        assertThat(invite)
                .containsEntry("frame", 1L)
                .containsEntry("time", "1700000000.000000000")
                .containsEntry("transport", "UDP")
                .containsEntry("copy", "first")
                .containsEntry("method", "INVITE")
                .containsEntry("statusCode", null)
                .containsEntry("cseqNumber", 1L)
                .containsEntry("cseqMethod", "INVITE")
                .containsEntry("callId", "one@office")
                .containsEntry("from", "alice")
                .containsEntry("to", "bob")
                .containsEntry("contentType", "application/sdp");
        assertThat(Json.text(invite, "text"))
                .startsWith("INVITE sip:bob@")
                .contains("\r\n\r\nv=0\r\n")
                .hasSize(Integer.parseInt(Json.text(invite, "length")));
        assertThat(Json.objects(invite.get("media")))
                .singleElement()
                .satisfies(media -> assertThat(media)
                        .containsEntry("type", "audio")
                        .containsEntry("direction", "sendrecv")
                        .containsEntry("protocol", "RTP/AVP"));
    }

    @Test
    void writesCsvThatReadsBack() {
        List<List<String>> rows = Csv.parse(messages("--format", "csv", "-v", office));
        assertThat(rows.getFirst()).isEqualTo(MessagesFields.COLUMNS);
        assertThat(rows).allSatisfy(row -> assertThat(row).hasSameSizeAs(rows.getFirst()));
        assertThat(rows.get(1).getLast()).startsWith("INVITE sip:bob@").contains("\r\nv=0\r\n");
        assertThat(messages("--format", "csv", office)).doesNotContain("v=0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --call-id two@office                    | INVITE 100 180 486 ACK
            --from alice --method BYE               | BYE 200
            --number bob --method BYE,ACK           | ACK ACK BYE 200 BYE 200
            --method CANCEL                         | CANCEL 200
            --method register                       | REGISTER 401 REGISTER 200
            --status 486                            | 486
            --status 4xx                            | 486 487 401
            --status 180-189,487                    | 180 180 180 487 180
            --outcome busy,cancelled --method ACK   | ACK ACK
            --outcome cancelled --status 2xx        | 200
            --to dave --status 1xx                  | 100 180
            --address 192.0.2.99                    |
            --until 2023-11-14T22:13:20.1Z          | INVITE 100
            """)
    void lets(String options, String labels) {
        assertThat(String.join(" ", labels(options.strip().split("\\s+"))))
                .isEqualTo(labels == null ? "" : labels.strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "99", "700", "4x", "486-4", "180-99"})
    void rejectsInvalidStatus(String status) {
        Offhook.Result result = Offhook.run("messages", "--status", status, office);
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("--status " + status + " is not a status");
    }

    @Test
    void readsStandardInputThatAFilterNeedsTwice() {
        byte[] capture = Captures.office().capture().bytes();
        assertThat(new Offhook().input(capture).with("messages", "-").out())
                .isEqualTo(Offhook.run("messages", office).out());
        assertThat(new Offhook()
                        .input(capture)
                        .with("messages", "--outcome", "busy", "-")
                        .out()
                        .lines())
                .hasSize(5);
    }

    @Test
    void escapesControlCharactersInMessages() throws IOException {
        String evil = "\u001b[2J\u202e\u009b1m\u0007";
        Recorder recorder = new Recorder(1000);
        Endpoint one = Addresses.endpoint("10.0.0.1", 5060);
        Endpoint other = Addresses.endpoint("10.0.0.2", 5060);
        String text = "SIP/2.0 200 O\u202eK\r\nFrom: <sip:a" + evil + "@b>\r\nTo: <sip:c@d>\r\nCall-ID: e" + evil
                + "\r\nCSeq: 1 INV" + evil + "\r\nContent-Type: text/plain\r\n\r\nbody" + evil;
        byte[] datagram = Transports.udp(other, one, text.getBytes(StandardCharsets.UTF_8));
        recorder.add(
                1_700_000_000_000_000_000L,
                LinkType.ETHERNET,
                Link.ethernet().frame(Ip.between(other, one).packet(Ip.UDP, datagram), true));
        Path file = folder.resolve("evil.pcap");
        CaptureWriter.pcap().write(recorder.frames(), file);
        String out = messages("-v", file.toString());
        assertThat(out.replace("\n", "")).isEqualTo(Text.printable(out.replace("\n", "")));
        assertThat(out).contains("    body\\x1b[2J\\u202e\\u009b1m\\x07\n");
    }

    @Test
    void givesTheSameWithAnyNumberOfLanes() {
        String file = Captures.write(Traffic.random(3, 20).capture(), folder, "random.pcap");
        assertThat(messages("--lanes", "4", "--format", "json", file))
                .isEqualTo(messages("--lanes", "1", "--format", "json", file));
    }
}
