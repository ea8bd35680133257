package io.offhook.cli.where;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Captures;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.terminal.Text;
import io.offhook.testkit.traffic.CaptureWriter;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.traffic.TwoPoints;
import io.offhook.testkit.truth.Csv;
import io.offhook.testkit.truth.Party;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code offhook where} of captures of two points whose content is known. */
class WhereCommandTest {
    @TempDir
    static Path folder;

    private static String a = "";
    private static String b = "";

    @BeforeAll
    static void writeCaptures() throws IOException {
        Traffic traffic = new Traffic(7)
                .every(3000)
                .call(call -> call.from("alice")
                        .to("bob")
                        .rtcp(rtcp -> rtcp.extraLoss(Party.CALLEE, 4))
                        .answered()
                        .talk(20_000)
                        .hangUp(Party.CALLER))
                .call(call -> call.from("carol").to("dave").completed(Party.CALLEE, 8000));
        TwoPoints.Captures both = new TwoPoints(3)
                .clockOfB(250, 40)
                .lostBetween(Party.CALLER, packet -> packet < 500 && packet % 50 == 3)
                .lostBefore(Party.CALLEE, packet -> packet == 20)
                .lostMessage("BYE")
                .of(traffic.capture().frames());
        a = write(both.atA(), "a.pcap");
        b = write(both.atB(), "b.pcap");
    }

    private static String write(List<Frame> frames, String name) throws IOException {
        Path file = folder.resolve(name);
        CaptureWriter.pcap().write(frames, file);
        return file.toString();
    }

    private static List<Map<String, Object>> objects(Map<String, Object> document, String name) {
        return Json.objects(document.get(name));
    }

    private static Map<String, Object> json(String... files) {
        String[] args = new String[files.length + 3];
        args[0] = "where";
        args[1] = "--format";
        args[2] = "json";
        System.arraycopy(files, 0, args, 3, files.length);
        return Json.object(Offhook.done(args).out());
    }

    @Test
    void saysThatAClockWasSet() throws IOException {
        TwoPoints.Captures both = new TwoPoints(3)
                .clockOfB(250, 0)
                .clockOfBSet(10_000, -3000)
                .of(new Traffic(7)
                        .call(call -> call.from("alice").to("bob").completed(Party.CALLER, 20_000))
                        .capture()
                        .frames());
        String atA = write(both.atA(), "steady.pcap");
        String atB = write(both.atB(), "set.pcap");

        assertThat(Offhook.done("where", "--utc", atA, atB).out())
                .containsPattern("The clock of B was set back by 3000\\.\\d ms at 22:13:30\\.\\d+, while it captured");
        assertThat(objects(json(atA, atB), "points").getLast())
                .extractingByKey("steps")
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(1);
    }

    @Test
    void namesTheHopsOfACaptureOnBothSidesOfARelay() throws IOException {
        List<Frame> frames = new Traffic(7)
                .call(call -> call.proxies(1)
                        .relayed()
                        .media(
                                Party.CALLER,
                                shape -> shape.speech().rewrittenByRelay().lostInRelay(0.1))
                        .completed(Party.CALLER, 10_000))
                .capture()
                .frames();
        String whole = write(frames, "relay.pcap");
        String behind = write(
                frames.stream()
                        .filter(frame -> frame.bytes()[27] == 2 || frame.bytes()[31] == 2)
                        .toList(),
                "behind.pcap");

        String out = Offhook.done("where", whole, behind).out();
        assertThat(out)
                .contains("A1 > A2", "A1, A2 and so on are hops")
                .containsPattern("of 500 packets \\(\\d+\\.\\d %\\) of the caller's audio were lost between A1 and A2");
        Map<String, Object> caller = objects(json(whole, behind), "streams").getFirst();
        assertThat(Json.objects(caller.get("stops")))
                .extracting(stop -> stop.get("hop"))
                .containsExactly(1L, 2L, null);
        assertThat(Json.objects(caller.get("segments")))
                .extracting(segment -> segment.get("level"))
                .containsExactly("rewritten", "exact");
    }

    @Test
    void sentencesSayWhereACallLostItsPackets() {
        String out = Offhook.done("where", "--utc", a, b).out();
        assertThat(out)
                .contains("Call 1: 3 of 1,000 packets (0.3 %) of the caller's audio were lost between A and B.")
                .contains("Call 2: 7 of 400 packets (1.8 %) of the caller's audio were lost between A and B.")
                .contains("From A to B, 10 of 1,400 packets (0.7 %) of 2 RTP streams were lost.")
                .contains("Call 1: 1 packet of the callee's audio was lost before B.")
                .containsPattern(
                        "Call 1: 8\\d packets of the caller's audio were lost after B, by the receiver's RTCP\\.")
                .containsPattern(
                        "Clock of B: 24[89]\\.\\d+ ms ahead of A's, give or take 5\\.\\d+ ms; 40\\.\\d ppm faster")
                .contains("2 calls, 4 RTP streams and")
                .containsPattern("2  22:13:32\\S+ +BYE +1 +B +A +lost between");
    }

    @Test
    void theTableNamesBothDirections() {
        List<String> lines = Offhook.done("where", a, b).out().lines().toList();
        assertThat(lines.getFirst()).startsWith("#  Call").contains("Before  At 1st  Lost  At 2nd  After  Delay ms");
        assertThat(lines.get(1)).matches("1  alice > bob +caller +A > B .*");
        assertThat(lines.get(2)).matches("1  alice > bob +callee +B > A .*");
        assertThat(lines.get(3)).matches("2  carol > dave +caller +A > B .*");
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 120})
    void fitsTheTerminal(int columns) {
        String out = new Offhook()
                .onTerminal(columns)
                .with("where", "--color", "never", a, b)
                .out();
        assertThat(out.lines()).allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(columns));
    }

    @Test
    void jsonHasTheFiguresOfEachSegment() {
        Map<String, Object> document = json(a, b);
        Map<String, Object> caller = objects(document, "streams").getFirst();
        assertThat(caller)
                .containsEntry("call", 1L)
                .containsEntry("caller", "alice")
                .containsEntry("from", "caller")
                .containsEntry("kind", "compared")
                .containsEntry("lostBefore", 0L);
        assertThat(objects(caller, "segments").getFirst())
                .containsEntry("from", "A")
                .containsEntry("to", "B")
                .containsEntry("order", "delay")
                .containsEntry("extra", 0L);
        Map<String, Object> point = objects(document, "points").getLast();
        assertThat(Json.asObject(point.get("clock"))).containsEntry("basis", "bothDirections");
        assertThat(objects(document, "messages"))
                .hasSize(2)
                .allSatisfy(message ->
                        assertThat(message).containsEntry("message", "BYE").containsEntry("way", "lost"));
    }

    @Test
    void csvHasALineForEachSegment() {
        List<List<String>> lines =
                Csv.parse(Offhook.done("where", "--format", "csv", a, b).out());
        assertThat(lines).hasSize(5);
        assertThat(lines.getFirst()).isEqualTo(WhereFields.COLUMNS);
        assertThat(lines.get(1).get(WhereFields.COLUMNS.indexOf("first.point"))).isEqualTo("A");
        assertThat(lines.get(2).get(WhereFields.COLUMNS.indexOf("first.point"))).isEqualTo("B");
    }

    @Test
    void whatACaptureDroppedItselfIsNoProofOfLoss() throws IOException {
        Path dropping = folder.resolve("dropping.pcapng");
        CaptureWriter.pcapng()
                .dropped(930)
                .write(
                        new Traffic(5)
                                .call(call -> call.completed(Party.CALLER, 1000))
                                .capture()
                                .frames(),
                        dropping);
        assertThat(Offhook.run("where", a, dropping.toString()).out())
                .contains("The capture at B lost 930 packets itself: what it lacks may have passed nevertheless.");
    }

    @Test
    void filtersSelectCalls() {
        String out = Offhook.done("where", "--from", "carol", a, b).out();
        assertThat(out).contains("carol > dave").doesNotContain("alice > bob");
    }

    @Test
    void oneClockIsTakenAtItsWord() {
        assertThat(Offhook.done("where", "--same-clock", a, a).out())
                .contains("Clock of B: that of A, as --same-clock says.")
                .doesNotContain("lost between");
        assertThat(json("--same-clock", a, b))
                .satisfies(document -> assertThat(Json.asObject(
                                objects(document, "points").getLast().get("clock")))
                        .containsEntry("basis", "same"));
    }

    @Test
    void oneCanBeStandardInput() throws IOException {
        Offhook.Result result =
                new Offhook().input(Files.readAllBytes(Path.of(a))).with("where", "--format", "csv", "-", b);
        assertThat(result.code()).isZero();
        assertThat(result.out())
                .isEqualTo(Offhook.done("where", "--format", "csv", a, b).out());
    }

    @Test
    void theResultDoesNotDependOnLanes() {
        assertThat(Offhook.done("where", "--lanes", "1", a, b).out())
                .isEqualTo(Offhook.done("where", "--lanes", "3", a, b).out());
    }

    @Test
    void capturesThatShareNothingAreSaidTo() {
        String other = Captures.write(Captures.office().capture(), folder, "office.pcap");
        assertThat(Offhook.done("where", a, other).out())
                .contains("B shares no stream and no SIP message with the captures before it")
                .contains("The captures share nothing: no RTP stream");
        assertThat(json(a, other).get("streams")).isEqualTo(List.of());
    }

    @Test
    void whatCannotBeComparedIsMisuse() {
        assertThat(Offhook.run("where", a)).satisfies(result -> {
            assertThat(result.code()).isEqualTo(2);
            assertThat(result.err()).contains("one capture has nothing to be compared with");
        });
        assertThat(Offhook.run("where", "-", "-").code()).isEqualTo(2);
        String[] many = new String[28];
        Arrays.fill(many, a);
        many[0] = "where";
        assertThat(Offhook.run(many).err()).contains("27 captures are more than 26 points");
    }

    @Test
    void aFileThatCannotBeReadIsReported() {
        Offhook.Result result =
                Offhook.run("where", a, folder.resolve("none.pcap").toString());
        assertThat(result.code()).isEqualTo(3);
        assertThat(result.err()).contains("none.pcap: no such file");
        assertThat(result.out()).isEmpty();
    }
}
