package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.command.ExitCode;
import io.offhook.cli.terminal.Text;
import io.offhook.report.fields.CsvColumns;
import io.offhook.testkit.traffic.CaptureWriter;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Csv;
import io.offhook.testkit.truth.Party;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the commands print of captures whose content is known. */
class CommandsTest {
    @TempDir
    static Path folder;

    private static String office;

    @BeforeAll
    static void writeCapture() {
        office = Captures.write(Captures.office().capture(), folder, "office.pcap");
    }

    private static Map<String, Object> json(String... args) {
        Offhook.Result result = Offhook.run(args);
        assertThat(result.err()).isEmpty();
        return Json.object(result.out());
    }

    private static List<String> callIds(String... options) {
        List<String> args = new ArrayList<>(List.of("calls", "--format", "json", "--utc"));
        args.addAll(List.of(options));
        args.add(office);
        List<String> ids = new ArrayList<>();
        for (Map<String, Object> call :
                Json.objects(json(args.toArray(String[]::new)).get("calls"))) {
            ids.add(String.valueOf(call.get("callId")).replace("@office", ""));
        }
        return ids;
    }

    @Test
    void marksFiguresDuringCaptureLoss() {
        String dropped = Captures.write(
                Captures.office().capture(CaptureWriter.pcapng().dropped(930)), folder, "dropped.pcapng");
        String calls = Offhook.run("calls", dropped).out();
        assertThat(calls)
                .contains("Counted: packets lost by capture 930 (packets 1 to ")
                .contains("?: the capture itself lost packets, listeners may have heard better.")
                .containsPattern("\\d\\.\\d\\?");
        String info = Offhook.run("info", "--utc", dropped).out();
        assertThat(info).containsPattern("packets lost by capture +930 \\(packets 1 to [0-9,]+, \\S+ to \\S+\\)");
        Map<String, Object> document = json("calls", "--format", "json", dropped);
        Map<String, Object> loss = Json.objects(
                        Json.asObject(document.get("capture")).get("losses"))
                .getFirst();
        assertThat(loss)
                .containsEntry("file", dropped)
                .containsEntry("packets", 930L)
                .containsEntry("firstFrame", 1L);
        for (Map<String, Object> call : Json.objects(document.get("calls"))) {
            for (Map<String, Object> stream : Json.objects(call.get("streams"))) {
                assertThat(Json.asObject(stream.get("mosInputs"))).containsEntry("trusted", false);
            }
        }
    }

    @Test
    void reportsEncryptedSignalling() {
        String capture = Captures.scenario("encrypted-signalling", folder);
        String server = Json.text(
                Json.objects(Json.asObject(json("calls", "--format", "json", capture)
                                        .get("capture"))
                                .get("encryptedSignalling"))
                        .getFirst(),
                "server");
        assertThat(server).endsWith(":5061");
        String line = "1 TLS stream on port 5061 (" + server + "): encrypted signalling, its calls cannot be seen";
        assertThat(Offhook.run("calls", capture).out())
                .contains(line + ".\n", "Counted: TLS streams ", "\noffhook streams finds RTP without SIP.\n")
                .doesNotContain("No SIP was found");
        assertThat(Offhook.run("info", capture).out()).containsPattern("Encrypted +" + Pattern.quote(line) + "\n");
        assertThat(Offhook.run("calls", office).out()).doesNotContain("encrypted signalling");
    }

    @Test
    void callsListsPartiesTimesAndOutcomes() {
        Map<String, Object> document = json("calls", "--format", "json", office);
        assertThat(document).containsOnlyKeys("capture", "calls", "streams");
        List<Map<String, Object>> calls = Json.objects(document.get("calls"));
        assertThat(calls)
                .extracting(call -> call.get("outcome"))
                .containsExactly("answered", "busy", "cancelled", "answered");
        Map<String, Object> first = calls.getFirst();
        assertThat(first)
                .containsEntry("callId", "one@office")
                .containsEntry("from", "alice")
                .containsEntry("to", "bob")
                .containsEntry("finalStatus", 200L)
                .containsEntry("transport", "UDP")
                .containsEntry("hungUpBy", "callee");
        assertThat(Json.text(first, "invitedAt")).matches("1700000000\\.[0-9]{9}");
        List<Map<String, Object>> streams = Json.objects(first.get("streams"));
        assertThat(streams)
                .extracting(stream -> stream.get("direction"))
                .containsExactlyInAnyOrder("from caller", "from callee");
        assertThat(streams)
                .allSatisfy(stream -> assertThat(Json.text(stream, "ssrc")).matches("0x[0-9A-F]{8}"));
        assertThat(calls.get(1)).containsEntry("codec", null).containsEntry("hungUpBy", null);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void theDocumentDoesNotDependOnTheNumberOfLanes(int lanes) {
        String capture = Captures.write(Traffic.random(5, 12).capture(), folder, "random.pcap");
        String one = Offhook.run("calls", "--format", "json", "--lanes", "1", capture)
                .out();
        String several = Offhook.run("calls", "--format", "json", "--lanes", Integer.toString(lanes), capture)
                .out();
        assertThat(several).isEqualTo(one);
    }

    @ParameterizedTest
    @CsvSource({
        "--from alice, one",
        "--from ALI*, one",
        "--from lic, one",
        "--from lic*, ''",
        "--to bob, one four",
        "--to 1002, two",
        "--number *456, two",
        "--number a, one three",
        "--number alice --number dave, one three",
        "--call-id three@, three",
        "--outcome busy, two",
        "'--outcome busy,cancelled', two three",
        "--since 22:13:20.9, three four",
        "--since 2023-11-14T22:13:20.9Z --until 1700000001.2, three",
        "--until 2023-11-14T22:13:20.4Z, one",
        "--until 2023-11-14, one two three four",
        "--since 2023-11-15, ''",
        "--address 203.0.113.250, ''",
        "--address 0.0.0.0/0, one two three four",
        "--bad, ''",
        "--bad --all-problems, two three",
        "--failed, two three",
        "--failed --to bob, ''"
    })
    void filtersSelectCalls(String options, String expected) {
        List<String> wanted = expected.isEmpty() ? List.of() : List.of(expected.split(" ", -1));
        assertThat(callIds(options.split(" ", -1))).isEqualTo(wanted);
    }

    @Test
    void anAddressOfSignallingOrMediaFindsItsCall() {
        Map<String, Object> call = Json.objects(
                        json("calls", "--format", "json", office).get("calls"))
                .getFirst();
        String leg = Json.text(Json.objects(call.get("legs")).getFirst(), "source");
        String media = Json.text(Json.objects(call.get("streams")).getFirst(), "source");
        assertThat(callIds("--address", leg)).contains("one");
        assertThat(callIds("--address", media)).containsExactly("one");
        assertThat(callIds("--address", media.substring(0, media.lastIndexOf(':'))))
                .contains("one");
    }

    @ParameterizedTest
    @CsvSource({
        "bad, 0, ''",
        "cancelled, 1, 'offhook: --fail-on cancelled: 1 call, the first is three@office'",
        "no-final-response, 0, ''",
        "busy, 1, 'offhook: --fail-on busy: 1 call, the first is two@office'",
        "one-way, 0, ''",
        "loss, 0, ''",
        "mos<2, 0, ''",
        "mos<4.5, 1, 'offhook: --fail-on mos<4.5: 2 calls, the first is one@office'",
        "no-answer, 1, 'offhook: --fail-on no-answer: 2 calls, the first is two@office'",
        "calls>3, 1, 'offhook: --fail-on calls>3: 4 calls'",
        "no-calls, 0, ''",
        "'mos<2,duration>1.2', 1, 'offhook: --fail-on duration>1.2: 2 calls, the first is one@office'"
    })
    void failOnSetsTheExitCode(String conditions, int code, String message) {
        Offhook.Result result = Offhook.run("calls", "--fail-on", conditions, office);
        assertThat(result.err().strip()).isEqualTo(message);
        assertThat(result.code()).isEqualTo(code);
    }

    @Test
    void failOnLooksAtTheCallsListed() {
        assertThat(Offhook.run("calls", "--fail-on", "busy", "--from", "alice", office)
                        .code())
                .isZero();
        assertThat(Offhook.run("calls", "--fail-on", "no-calls", "--from", "nobody", office)
                        .code())
                .isEqualTo(1);
    }

    @Test
    void csvHasOneLinePerCallWithStreamsOfBothSides() {
        List<List<String>> rows =
                Csv.parse(Offhook.run("calls", "--format", "csv", office).out());
        assertThat(rows).hasSize(5);
        assertThat(rows.getFirst()).isEqualTo(CsvColumns.CALL);
        assertThat(rows).allSatisfy(row -> assertThat(row).hasSameSizeAs(CsvColumns.CALL));
        List<String> first = rows.get(1);
        assertThat(first.get(CsvColumns.CALL.indexOf("callId"))).isEqualTo("one@office");
        assertThat(first.get(CsvColumns.CALL.indexOf("streams.count"))).isEqualTo("2");
        assertThat(Integer.parseInt(first.get(CsvColumns.CALL.indexOf("streams.fromCaller.packets"))))
                .isPositive();
        assertThat(first.get(CsvColumns.CALL.indexOf("streams.fromCallee.mosInputs.codec")))
                .isNotEmpty();
    }

    @Test
    void streamsListsEachStreamOnceWithItsCall() {
        Map<String, Object> document = json("streams", "--format", "json", office);
        List<Map<String, Object>> streams = Json.objects(document.get("streams"));
        assertThat(streams)
                .hasSize(4)
                .extracting(stream -> stream.get("callId"))
                .containsOnly("one@office", "four@office");
        assertThat(Csv.parse(Offhook.run("streams", "--format", "csv", office).out()))
                .hasSize(5)
                .first()
                .isEqualTo(CsvColumns.STREAM);
    }

    @Test
    void listsStreamsOfNoCall() {
        String capture = Captures.scenario("media-without-signalling", folder);
        List<Map<String, Object>> found =
                Json.objects(json("streams", "--format", "json", capture).get("streams"));
        assertThat(found)
                .hasSize(4)
                .allSatisfy(stream ->
                        assertThat(stream).containsEntry("callId", null).containsEntry("direction", null));
        assertThat(Json.objects(json("calls", "--format", "json", capture).get("streams")))
                .isEmpty();
        assertThat(Json.objects(json("calls", "--rtp-heuristic", "--format", "json", capture)
                        .get("streams")))
                .hasSize(4);
        assertThat(Offhook.run("calls", capture).out()).contains("No SIP was found");
    }

    @Test
    void streamsOfRtpAloneHavePlayoutIntervalsAndProblems() {
        Traffic traffic = new Traffic(4)
                .call(call -> call.media(Party.CALLEE, shape -> shape.loss(0.1))
                        .answered()
                        .talk(12_000)
                        .hangUp(Party.CALLER));
        String capture = Captures.write(traffic.capture(), folder, "rtp-alone.pcap");
        String[] alone = {"streams", "--filter", "not port 5060", "--intervals", "--jitter-buffer", "fixed:60", capture
        };
        List<String> args = new ArrayList<>(List.of(alone));
        args.addAll(List.of("--format", "json"));
        List<Map<String, Object>> streams =
                Json.objects(json(args.toArray(String[]::new)).get("streams"));
        Map<String, Object> lossy = streams.stream()
                .filter(stream -> !Json.objects(stream.get("problems")).isEmpty())
                .findFirst()
                .orElseThrow();
        assertThat(streams).hasSize(2);
        assertThat(lossy).containsEntry("callId", null);
        assertThat(Json.objects(lossy.get("problems")))
                .extracting(problem -> problem.get("kind"))
                .contains("loss", "lowMos");
        assertThat(Json.objects(lossy.get("problems")).getFirst())
                .containsEntry("class", "service")
                .containsEntry("side", null);
        assertThat(Json.text(Json.objects(lossy.get("problems")).getFirst(), "text"))
                .contains(" % lost")
                .doesNotContain("from");
        assertThat(Json.asObject(lossy.get("playout"))).containsEntry("buffer", "fixed");
        assertThat(Json.objects(lossy.get("intervals"))).hasSizeBetween(2, 3);
        assertThat(Offhook.done(alone).out()).containsPattern("% lost.*MOS ").containsPattern("(?m)^0:05 +[0-9]+");
        List<List<String>> rows =
                Csv.parse(Offhook.done("streams", "--format", "csv", capture).out());
        assertThat(rows.stream().map(row -> row.get(CsvColumns.STREAM.indexOf("problems"))))
                .anyMatch(text -> text.contains(" % lost"));
    }

    private static double figure(Map<String, Object> of, String name) {
        return Double.parseDouble(String.valueOf(of.get(name)));
    }

    @Test
    void intervalsShowWhatTheReceiverReportedMeanwhile() {
        Traffic traffic = new Traffic(4)
                .call(call -> call.rtcp(rtcp -> rtcp.extended().intervalMs(2000).extraLoss(Party.CALLEE, 7))
                        .answered()
                        .talk(12_000)
                        .hangUp(Party.CALLER));
        String capture = Captures.write(traffic.capture(), folder, "rtcp.pcap");
        Map<String, Object> stream = Json.objects(Json.objects(json("calls", "--intervals", "--format", "json", capture)
                                .get("calls"))
                        .getFirst()
                        .get("streams"))
                .getFirst();
        Map<String, Object> whole = Json.asObject(stream.get("farEnd"));
        List<Map<String, Object>> reported = Json.objects(stream.get("intervals")).stream()
                .filter(interval -> interval.get("farEnd") != null)
                .map(interval -> Json.asObject(interval.get("farEnd")))
                .toList();

        assertThat(reported).hasSize(3);
        assertThat(reported.stream()
                        .mapToDouble(each -> figure(each, "reports"))
                        .sum())
                .isEqualTo(figure(whole, "reports"));
        assertThat(reported.stream()
                        .mapToDouble(each -> figure(each, "lostPercent"))
                        .max())
                .hasValue(figure(whole, "maxLostPercent"));
        assertThat(reported.stream()
                        .mapToDouble(each -> figure(each, "mosListening"))
                        .min())
                .hasValue(figure(whole, "mosListening"));
        assertThat(reported)
                .allSatisfy(each -> assertThat(figure(each, "discardPercent")).isNotNegative());
        assertThat(Offhook.done("call", "1", "--intervals", capture).out()).contains("RTCP loss %");
    }

    @Test
    void wiresharkFiguresHaveWiresharksNames() {
        List<Map<String, Object>> streams = Json.objects(
                json("streams", "--wireshark", "--format", "json", office).get("streams"));
        assertThat(streams)
                .hasSize(4)
                .allSatisfy(stream -> assertThat(stream)
                        .containsKeys(
                                "ssrc",
                                "source",
                                "destination",
                                "packets",
                                "lost",
                                "maxDeltaMs",
                                "meanJitterMs",
                                "maxJitterMs")
                        .doesNotContainKey("duplicates"));
        assertThat(Csv.parse(Offhook.run("streams", "--wireshark", "--format", "csv", office)
                                .out())
                        .getFirst())
                .isEqualTo(CsvColumns.WIRESHARK_STREAM);
    }

    @Test
    void registrationsHaveResults() {
        String capture = Captures.scenario("registrations", folder);
        List<Map<String, Object>> all =
                Json.objects(json("registrations", "--format", "json", capture).get("registrations"));
        assertThat(all).extracting(registration -> registration.get("user")).containsExactly("alice", "bob", "carol");
        assertThat(all)
                .extracting(registration -> registration.get("outcome"))
                .containsExactly("registered", "rejected", "unanswered");
        assertThat(Offhook.run("registrations", "--outcome", "rejected", capture)
                        .out())
                .contains("bob", "1 of 3 registrations")
                .doesNotContain("alice");
    }

    @Test
    void infoAnalysesEachFileSeparately() {
        String quiet = Captures.scenario("no-call-at-all", folder);
        List<Map<String, Object>> files =
                Json.objects(json("info", "--format", "json", office, quiet).get("files"));
        assertThat(files).extracting(file -> file.get("path")).containsExactly(office, quiet);
        assertThat(files).extracting(file -> file.get("calls")).containsExactly(4L, 0L);
        assertThat(files.getFirst()).containsEntry("format", "pcap").containsEntry("linkTypes", List.of("ether"));
        assertThat(Offhook.run("info", office).out()).contains("Link types", "ether", "Registrations");
        assertThat(Offhook.run("info", office, quiet).out()).contains("2 files");
    }

    @Test
    void infoFindsTheFilesThatHoldACall() {
        String quiet = Captures.scenario("no-call-at-all", folder);
        Offhook.Result result = Offhook.run("info", "--from", "alice", "--format", "csv", quiet, office);
        assertThat(Csv.parse(result.out()))
                .hasSize(2)
                .last()
                .satisfies(row -> assertThat(row).contains(office));
    }

    @Test
    void infoReportsWhatIsWrongWithFilesThatTheFilterLeavesOut() {
        String missing = folder.resolve("is-not-there.pcap").toString();
        Offhook.Result result = Offhook.run("info", office, missing, "--from", "alice");
        assertThat(result.code()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(result.out()).contains("office.pcap").doesNotContain("is-not-there.pcap");
        assertThat(result.err()).contains("is-not-there.pcap");
    }

    @Test
    void severalFilesAreOneCapture() {
        String other = Captures.write(
                new Traffic(8)
                        .at(100)
                        .call(call -> call.callId("five@office").from("zoe").invite())
                        .capture(),
                folder,
                "other.pcap");
        Map<String, Object> document = json("calls", "--format", "json", office, other);
        assertThat(Json.objects(document.get("calls")))
                .extracting(call -> call.get("callId"))
                .contains("one@office", "five@office");
        assertThat(Json.objects(Json.asObject(document.get("capture")).get("files")))
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 60, 80, 100, 132, 160})
    void tablesFitTheTerminal(int columns) {
        String capture = Captures.write(Traffic.random(9, 25).capture(), folder, "many.pcap");
        for (String command : new String[] {"calls", "streams", "registrations", "flows"}) {
            Offhook.Result result = new Offhook()
                    .onTerminal(columns)
                    .environment("NO_COLOR", "1")
                    .with(command, capture);
            assertThat(table(result.out())).as(command).allSatisfy(line -> {
                assertThat(Text.width(line)).isLessThanOrEqualTo(columns);
                assertThat(line).doesNotEndWith(" ");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {72, 80, 100, 132})
    void linesOfPacketsFitTheTerminal(int columns) {
        Traffic traffic = Traffic.random(9, 25)
                .call(call -> call.ipv6().answered().talk(500).hangUp(Party.CALLER));
        String capture = Captures.write(traffic.capture(), folder, "lines.pcap");
        for (String command : new String[] {"messages", "print"}) {
            Offhook.Result result = new Offhook()
                    .onTerminal(columns)
                    .environment("NO_COLOR", "1")
                    .with(command, capture);
            assertThat(table(result.out()))
                    .as(command)
                    .hasSizeGreaterThan(50)
                    .allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(columns))
                    .anyMatch(line -> line.matches(".*(INVITE|RTP).*"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "calls --rtp-heuristic",
                "streams",
                "messages",
                "info",
                "flows",
                "registrations",
                "print --count 5",
                "call 1"
            })
    void timesAreIsoTextIfAskedFor(String command) {
        List<String> args = new ArrayList<>(List.of(command.split(" ")));
        args.addAll(List.of("--format", "json", office));
        String epoch = Offhook.done(args.toArray(String[]::new)).out();
        assertThat(epoch).containsPattern("\"1700000000\\.[0-9]{9}\"").doesNotContain("2023-11-14T");
        args.addAll(List.of("--time", "iso"));
        String iso = Offhook.done(args.toArray(String[]::new)).out();
        assertThat(Pattern.compile("\"2023-11-14T22:(13:(\\d\\d))\\.(\\d{9})Z\"")
                        .matcher(iso)
                        .replaceAll(match -> "\"" + (1_700_000_000 + Integer.parseInt(match.group(2)) - 20) + "."
                                + match.group(3) + "\""))
                .isEqualTo(epoch);
    }

    @Test
    void timesInCsvAreIsoTextIfAskedFor() {
        List<List<String>> rows = Csv.parse(Offhook.done("calls", "--format", "csv", "--time", "iso", office)
                .out());
        assertThat(rows.get(1).get(CsvColumns.CALL.indexOf("invitedAt"))).matches("2023-11-14T22:13:2\\d\\.\\d{9}Z");
        assertThat(Offhook.run("calls", "--time", "local", office).err())
                .contains("--time local is not one of epoch, iso");
    }

    @Test
    void whatHasNoRoomIsNamed() {
        String out = new Offhook()
                .onTerminal(60)
                .environment("NO_COLOR", "1")
                .with("calls", office)
                .out();
        assertThat(out).contains("\n#  From", "\nNot shown at 60 columns: ");
        assertThat(new Offhook()
                        .onTerminal(200)
                        .environment("NO_COLOR", "1")
                        .with("calls", office)
                        .out())
                .doesNotContain("Not shown");
    }

    /** The lines up to the empty one that the summary follows. */
    private static List<String> table(String out) {
        return out.lines().takeWhile(line -> !line.isEmpty()).toList();
    }

    @Test
    void usesColoursOnlyIfTheTerminalSupportsThem() {
        String escape = "\u001b[";
        assertThat(new Offhook().onTerminal(100).with("calls", office).out()).contains(escape);
        assertThat(Offhook.run("calls", office).out()).doesNotContain(escape);
        assertThat(Offhook.run("calls", "--color", "always", office).out()).contains(escape);
        assertThat(new Offhook()
                        .onTerminal(100)
                        .with("calls", "--color", "never", office)
                        .out())
                .doesNotContain(escape);
        assertThat(new Offhook()
                        .onTerminal(100)
                        .environment("NO_COLOR", "1")
                        .with("calls", office)
                        .out())
                .doesNotContain(escape);
        assertThat(new Offhook()
                        .onTerminal(100)
                        .environment("TERM", "dumb")
                        .with("calls", office)
                        .out())
                .doesNotContain(escape);
        assertThat(new Offhook()
                        .onTerminal(100)
                        .with("calls", "--format", "json", office)
                        .out())
                .doesNotContain(escape);
    }

    @Test
    void progressIsForTerminalsOnly() {
        assertThat(new Offhook().terminals("").with("calls", office).err()).isEmpty();
        // a second has not passed: nothing to see yet
        assertThat(new Offhook().terminals("12").with("calls", office).err()).isEmpty();
    }

    @Test
    void everyScenarioIsValidInEveryFormat() {
        for (String name : Scenarios.all().keySet()) {
            String capture = Captures.scenario(name, folder);
            for (String command : new String[] {"calls", "streams", "registrations", "info"}) {
                Offhook.Result result = Offhook.run(command, "--format", "json", capture);
                assertThat(result.code())
                        .as(command + " " + name + result.err())
                        .isZero();
                Json.object(result.out());
                List<List<String>> rows = Csv.parse(
                        Offhook.run(command, "--format", "csv", capture).out());
                assertThat(rows)
                        .as(command + " " + name)
                        .allSatisfy(row -> assertThat(row).hasSameSizeAs(rows.getFirst()));
                assertThat(Offhook.run(command, capture).out())
                        .as(command + " " + name)
                        .doesNotContain("\u001b", "NaN");
            }
        }
    }
}
