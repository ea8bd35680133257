package io.offhook.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.report.text.Decimals;
import io.offhook.testkit.truth.Csv;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
public class DoctorCommandTest {
    @TempDir
    Path folder;

    /** A copy of a machine that has one fault: what programs may ask for. */
    private String copy() throws IOException {
        write("proc/sys/net/core/rmem_max", "212992\n");
        write("proc/sys/net/core/rmem_default", "212992\n");
        write("proc/sys/net/core/netdev_max_backlog", "1000\n");
        write("proc/sys/net/core/wmem_max", "300000\n");
        write("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
        write("sys/devices/system/cpu/online", "0-1\n");
        write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
        write("proc/self/status", "CapEff:\t0000000000000000\n");
        write("proc/self/limits", "Max locked memory         65536                65536                bytes     \n");
        return folder.toString();
    }

    private void write(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void groupsFindingsBySeverityWithValuesReasonsAndCommands() throws IOException {
        Offhook.Result result = Offhook.run("doctor", "--root", copy());
        assertThat(result.code()).isEqualTo(ExitCode.FOUND);
        assertThat(result.out())
                .startsWith("""
                    Would lose packets
                      programs cannot get a receive buffer above 212,992 bytes, whatever they request
                          net.core.rmem_max today 212,992, advised 16,777,216 bytes
                          because a packet of 200 bytes takes\
                    """)
                .contains("\n      sysctl -w net.core.rmem_max=16777216\n\nAdvice\n")
                .contains("\nNot read\n  counters of interfaces: it is not there (/proc/net/dev)\n")
                .contains("\n1 thing must change; 0 counters of earlier losses, 3 of advice, ")
                .doesNotContain("\nFine\n");
        assertThat(result.err()).isEmpty();
        assertThat(Offhook.run("doctor", "-v", "--root", copy()).out())
                .contains("\nFine\n")
                .contains("  Linux 6.1.0-18-amd64 has all that the backends need\n")
                .contains(
                        "      net.core.wmem_max today 300,000 bytes; 4,194,304 would be advised, were it too little\n");
    }

    @Test
    void endsWithNothingToDo() throws IOException {
        String root = copy();
        write("proc/sys/net/core/rmem_max", "33554432\n");
        Offhook.Result result = Offhook.run("doctor", "--root", root);
        assertThat(result.code()).isEqualTo(ExitCode.DONE);
        assertThat(result.out()).contains("\nNothing must change; ");
    }

    @Test
    void linesFitATerminalButCommandsAreWhole() throws IOException {
        String out = new Offhook()
                .onTerminal(80)
                .with("doctor", "--color", "never", "--root", copy())
                .out();
        assertThat(out.lines().filter(line -> line.length() > 80))
                .containsExactly("      for f in /sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor; do echo"
                        + " performance > $f; done");
    }

    @Test
    void printsJsonAndCsv() throws IOException {
        Map<String, Object> json = Json.object(
                Offhook.run("doctor", "--root", copy(), "--format", "json").out());
        assertThat(json.get("mustChange")).isEqualTo(true);
        Map<String, Object> first = Json.objects(json.get("findings")).getFirst();
        assertThat(first)
                .containsEntry("severity", "would-lose")
                .containsEntry("id", "receive-buffer-max")
                .containsEntry("subject", "");
        assertThat(Json.asObject(first.get("setting")))
                .isEqualTo(
                        Map.of("name", "net.core.rmem_max", "now", "212992", "advised", "16777216", "unit", "bytes"));
        assertThat(Json.objects(first.get("remedies")))
                .containsExactly(Map.of(
                        "command", "sysctl -w net.core.rmem_max=16777216",
                        "sysctl", "net.core.rmem_max",
                        "value", "16777216"));

        // what is fine tells its setting, too
        assertThat(Json.objects(json.get("findings")))
                .anySatisfy(finding -> assertThat(finding)
                        .containsEntry("severity", "fine")
                        .containsEntry("id", "send-buffer")
                        .containsEntry(
                                "setting",
                                Map.of(
                                        "name",
                                        "net.core.wmem_max",
                                        "now",
                                        "300000",
                                        "advised",
                                        "4194304",
                                        "unit",
                                        "bytes")));

        List<List<String>> rows = Csv.parse(
                Offhook.run("doctor", "--root", copy(), "--format", "csv").out());
        assertThat(rows.getFirst()).isEqualTo(DoctorFields.COLUMNS);
        assertThat(rows.get(1))
                .startsWith("would-lose", "receive-buffer-max", "")
                .endsWith("sysctl -w net.core.rmem_max=16777216");
    }

    @Test
    void emitsWhatItAdvises() throws IOException {
        Offhook.Result sysctl = Offhook.run("doctor", "--root", copy(), "--emit", "sysctl.conf");
        assertThat(sysctl.code()).isEqualTo(ExitCode.DONE);
        assertThat(sysctl.out().lines().filter(line -> !line.startsWith("#") && !line.isBlank()))
                .containsExactly("net.core.rmem_max = 16777216", "net.core.rmem_default = 4194304");
        assertThat(sysctl.out()).contains("# today net.core.rmem_max 212992 bytes\n");

        String commands =
                Offhook.run("doctor", "--root", copy(), "--emit", "commands.sh").out();
        assertThat(commands).startsWith("#!/bin/sh\n");
        // a unit is for its owner to name
        assertThat(commands.lines().filter(line -> !line.startsWith("#") && !line.isBlank()))
                .containsExactly("for f in /sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor; do echo"
                        + " performance > $f; done");
        assertThat(commands).contains("\n# systemctl edit UNIT # [Service] LimitMEMLOCK=67108864\n");
    }

    private static String said(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    static boolean canReadSysctls() throws IOException, InterruptedException {
        return Files.isExecutable(Path.of("/usr/sbin/sysctl"))
                && said("/usr/sbin/sysctl", "--help").contains("--dry-run");
    }

    @Test
    @EnabledIf(value = "canReadSysctls", disabledReason = "needs sysctl --dry-run (procps 4)")
    void sysctlUnderstandsWhatIsEmitted() throws Exception {
        write("proc/sys/net/ipv4/udp_mem", "762396\t1016528\t1524792\n");
        write("proc/net/sockstat", "UDP: inuse 9 mem 1100000\n");
        Path file = folder.resolve("sysctl.conf");
        Files.writeString(
                file,
                Offhook.run("doctor", "--root", copy(), "--emit", "sysctl.conf").out());
        assertThat(said("/usr/sbin/sysctl", "--dry-run", "-p", file.toString()).lines())
                .containsExactlyInAnyOrder(
                        "net.core.rmem_max = 16777216",
                        "net.core.rmem_default = 4194304",
                        "net.ipv4.udp_mem = 2033056 3049584 4574376");
    }

    @Test
    void shellUnderstandsWhatIsEmitted() throws Exception {
        Path script = folder.resolve("commands.sh");
        Files.writeString(
                script,
                Offhook.run("doctor", "--root", copy(), "--emit", "commands.sh").out());
        Process shell = new ProcessBuilder("sh", "-n", script.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(shell.waitFor()).isZero();
    }

    @Test
    void rejectsInvalidOptions() throws IOException {
        String root = copy();
        assertThat(Offhook.run("doctor", "--emit", "all").err())
                .contains("--emit all is not one of sysctl.conf, commands.sh");
        assertThat(Offhook.run("doctor", "--watch", "--root", root).code()).isEqualTo(ExitCode.MISUSE);
        assertThat(Offhook.run("doctor", "--count", "3").err()).contains("--count requires --watch");
        assertThat(Offhook.run("doctor", "--watch", "--count", "0").code()).isEqualTo(ExitCode.MISUSE);
        assertThat(Offhook.run("doctor", "--interval", "0").err()).contains("less than 0.1 seconds");
        assertThat(Offhook.run("doctor", "--interval", "soon").err()).contains("is not a number of seconds");
        assertThat(Offhook.run("doctor", "--interval", "2", "--root", root).err())
                .contains("--interval cannot be combined with --root");
        assertThat(Offhook.run("doctor", "--root", root + "/proc").err()).contains("has no directory proc");
        assertThat(Offhook.run("doctor", "-i", "no-such").err()).contains("there is no interface no-such; there are ");
    }

    static boolean canMakeNamespaces() {
        return System.getProperty("user.name").equals("root")
                && List.of("/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip").stream()
                        .anyMatch(ip -> Files.isExecutable(Path.of(ip)));
    }

    /** In a network namespace of its own, with a program that binds a port and never reads. */
    @Nested
    @EnabledIf(
            value = "io.offhook.cli.doctor.DoctorCommandTest#canMakeNamespaces",
            disabledReason = "needs root and ip (iproute2)")
    @Timeout(120)
    class InANamespace {
        private final String space = "offhook-d-" + ProcessHandle.current().pid();
        private Process receiver;
        private BufferedReader answers;
        private Writer orders;

        @BeforeEach
        void make() throws Exception {
            done("ip", "netns", "add", space);
            done("ip", "-n", space, "link", "set", "lo", "up");
            receiver = java("io.offhook.cli.SlowReceiver").start();
            answers = receiver.inputReader(StandardCharsets.UTF_8);
            orders = receiver.outputWriter(StandardCharsets.UTF_8);
            assertThat(answers.readLine()).isEqualTo("bound");
        }

        @AfterEach
        void remove() throws Exception {
            receiver.destroy();
            receiver.waitFor();
            done("ip", "netns", "del", space);
        }

        private ProcessBuilder java(String main, String... arguments) {
            List<String> command = new ArrayList<>(List.of(
                    "ip",
                    "netns",
                    "exec",
                    space,
                    "env",
                    "--default-signal=INT,TERM", // whatever runs the tests ignores
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    main));
            command.addAll(List.of(arguments));
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
            builder.environment().put("OFFHOOK_TTY", "");
            return builder;
        }

        private Process doctor(String... arguments) throws IOException {
            List<String> all = new ArrayList<>(List.of("doctor"));
            all.addAll(List.of(arguments));
            return java("io.offhook.cli.Main", all.toArray(String[]::new)).start();
        }

        private String said(int code, String... arguments) throws Exception {
            Process process = doctor(arguments);
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isEqualTo(code);
            return said;
        }

        /** Of all interfaces; of the processors, which are the host's, anything may be found. */
        private Map<String, Object> report() throws Exception {
            Process process = doctor("--format", "json", "--interval", "0.1");
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Map<String, Object> report = Json.object(said);
            assertThat(process.waitFor())
                    .as(said)
                    .isEqualTo(Boolean.TRUE.equals(report.get("mustChange")) ? ExitCode.FOUND : ExitCode.DONE);
            return report;
        }

        private static String done(String... command) throws Exception {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            return said;
        }

        private int send(String address, int count) throws IOException {
            orders.write(address + " " + count + "\n");
            orders.flush();
            return Integer.parseInt(answers.readLine());
        }

        private String subject() {
            return "UDP 127.0.0.1:5060, java (" + receiver.pid() + ")";
        }

        @Test
        void namesTheSocketThatDroppedAndItsProgram() throws Exception {
            assertThat(send("127.0.0.1", 5_000)).isEqualTo(5_000);
            String said = said(ExitCode.FOUND, "-i", "lo", "--format", "json", "--interval", "0.1");

            Map<String, Object> finding = Json.objects(Json.object(said).get("findings")).stream()
                    .filter(one -> "socket-drops".equals(one.get("id")))
                    .findFirst()
                    .orElseThrow();
            assertThat(finding).containsEntry("subject", subject()).containsEntry("severity", "would-lose");
            Matcher memory = Pattern.compile("skmem:\\(r(\\d+),rb(\\d+),.*,d(\\d+)\\)")
                    .matcher(done("ip", "netns", "exec", space, "ss", "-uamn", "sport", "= :5060"));
            assertThat(memory.find()).isTrue();
            long drops = Long.parseLong(memory.group(3));
            assertThat(drops).isBetween(4_900L, 4_999L);
            assertThat(Json.text(finding, "text"))
                    .startsWith(Decimals.grouped(drops) + " lost (drops); "
                            + Decimals.grouped(Long.parseLong(memory.group(1))) + " of "
                            + Decimals.grouped(Long.parseLong(memory.group(2))) + " bytes wait");
            // each of them is one that UDP counted, and is told once
            assertThat(said).doesNotContain("\"udp-receive-buffer\"");
            // of this namespace, which is not the host's
            assertThat(said).contains("it is not in this network namespace");
        }

        @Test
        void watchNamesTheQueueThatGrewAndWhatItLost() throws Exception {
            Process watch = doctor("--watch", "--interval", "0.5", "--count", "6");
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(watch.getInputStream(), StandardCharsets.UTF_8));
            assertThat(lines.readLine()).startsWith("Watching sockets and processors; ");
            assertThat(send("127.0.0.1", 3_000)).isEqualTo(3_000);

            List<String> said = lines.readAllLines();
            assertThat(watch.waitFor()).isEqualTo(ExitCode.FOUND);
            // in one line, or in several if it looked while they came
            Pattern lost = Pattern.compile("[0-9:.]+  lost ([0-9,]+)  " + Pattern.quote(subject())
                    + ": the socket's receive buffer was full \\(drops, ([0-9,]+) in all\\); .* of 32,768 bytes wait");
            long sum = 0;
            String all = "";
            for (Matcher line :
                    said.stream().map(lost::matcher).filter(Matcher::matches).toList()) {
                sum += Long.parseLong(line.group(1).replace(",", ""));
                all = line.group(2);
            }
            assertThat(sum).as(said.toString()).isBetween(2_900L, 2_999L);
            assertThat(all).isEqualTo(Decimals.grouped(sum));
            assertThat(said)
                    .anySatisfy(line -> assertThat(line)
                            .matches("[0-9:.]+  grew by [0-9,]+  " + Pattern.quote(subject())
                                    + ": [0-9,]+ of 32,768 bytes wait"));
            assertThat(said.getLast()).matches("2,9\\d\\d packets lost");
        }

        @Test
        void watchEndsByASignalWithWhatItFound() throws Exception {
            Process watch = doctor("--watch", "--format", "json", "--interval", "0.2");
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(watch.getInputStream(), StandardCharsets.UTF_8));
            int sent = 0;
            // until it has looked for the first time, nothing is new
            while (!lines.ready()) {
                sent += send("127.0.0.1", 500);
                TimeUnit.MILLISECONDS.sleep(50);
            }
            Map<String, Object> look = Json.object(lines.readLine());
            assertThat(Json.objects(look.get("losses")))
                    .anySatisfy(loss -> assertThat(loss)
                            .containsEntry("cause", "socket")
                            .containsEntry("subject", subject())
                            .containsEntry("limit", 32_768L));
            assertThat(sent).isPositive();
            // as Ctrl-C does
            done("kill", "-INT", Long.toString(watch.pid()));
            assertThat(watch.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(watch.exitValue()).isEqualTo(ExitCode.FOUND);
        }

        /** As who enters a container's by nsenter: ip netns exec gives a /sys of its own. */
        @Test
        void takesInterfacesFromNoOtherNamespacesSys() throws Exception {
            assumeTrue(Files.isExecutable(Path.of("/usr/bin/nsenter")), "needs nsenter (util-linux)");
            done("ip", "-n", space, "link", "add", "in0", "type", "veth", "peer", "name", "in1");
            ProcessBuilder builder =
                    java("io.offhook.cli.Main", "doctor", "--format", "json", "-i", "in0", "--interval", "0.1");
            List<String> command = new ArrayList<>(List.of("nsenter", "--net=/run/netns/" + space));
            command.addAll(builder.command().subList(4, builder.command().size()));
            Process process = builder.command(command).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isIn(ExitCode.DONE, ExitCode.FOUND);

            Map<String, Object> report = Json.object(said);
            assertThat(Json.objects(report.get("findings")))
                    .filteredOn(finding -> "interface-receive-drops".equals(finding.get("id")))
                    .extracting(finding -> finding.get("subject"))
                    .containsExactly("in0");
            assertThat(Json.objects(report.get("unread")))
                    .filteredOn(unread -> "/sys/class/net".equals(unread.get("path")))
                    .singleElement()
                    .satisfies(unread -> {
                        assertThat(unread).containsEntry("reason", "it is that of another network namespace");
                        assertThat(Json.text(unread, "remedy")).contains("mount -t sysfs sysfs /sys");
                    });
        }

        /** Of a port, the queues behind its sockets lose its packets too. */
        @Test
        void watchOfAPortNamesTheQueueThatPacketsLeaveBy() throws Exception {
            makeASlowQueue();
            Process watch = doctor("--watch", "--port", "5060", "-i", "out0", "--interval", "0.5", "--count", "6");
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(watch.getInputStream(), StandardCharsets.UTF_8));
            assertThat(lines.readLine()).startsWith("Watching port 5060, processors, out0; ");
            assertThat(lines.readLine())
                    .endsWith("  queues  " + subject() + ": 0 of 32,768 bytes to receive, 0 of 212,992 to send");
            send("192.0.2.2", 200);

            List<String> said = lines.readAllLines();
            assertThat(watch.waitFor()).isEqualTo(ExitCode.FOUND);
            assertThat(said)
                    .anySatisfy(line -> assertThat(line)
                            .matches("[0-9:.]+  lost [0-9,]+  out0, tbf: the queue that packets leave by was full"
                                    + " \\(drops, [0-9,]+ in all\\)"));
        }

        private void makeASlowQueue() throws Exception {
            done("ip", "-n", space, "link", "add", "out0", "type", "veth", "peer", "name", "far0");
            done("ip", "-n", space, "link", "set", "far0", "up");
            done("ip", "-n", space, "addr", "add", "192.0.2.1/24", "dev", "out0");
            done("ip", "-n", space, "link", "set", "out0", "up", "txqueuelen", "5");
            done(
                    "tc", "-n", space, "qdisc", "add", "dev", "out0", "root", "tbf", "rate", "8kbit", "burst", "1600",
                    "limit", "3000");
            done("ip", "-n", space, "neigh", "add", "192.0.2.2", "lladdr", "02:00:00:00:00:02", "dev", "out0");
        }

        @Test
        void namesTheQueueThatPacketsLeaveBy() throws Exception {
            makeASlowQueue();
            send("192.0.2.2", 200);

            Map<String, Object> finding = Json.objects(report().get("findings")).stream()
                    .filter(one -> "send-queue".equals(one.get("id")))
                    .findFirst()
                    .orElseThrow();
            assertThat(finding).containsEntry("subject", "out0, tbf").containsEntry("severity", "has-lost");
            Matcher dropped = Pattern.compile("dropped (\\d+)")
                    .matcher(done("tc", "-n", space, "-s", "qdisc", "show", "dev", "out0"));
            assertThat(dropped.find()).isTrue();
            assertThat(Integer.parseInt(dropped.group(1))).isGreaterThan(100);
            assertThat(Json.text(finding, "text")).startsWith(dropped.group(1) + " lost (drops)");
        }
    }
}
