package io.offhook.cli;

import static io.offhook.cli.OutputDocument.documented;
import static io.offhook.cli.OutputDocument.matches;
import static io.offhook.cli.OutputDocument.section;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.audio.AudioFields;
import io.offhook.cli.capture.CaptureStatistics;
import io.offhook.cli.capture.CaptureStatisticsOutput;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.doctor.DoctorFields;
import io.offhook.cli.flows.FlowFields;
import io.offhook.cli.forward.ForwardOutput;
import io.offhook.cli.input.CaptureEnd;
import io.offhook.cli.messages.MessagesFields;
import io.offhook.cli.proxy.FixedProxy;
import io.offhook.cli.replay.ReplayOutput;
import io.offhook.cli.rewrite.RewriteOutput;
import io.offhook.cli.stats.StatsFields;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.where.WhereFields;
import io.offhook.forward.ForwardStatistics;
import io.offhook.forward.application.StageFigure;
import io.offhook.linux.TaskStatus;
import io.offhook.linux.network.LinkState;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.linux.network.NetworkDevice.OperationalState;
import io.offhook.live.LanePlacement;
import io.offhook.live.LiveCounts;
import io.offhook.live.SendCounts;
import io.offhook.live.replay.ReplayOptions;
import io.offhook.live.replay.ReplayReport;
import io.offhook.live.replay.ReplayReport.End;
import io.offhook.live.replay.ReplaySpeed;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFormat;
import io.offhook.report.fields.CsvColumns;
import io.offhook.report.text.Times;
import io.offhook.testkit.traffic.CaptureWriter;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.SentCodec;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.traffic.TwoPoints;
import io.offhook.testkit.truth.Csv;
import io.offhook.testkit.truth.Party;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/OUTPUT.md against what is printed: every field printed is there, and every field there is printed. */
class OutputDocumentTest {
    @TempDir
    static Path folder;

    /** Under each command, all paths that any scenario had. */
    private static final Map<String, Set<String>> printed = new LinkedHashMap<>();

    @BeforeAll
    static void printScenarios() throws IOException {
        List<String> captures = new ArrayList<>();
        for (String name : Scenarios.all().keySet()) {
            captures.add(Captures.scenario(name, folder));
        }
        for (String name : Scenarios.legs().keySet()) {
            captures.add(Captures.scenario(name, folder));
        }
        captures.add(Captures.write(lossy().capture(), folder, "lossy.pcap"));
        captures.add(Captures.write(lossy().capture(CaptureWriter.pcapng().dropped(930)), folder, "dropped.pcapng"));
        captures.add(
                Files.write(folder.resolve("broken.pcap"), new byte[] {1, 2, 3}).toString());
        printPoints();
        for (String capture : captures) {
            print("calls", capture, "calls", "--passages");
            print("streams", capture, "streams", "--rtp-heuristic");
            print("wireshark", capture, "streams", "--wireshark");
            print("registrations", capture, "registrations");
            print("stats", capture, "stats");
            print("info", capture, "info");
            print("messages", capture, "messages", "-v");
            print("flows", capture, "flows");
            print("convert", capture, "convert", "-w", folder + "/w.pcap", "--headers-only");
            print("merge", capture, "merge", "-w", folder + "/w.pcapng");
            print("split", capture, "split", "-w", folder + "/w.pcapng", "--packets", "500");
            if (capture.endsWith("lossy.pcap")) {
                print("call ID", capture, "call", "1");
                print("audio ID", capture, "audio", "1", "--allow-audio", "-o", folder + "/audio.wav");
                print("calls", capture, "calls", "--jitter-buffer", "fixed:80");
            }
        }
    }

    /** Two points with everything that there is: what both have, and what one lacks. */
    private static void printPoints() throws IOException {
        TwoPoints.Captures points = new TwoPoints(1)
                .lostMessage("BYE")
                .clockOfBSet(6_000, 1500)
                .of(new Traffic(8)
                        .call(call -> call.rtcp(rtcp -> rtcp.extraLoss(Party.CALLEE, 1))
                                .answered()
                                .talk(12_000)
                                .hangUp(Party.CALLER))
                        .capture()
                        .frames());
        CaptureWriter.pcap().write(points.atA(), folder.resolve("a.pcap"));
        CaptureWriter.pcap().write(points.atB(), folder.resolve("b.pcap"));
        print("where", folder + "/b.pcap", "where", folder + "/a.pcap");
    }

    private static Traffic lossy() {
        return new Traffic(4)
                .call(call -> call.header("BYE", "Reason", "Q.850;cause=16")
                        .codec(SentCodec.PCMU)
                        .media(Party.CALLEE, shape -> shape.loss(0.1))
                        .answered()
                        .talk(3000)
                        .hangUp(Party.CALLER));
    }

    private static void print(String name, String capture, String command, String... options) {
        List<String> args = new ArrayList<>(List.of(command, "--format", "json"));
        args.addAll(List.of(options));
        args.add(capture);
        Offhook.Result result = Offhook.run(args.toArray(String[]::new));
        if (args.contains("-w") && capture.endsWith("broken.pcap")) {
            assertThat(result.out()).isEmpty(); // nothing is written of what cannot be read
            return;
        }
        Set<String> paths = printed.computeIfAbsent(name, key -> new TreeSet<>());
        for (String path : Json.paths(Json.object(result.out()))) {
            paths.add(path.replaceFirst("counters\\.[A-Za-z0-9]+", "counters.NAME")
                    .replaceFirst("(capture\\.settings)\\..+", "$1.KEY"));
        }
    }

    /** What was printed below a path; elements of arrays that are objects count by their fields. */
    private static Set<String> printed(String name, String prefix) {
        Set<String> paths = new TreeSet<>();
        for (String path : printed.getOrDefault(name, Set.of())) {
            if (path.startsWith(prefix) && !path.endsWith("[]")) {
                paths.add(path.substring(prefix.length()));
            }
        }
        return paths;
    }

    private static void assertSame(String heading, Set<String> printed) {
        assertThat(printed).as(heading).isEqualTo(documented(heading));
    }

    @Test
    void captureIsAsPrinted() {
        assertSame("### Capture", printed("calls", "capture."));
        Set<String> byDefault = printed("calls", "capture.");
        byDefault.remove("settings.KEY");
        assertThat(printed("streams", "capture.")).isEqualTo(byDefault);
        assertThat(printed("registrations", "capture.")).isEqualTo(byDefault);
        assertThat(printed("messages", "capture.")).isEqualTo(byDefault);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "calls",
                "call ID",
                "audio ID",
                "streams",
                "registrations",
                "stats",
                "where",
                "info",
                "messages",
                "flows",
                "convert",
                "merge",
                "split"
            })
    void documentsAreAsPrinted(String command) {
        Matcher row =
                Pattern.compile("(?m)^\\| `" + command + "` \\| `(\\{[^`]*})`").matcher(section("### Documents"));
        assertThat(row.find()).as(command).isTrue();
        Set<String> topmost = new TreeSet<>();
        for (String path : printed.getOrDefault(command, Set.of())) {
            topmost.add(path.replaceFirst("[.\\[].*", ""));
        }
        assertThat(matches("\"(\\w+)\":", row.group(1))).isEqualTo(topmost);
    }

    @Test
    void callIsAsPrinted() {
        Set<String> paths = printed("calls", "calls[].");
        paths.removeIf(path -> path.startsWith("streams[]"));
        assertSame("### Call", paths);
    }

    @Test
    void streamIsAsPrinted() {
        assertSame("### Stream", printed("streams", "streams[]."));
        Set<String> withoutProblems = printed("streams", "streams[].");
        withoutProblems.removeIf(path -> path.startsWith("problems"));
        assertThat(printed("calls", "calls[].streams[].")).isEqualTo(withoutProblems);
    }

    @Test
    void wiresharkStreamIsAsPrinted() {
        assertSame("### Wireshark stream", printed("wireshark", "streams[]."));
    }

    @Test
    void registrationIsAsPrinted() {
        assertSame("### Registration", printed("registrations", "registrations[]."));
    }

    @Test
    void statisticsAreAsPrinted() {
        assertSame("### Statistics", printed("stats", "statistics."));
    }

    @Test
    void audioIsAsPrinted() {
        assertSame("### Audio", printed("audio ID", "audio."));
        assertColumns("`audio ID`", AudioFields.COLUMNS);
    }

    @Test
    void pointsAreAsPrinted() {
        Set<String> point = printed("where", "points[].");
        point.removeIf(path -> path.startsWith("capture."));
        assertSame("### Point", point);
        assertThat(documented("### Capture")).containsAll(printed("where", "points[].capture."));
        assertSame("### Way", printed("where", "streams[]."));
        assertSame("### Missing message", printed("where", "messages[]."));
        assertThat(matches("`(\\w+)`", section("### Point"))).containsAll(printed("where", "counts."));
    }

    @Test
    void fileIsAsPrinted() {
        assertSame("### File", printed("info", "files[]."));
    }

    @Test
    void messageIsAsPrinted() {
        assertSame("### Message", printed("messages", "messages[]."));
    }

    @Test
    void flowIsAsPrinted() {
        Set<String> documented = documented("### Flow");
        Set<String> fields = new TreeSet<>();
        for (String path : printed("flows", "flows[].")) {
            String field = path.replaceFirst("^tcp\\.(forward|reverse)\\.", "");
            if (!path.matches("tcp\\.(forward|reverse)")) {
                fields.add(field);
            }
        }
        assertThat(fields).isEqualTo(documented);
        Set<String> columns = new TreeSet<>();
        for (String column : FlowFields.COLUMNS) {
            columns.add(column.replaceFirst("^tcp\\.(forward|reverse)\\.", ""));
        }
        documented.removeAll(Set.of("forward", "reverse", "tcp", "roundTrip", "timestampRoundTrip"));
        assertThat(columns).isEqualTo(documented);
        assertColumns("`flows`", FlowFields.COLUMNS.subList(0, FlowFields.COLUMNS.indexOf("tcp.handshakeMs") + 1));
    }

    @Test
    void captureOfFlowsIsAsPrinted() {
        assertThat(documented("### Capture")).containsAll(printed("flows", "capture."));
        assertThat(section("## Counters of flows")).contains("`flowPacketsNotIp`", "`flowsLeftOut`");
    }

    @Test
    void writtenIsAsPrinted() {
        assertSame("### Written", printed("convert", "written."));
        assertThat(printed("merge", "written.")).isEqualTo(printed("convert", "written."));
        assertThat(printed("split", "written.")).isEqualTo(printed("convert", "written."));
    }

    @Test
    void replayIsAsPrinted() throws IOException {
        SortedMap<Integer, Long> seenOn = new TreeMap<>(Map.of(1, 3L));
        ReplayOutput.Result result = new ReplayOutput.Result(
                List.of("x.pcap"),
                new NetworkDevice(
                        "eth0",
                        2,
                        NetworkDevice.ETHERNET,
                        new NetworkDevice.Status(1, OperationalState.UP),
                        1500,
                        "",
                        List.of()),
                ReplayOptions.of(ReplaySpeed.recorded(1)),
                new ReplayReport(End.DONE, 1, 9, 0, 0, 0, new SendCounts(9, 9, 900, 0, 0, 0, 0, 0, 0, 0), 1_000, 5),
                0,
                List.of(new LanePlacement.Lane("replay", 1, seenOn, new TaskStatus(7, 1, 2, 3, 4, 5))),
                List.of());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Terminal terminal = new Offhook().terminal(out, out);
        ReplayOutput.print(result, new OutputOptions(Format.JSON, Terminal.ColorMode.NEVER, Times.of(true)), terminal);
        terminal.flush();
        Set<String> fields = new TreeSet<>();
        for (String path : Json.paths(Json.object(out.toString(StandardCharsets.UTF_8)))) {
            if (!path.matches("replay|lanes|faults|.*\\[]|lanes\\[]\\.processors\\[].*")) {
                fields.add(path.replaceFirst("^replay\\.", ""));
            }
        }
        assertSame("### Replay", fields);
        assertColumns("`replay`", ReplayOutput.COLUMNS);
    }

    /** Made by hand: there is no capture without an interface, and no interface without permission. */
    private static String printedStatistics(Format format) throws IOException {
        LiveCounts counts = LiveCounts.NONE;
        CaptureStatistics statistics = new CaptureStatistics(
                "a.pcapng",
                CaptureFormat.PCAPNG,
                CaptureCompression.NONE,
                1,
                2,
                CaptureEnd.SIGNAL,
                1,
                2,
                3,
                4,
                5,
                6,
                counts,
                List.of(new CaptureStatistics.Interface("eth0", 1, 4, 6, counts)),
                List.of(new CaptureFault(CaptureFault.Kind.UNREADABLE, "eth0", -1, "gone")));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Terminal terminal = new Offhook().terminal(out, OutputStream.nullOutputStream());
        OutputOptions options = new OutputOptions(format, Terminal.ColorMode.NEVER, Times.of(true));
        CaptureStatisticsOutput.print(statistics, List.of(), options, false, terminal);
        terminal.flush();
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void capturedIsAsPrinted() throws IOException {
        Set<String> paths = new TreeSet<>();
        Set<String> ofInterfaces = new TreeSet<>();
        for (String path : Json.paths(Json.object(printedStatistics(Format.JSON)))) {
            if (path.startsWith("captured.")) {
                paths.add(path.substring("captured.".length()));
            } else if (path.startsWith("interfaces[].")) {
                ofInterfaces.add(path.substring("interfaces[].".length()));
            }
        }
        assertSame("### Captured", paths);
        assertThat(matches("`(\\w+)`", section("### Captured"))).containsAll(ofInterfaces);
        assertThat(section("### Documents"))
                .contains(
                        "| `capture` | `{\"captured\": {...}, \"interfaces\": [...], \"lanes\": [...], \"faults\": [...]}`");
        assertColumns("`capture`", CaptureStatisticsOutput.COLUMNS);
        assertColumns("`capture`", Csv.parse(printedStatistics(Format.CSV)).getFirst());
        for (CaptureEnd end : CaptureEnd.values()) {
            assertThat(section("### Captured")).contains("`" + end + "`");
        }
    }

    @Test
    void forwardIsAsPrinted() throws IOException {
        ForwardStatistics statistics = new ForwardStatistics(
                5,
                List.of(new ForwardStatistics.PortCounts(
                        "a", "memory", LinkState.UP, 1, 2, new ForwardStatistics.PortLosses(3, 4, 5), 6)),
                List.of(new ForwardStatistics.Drops("route", "no route", 7)),
                List.of(new ForwardStatistics.LaneCounts(0, 1, 2, 3, 4)),
                new ForwardStatistics.PacketCounts(1, 2, 3, 4, 5, 6, 7));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Terminal terminal = new Offhook().terminal(out, out);
        ForwardOutput.json(
                statistics,
                9,
                List.of(
                        new StageFigure.RuleCount("count", "udp", 3),
                        new StageFigure.TableCount("bridge", 4, 5, "addresses gave way"),
                        new StageFigure.FileCount(folder.resolve("mirror.pcapng"), 6, 7, null)),
                OptionalDouble.of(2.6),
                terminal);
        terminal.flush();
        Set<String> fields = new TreeSet<>();
        for (String path : Json.paths(Json.object(out.toString(StandardCharsets.UTF_8)))) {
            if (!path.endsWith("[]")) {
                fields.add(path);
            }
        }
        assertSame("### Forward", fields);
    }

    /** What the commands print of a proxy that runs. */
    @Test
    void runningProxyIsAsPrinted() throws IOException {
        try (FixedProxy proxy = new FixedProxy(folder)) {
            Set<String> call = proxyFields(proxy, "calls[].", "calls");
            call.addAll(proxyFields(proxy, "", "call", "two@host"));
            assertSame("### Proxy call", call);
            assertSame("### Proxy binding", proxyFields(proxy, "registrations[].", "registrations"));
            assertSame("### Proxy group", proxyFields(proxy, "groups[].", "groups"));
            assertSame("### Proxy statistics", proxyFields(proxy, "statistics.", "stats"));
            assertSame("### Proxy neighbour", proxyFields(proxy, "neighbours[].", "stats", "--messages"));
            assertSame("### Proxy log", proxyFields(proxy, "", "log"));
            assertSame("### Proxy trace", proxyFields(proxy, "traces[].", "trace", "caller=alice"));
            assertSame("### Proxy ban", proxyFields(proxy, "bans[].", "ban", "192.0.2.66"));
        }
    }

    private static Set<String> proxyFields(FixedProxy proxy, String prefix, String... words) {
        List<String> args = new ArrayList<>(List.of("proxy"));
        args.addAll(List.of(words));
        args.addAll(List.of("--socket", proxy.socket(), "--format", "json"));
        Set<String> fields = new TreeSet<>();
        for (String path :
                Json.paths(Json.object(Offhook.done(args.toArray(String[]::new)).out()))) {
            if (path.startsWith(prefix) && path.length() > prefix.length() && !path.endsWith("[]")) {
                fields.add(path.substring(prefix.length()));
            }
        }
        // what only holds others is clear from them
        fields.removeIf(path ->
                fields.stream().anyMatch(other -> other.startsWith(path + "[].") || other.startsWith(path + ".")));
        return fields;
    }

    @Test
    void packetIsAsPrinted() {
        String out = Offhook.run(
                        "print",
                        "--format",
                        "json",
                        folder.resolve("lossy.pcap").toString())
                .out();
        Set<String> fields = new TreeSet<>();
        out.lines().forEach(line -> {
            for (String path : Json.paths(Json.object(line))) {
                // what a layer has besides is that of its protocol
                if (!path.contains("[]") || path.matches("layers\\[]\\.(layer|offset|headerLength)")) {
                    fields.add(path);
                }
            }
        });
        assertSame("### Packet", fields);
    }

    @Test
    void csvColumnsAreAsPrinted() {
        assertColumns("`calls`", CsvColumns.CALL);
        assertColumns("`streams`", CsvColumns.STREAM);
        assertColumns("`streams --wireshark`", CsvColumns.WIRESHARK_STREAM);
        assertColumns("`registrations`", CsvColumns.REGISTRATION);
        assertColumns("`stats`", StatsFields.COLUMNS);
        assertColumns("`where`", WhereFields.COLUMNS);
        assertColumns("`info`", CsvColumns.FILE);
        assertColumns("`messages`", MessagesFields.COLUMNS);
        assertColumns("`convert`", RewriteOutput.COLUMNS);
        String print = Offhook.run(
                        "print", "--format", "csv", folder.resolve("lossy.pcap").toString())
                .out();
        assertColumns("`print`", Csv.parse(print).getFirst());
    }

    /** Of the doctor, on a copy that has a finding of each form. */
    @Test
    void findingIsAsPrinted() throws IOException {
        Path root = folder.resolve("machine");
        for (String name : List.of("rmem_max", "rmem_default")) {
            Path file = root.resolve("proc/sys/net/core/" + name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "212992\n");
        }
        Map<String, Object> json = Json.object(Offhook.run("doctor", "--root", root.toString(), "--format", "json")
                .out());
        String section = section("### Finding");
        assertThat(json.keySet())
                .isEqualTo(matches("\"(\\w+)\":", section.substring(0, section.indexOf("It looks twice"))));
        Set<String> fields = new TreeSet<>();
        for (Map<String, Object> finding : Json.objects(json.get("findings"))) {
            fields.addAll(Json.paths(finding));
        }
        fields.removeIf(path -> path.endsWith("[]"));
        assertThat(matches("(?m)^\\| `([^`]+)` \\|", section.substring(0, section.indexOf("Of `unread`"))))
                .isEqualTo(fields);
        assertThat(documented("### Finding")).contains("losing", "would-lose", "has-lost", "advice", "fine");
        for (Map<String, Object> unread : Json.objects(json.get("unread"))) {
            assertThat(unread.keySet()).allSatisfy(field -> assertThat(section).contains("`" + field + "`"));
        }
        assertColumns("`doctor`", DoctorFields.COLUMNS);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void watchedPortIsAsPrinted() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
            client.getOutputStream().write(1);
            List<Map<String, Object>> lines = Offhook.run(
                            "doctor",
                            "--watch",
                            "--port",
                            Integer.toString(server.getLocalPort()),
                            "--interval",
                            "0.1",
                            "--count",
                            "1",
                            "--format",
                            "json")
                    .out()
                    .lines()
                    .map(Json::object)
                    .toList();
            Set<String> fields = new TreeSet<>();
            for (Map<String, Object> line : lines) {
                for (String list : List.of("sockets", "totals")) {
                    if (line.get(list) != null) {
                        Json.objects(line.get(list)).forEach(socket -> fields.addAll(Json.paths(socket)));
                    }
                }
            }
            String section = section("### Watched port");
            assertThat(matches("(?m)^\\| `([^`]+)` \\|", section)).isEqualTo(fields);
            for (Map<String, Object> line : lines) {
                assertThat(line.keySet())
                        .allSatisfy(field -> assertThat(section).contains("`" + field + "`"));
            }
        }
    }

    private static void assertColumns(String command, List<String> columns) {
        Matcher block = Pattern.compile("(?m)^" + Pattern.quote(command) + "[^\n]*:\n\n```\n([^`]*)```")
                .matcher(section("## CSV"));
        assertThat(block.find()).as(command).isTrue();
        assertThat(List.of(block.group(1).strip().split("\\s+", -1)))
                .as(command)
                .isEqualTo(columns);
    }

    @Test
    void documentedConditionsAreAccepted() {
        String capture = folder.resolve("lossy.pcap").toString();
        for (String name : matches("\"([a-z-]+)\"", section("## --fail-on"))) {
            String condition = Set.of("mos", "mos-wb", "mos-fb", "jitter", "set-up", "duration", "calls")
                            .contains(name)
                    ? name + ">0"
                    : name;
            assertThat(Offhook.run("calls", "--fail-on", condition, capture).code())
                    .as(condition)
                    .isIn(0, 1);
        }
    }
}
