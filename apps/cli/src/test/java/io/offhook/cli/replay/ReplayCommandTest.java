package io.offhook.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.live.SendCounts;
import io.offhook.live.replay.ReplayReport;
import io.offhook.live.replay.ReplaySpeed;
import io.offhook.testkit.peers.Program;
import io.offhook.testkit.truth.Csv;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Replays by real processes in a network namespace of their own, where there may be one. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class ReplayCommandTest {
    private static final String CALLS = "../../samples/calls.pcap";
    private static final int CALLS_PACKETS = 4501;

    private final String space = "offhook-replay-" + ProcessHandle.current().pid();
    private boolean hasSpace;

    private void makeSpace() throws IOException, InterruptedException {
        assumeTrue(
                System.getProperty("user.name").equals("root") && Files.isExecutable(Path.of("/usr/sbin/ip")),
                "needs root and ip (iproute2)");
        Program.run("ip", "netns", "add", space);
        hasSpace = true;
        Program.run("ip", "-n", space, "link", "add", "one", "type", "veth", "peer", "name", "two");
        Program.run("ip", "-n", space, "link", "set", "one", "up");
        Program.run("ip", "-n", space, "link", "set", "two", "up");
    }

    @AfterEach
    void removeSpace() throws IOException, InterruptedException {
        if (hasSpace) {
            Program.run("ip", "netns", "del", space);
        }
    }

    private ProcessBuilder offhook(List<String> before, String... args) {
        List<String> command =
                new ArrayList<>(List.of("ip", "netns", "exec", space, "env", "--default-signal=INT,TERM"));
        command.addAll(before);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.offhook.cli.Main",
                "replay"));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        builder.environment().put("OFFHOOK_TTY", "");
        return builder;
    }

    private static Offhook.Result result(ProcessBuilder builder, Path folder) throws IOException, InterruptedException {
        Path err = folder.resolve("err");
        Process process = builder.redirectError(err.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        return new Offhook.Result(code, out, Files.readString(err));
    }

    private Offhook.Result replay(Path folder, String... args) throws IOException, InterruptedException {
        return result(offhook(List.of(), args), folder);
    }

    @Test
    void reportsRequestedAndAchievedSpeed(@TempDir Path folder) throws Exception {
        makeSpace();
        Offhook.Result table = replay(folder, CALLS, "-i", "one", "--rate", "20kpps", "--pin");
        assertThat(table.code()).as(table.err()).isEqualTo(ExitCode.DONE);
        assertThat(table.out())
                .startsWith("4,501 packets (969.9 kB) sent to one in ")
                .contains("\nAsked for: 20,000 packets/s. Reached: ")
                .contains("\nAt worst a packet was sent ")
                .contains("\nLane replay: pinned to processor ");
        assertThat(table.err()).doesNotContain("offhook:");

        Offhook.Result json = replay(folder, CALLS, "-i", "one", "--top-speed", "--loop", "2", "--format", "json");
        Map<String, Object> document = Json.object(json.out());
        assertThat(number(document, "packetsSent")).isEqualTo(2 * CALLS_PACKETS);
        assertThat(number(document, "passes")).isEqualTo(2);
        assertThat(value(document, "end")).isEqualTo("done");
        assertThat(number(document, "driverDrops")).isZero();
        assertThat(received()).isGreaterThanOrEqualTo(3 * CALLS_PACKETS);
    }

    /** What the other end got, as the kernel counts it. */
    private long received() throws IOException, InterruptedException {
        return Long.parseLong(
                Program.run("ip", "netns", "exec", space, "cat", "/sys/class/net/two/statistics/rx_packets")
                        .strip());
    }

    @Test
    void showsAStatusLine() {
        SendCounts counts = new SendCounts(1_240, 1_234, 1_200_000, 6, 0, 0, 0, 0, 0, 0);
        ReplayReport report = new ReplayReport(ReplayReport.End.NOT_YET, 0, 1_240, 0, 0, 0, counts, 1, 100_500);
        assertThat(ReplayStatus.line(report, 1_000.4, 800_000))
                .isEqualTo("1,234 packets, 1.2 MB; 1,000 packets/s, 800.0 kbit/s; refused 6; at worst 0.101 ms late");
    }

    @Test
    void sendsFilteredPacketsAndCountsTooLongOnes(@TempDir Path folder) throws Exception {
        makeSpace();
        Program.run("ip", "-n", space, "link", "set", "one", "mtu", "500");
        Offhook.Result result =
                replay(folder, CALLS, "-i", "one", "--top-speed", "--filter", "udp port 5060", "--format=csv");
        List<List<String>> rows = Csv.parse(result.out());
        assertThat(rows.getFirst()).isEqualTo(ReplayOutput.COLUMNS);
        long read = cell(rows, "packetsRead");
        assertThat(read).isPositive();
        assertThat(cell(rows, "packetsFiltered")).isEqualTo(CALLS_PACKETS - read);
        assertThat(cell(rows, "refused.tooLong")).isPositive();
        assertThat(cell(rows, "packetsSent") + cell(rows, "refused.tooLong")).isEqualTo(read);
    }

    private static long cell(List<List<String>> rows, String column) {
        return Long.parseLong(rows.get(1).get(ReplayOutput.COLUMNS.indexOf(column)));
    }

    private static Object value(Map<String, Object> document, String name) {
        Map<String, Object> replay = Json.asObject(document.get("replay"));
        return Objects.requireNonNull(replay.get(name), name);
    }

    private static long number(Map<String, Object> document, String name) {
        return ((Number) value(document, name)).longValue();
    }

    /** A replay without an end, of which a hundred packets have arrived. */
    private Process startEndless(Path err) throws IOException, InterruptedException {
        makeSpace();
        ProcessBuilder builder = offhook(List.of(), CALLS, "-i", "one", "--rate", "1kpps", "--loop", "0");
        Process process = builder.redirectError(err.toFile()).start();
        while (received() < 100 && process.isAlive()) {
            Thread.onSpinWait();
        }
        return process;
    }

    @Test
    void endsCleanlyByASignal(@TempDir Path folder) throws Exception {
        Path err = folder.resolve("err");
        Process process = startEndless(err);
        process.toHandle().destroy(); // SIGTERM; ip has become java
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out + Files.readString(err)).isEqualTo(ExitCode.DONE);
        assertThat(out).contains("sent to one in ").contains("; whole passes: 0.");
    }

    @Test
    void reportsThatTheInterfaceDisappeared(@TempDir Path folder) throws Exception {
        Path err = folder.resolve("err");
        Process process = startEndless(err);
        Program.run("ip", "-n", space, "link", "del", "one");
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(out.readLine()).contains("sent to one in ");
        }
        assertThat(process.waitFor()).isEqualTo(ExitCode.UNWRITABLE);
        assertThat(Files.readString(err)).contains("interface one has disappeared");
    }

    @Test
    void reportsAMissingCarrier(@TempDir Path folder) throws Exception {
        makeSpace();
        Program.run("ip", "-n", space, "link", "set", "two", "down");
        long before = received();
        Offhook.Result result = replay(folder, CALLS, "-i", "one", "--top-speed", "--count", "10");
        assertThat(result.err()).contains("interface one has no carrier; packets sent there are lost");
        assertThat(received()).isEqualTo(before);
    }

    @Test
    void readsTheCapturesAsAnotherUser(@TempDir Path folder) throws Exception {
        makeSpace();
        Path secret = Files.copy(Path.of(CALLS), folder.resolve("secret.pcap"));
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        Offhook.Result refused = replay(folder, secret.toString(), "-i", "one", "--top-speed", "--user", "nobody");
        assertThat(refused.code()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(refused.err()).contains("secret.pcap");
        Offhook.Result open = replay(folder, secret.toString(), "-i", "one", "--top-speed");
        assertThat(open.out()).startsWith("4,501 packets");
    }

    @Test
    void reportsTheMissingCapability(@TempDir Path folder) throws Exception {
        makeSpace();
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "no setpriv (util-linux)");
        Offhook.Result result = result(
                offhook(List.of("setpriv", "--bounding-set=-net_raw", "--inh-caps=-net_raw"), CALLS, "-i", "one"),
                folder);
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("capability CAP_NET_RAW is missing").contains("setpriv");
    }

    @ParameterizedTest
    @CsvSource({
        "200pps, FRAMES, 200",
        "0.5pps, FRAMES, 0.5",
        "10kpps, FRAMES, 10000",
        "1.5Mpps, FRAMES, 1500000",
        "64kbps, BITS, 64000",
        "100Mbps, BITS, 100000000",
        "10Gbps, BITS, 10000000000"
    })
    void readsRates(String text, ReplaySpeed.Kind kind, double value) {
        ReplaySpeed speed = ReplayCommand.rate(text);
        assertThat(speed.kind()).isEqualTo(kind);
        assertThat(speed.value()).isEqualTo(value, within(1e-6));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "pps", "-5pps", "0pps", "1e3pps", "5 pps", "5Tbps", "5kPPS"})
    void rejectsInvalidRates(String text) {
        assertThatThrownBy(() -> ReplayCommand.rate(text))
                .isInstanceOf(MisuseException.class)
                .hasMessageStartingWith("--rate " + text + " is not a rate; ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-i lo --rate 5pps --multiply 2 | of --rate, --multiply and --top-speed only one can be",
                "-i lo --multiply 0 | --multiply 0 is not a number above 0",
                "-i lo --loop -1 | --loop -1 is less than 0",
                "-i lo --count 0 | --count 0 is less than 1",
                "-i lo --duration x | --duration x is not a time",
                "-i lo --cpu 9999 | --cpu 9999: processors 9999 are outside 0 to 8191",
                "-i lo --cpu 8000 | --cpu 8000: processor 8000 does not exist or is not allowed",
                "-i lo --idle sleep | --idle sleep is not one of spin, yield, park",
                "--top-speed | -i NAME is missing",
                "-i nosuch | there is no interface nosuch; existing ones: lo"
            })
    void rejectsInvalidOptions(String options, String message) {
        List<String> args = new ArrayList<>(List.of("replay", CALLS));
        args.addAll(List.of(options.split(" ", -1)));
        Offhook.Result result = Offhook.run(args.toArray(String[]::new));
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains(message);
    }

    @Test
    void readsStandardInputOnceOnly() {
        Offhook.Result result = Offhook.run("replay", "-", "-i", "lo", "--loop", "2");
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("--loop 2: standard input can be read once only");
    }
}
