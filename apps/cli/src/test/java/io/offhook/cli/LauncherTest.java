package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.offhook.cli.command.ExitCode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher in a checkout of its own, with a Maven and a Java that only note how they were called. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LauncherTest {
    private static final String JAVA = """
        #!/bin/sh
        case "$*" in
          *-XX:Nonsense*) echo "Unrecognized VM option 'Nonsense'"; exit 1 ;;
          *AOTCacheOutput*|*" -version") exit 0 ;;
        esac
        echo "$@"
        """;
    private static final String MAVEN = """
        #!/bin/sh
        echo "$@" >>"$BUILDS"
        [ -z "$BUILD_FAILS" ] || { echo 'it does not compile'; exit 1; }
        sleep "${BUILD_SECONDS:-0}"
        mkdir -p apps/cli/target/lib
        : >apps/cli/target/lib/offhook-cli.jar
        mkdir -p lab/research/target/lib lab/testkit/target/lib apps/docbook/target/lib apps/cluster/target/lib
        """;

    @TempDir
    Path folder;

    private Path root = Path.of("");
    private Path lock = Path.of("");
    private final Map<String, String> environment = new HashMap<>();

    private record Result(int code, String out, String err) {}

    @BeforeEach
    void makeCheckout() throws IOException {
        Path launcher = Path.of("../..").toAbsolutePath().normalize().resolve("offhook");
        assumeThat(launcher).exists();
        assumeThat(Path.of("/bin/sh")).exists();
        root = Files.createDirectories(folder.resolve("checkout"));
        lock = root.resolve("apps/cli/target/build.lock");
        Files.copy(launcher, root.resolve("offhook"));
        Files.writeString(root.resolve("pom.xml"), "");
        Path sources = Files.createDirectories(root.resolve("apps/cli/src/main"));
        Files.writeString(sources.resolve("Main.java"), "");
        Files.writeString(root.resolve("apps/cli/pom.xml"), "");
        Path home = folder.resolve("jdk");
        program(home.resolve("bin/java"), JAVA);
        program(home.resolve("bin/javac"), "#!/bin/sh\n");
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
        program(folder.resolve("bin/mvn"), MAVEN);
        environment.put("PATH", folder.resolve("bin") + ":/usr/bin:/bin");
        environment.put("OFFHOOK_JAVA_HOME", home.toString());
        environment.put("BUILDS", folder.resolve("builds").toString());
    }

    private static void program(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private Process start(String... words) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", root.resolve("offhook").toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder.redirectInput(
                        ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
    }

    private static Result result(Process process) throws IOException, InterruptedException {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), out, err);
    }

    private Result run(String... words) throws IOException, InterruptedException {
        return result(start(words));
    }

    private int builds() throws IOException {
        return buildCommands().size();
    }

    /** The words that each Maven had. */
    private List<String> buildCommands() throws IOException {
        Path builds = folder.resolve("builds");
        return Files.exists(builds) ? Files.readAllLines(builds) : List.of();
    }

    /** What is of a checkout only: built when it is asked for, each beside the command. */
    @ParameterizedTest
    @CsvSource({
        "bench, lab/research, io.offhook.research.Main, building the benchmarks on first use, -Presearch",
        "generate, lab/testkit, io.offhook.testkit.generate.Main, building the generator on first use, -am",
        "docbook, apps/docbook, io.offhook.docbook.render.Main, building the maker of books on first use, -am",
        "protoc-gen-docbook, apps/docbook, io.offhook.docbook.ProtocPlugin, building the maker of books on first, -am",
        "probe, apps/cluster, io.offhook.cluster.Main probe, building the probe on first use, -am",
        "cluster, apps/cluster, io.offhook.cluster.Main cluster, building the probe on first use, -am"
    })
    void buildsWhatIsOfACheckoutOnFirstUse(String word, String module, String main, String said, String option)
            throws IOException, InterruptedException {
        run("--version");
        Files.createDirectories(root.resolve(module));
        Files.writeString(root.resolve(module + "/pom.xml"), "");
        Result first = run(word, "--help");
        assertThat(first.err()).contains(said);
        assertThat(first.out()).contains(module + "/target/classes:").endsWith(main + " --help\n");
        assertThat(buildCommands().getLast().split(" ", -1)).contains(option);
        assertThat(buildCommands().getLast()).contains("-pl " + module);
        assertThat(run(word, "--help").err()).isEmpty();
        assertThat(run("--version").err()).contains("sources have changed");
        assertThat(builds()).isEqualTo(3);
    }

    /** protoc writes its request to the plugin as soon as it starts it: a build before must not read of it. */
    @Test
    void thePluginOfProtocIsAProgramThatKeepsItsInput() throws IOException, InterruptedException {
        Files.copy(
                Path.of("../..").toAbsolutePath().normalize().resolve("protoc-gen-docbook"),
                root.resolve("protoc-gen-docbook"));
        Files.createDirectories(root.resolve("apps/docbook"));
        Files.writeString(root.resolve("apps/docbook/pom.xml"), "");
        program(folder.resolve("bin/mvn"), MAVEN.replace("#!/bin/sh", "#!/bin/sh\ncat"));
        program(folder.resolve("jdk/bin/java"), "#!/bin/sh\ncat\n");
        Path link =
                Files.createSymbolicLink(folder.resolve("bin/protoc-gen-docbook"), root.resolve("protoc-gen-docbook"));
        assertThat(root.resolve("offhook").toFile().setExecutable(true)).isTrue();
        Path request = folder.resolve("request");
        Files.writeString(request, "a request");
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", link.toString());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Result result = result(builder.redirectInput(request.toFile()).start());
        assertThat(result.err()).contains("building the maker of books on first use");
        assertThat(result.out()).isEqualTo("a request");
    }

    /** An image has no lab: what is asked for goes to the command, which says that it does not know it. */
    @ParameterizedTest
    @ValueSource(strings = {"bench", "cluster", "generate", "docbook", "probe", "protoc-gen-docbook"})
    void runsTheCommandWithoutALab(String word) throws IOException, InterruptedException {
        assertThat(run(word, "x").out()).endsWith("offhook-cli.jar " + word + " x\n");
    }

    @Test
    void buildsOnFirstUseAndWhenSourcesHaveChanged() throws IOException, InterruptedException {
        Result first = run("--version");
        assertThat(first.code()).isZero();
        assertThat(first.err()).contains("building on first use");
        assertThat(first.out())
                .contains("-jar " + root.toRealPath() + "/apps/cli/target/lib/offhook-cli.jar --version");
        assertThat(run("--version").err()).isEmpty();
        assertThat(builds()).isEqualTo(1);
        Files.setLastModifiedTime(root.resolve("apps/cli/src/main/Main.java"), FileTime.from(Instant.now()));
        Files.setLastModifiedTime(
                root.resolve("apps/cli/target/lib/built"),
                FileTime.from(Instant.now().minusSeconds(5)));
        assertThat(run("--version").err()).contains("sources have changed");
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void buildsOnceForConcurrentStarts() throws IOException, InterruptedException {
        environment.put("BUILD_SECONDS", "1");
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            processes.add(start("--version"));
        }
        int waited = 0;
        for (Process process : processes) {
            Result result = result(process);
            assertThat(result.code()).isZero();
            waited += result.err().contains("waiting for " + root.toRealPath() + "/apps/cli/target/build.lock") ? 1 : 0;
        }
        assertThat(waited).isPositive();
        assertThat(builds()).isEqualTo(1);
        assertThat(Files.isSymbolicLink(lock)).isFalse();
    }

    /** Its number may be another process's by now: after a container was started anew, above all. */
    @ParameterizedTest
    @ValueSource(strings = {"999999999 1", "PID 1", "PID", "1 1"})
    void takesOverAStaleLock(String owner) throws IOException, InterruptedException {
        Files.createDirectories(lock.getParent());
        String own = Long.toString(ProcessHandle.current().pid());
        Files.createSymbolicLink(lock, Path.of(host() + " " + owner.replace("PID", own)));
        List<Process> processes = List.of(start("--version"), start("--version"), start("--version"));
        for (Process process : processes) {
            assertThat(result(process).code()).isZero();
        }
        assertThat(builds()).isEqualTo(1);
        assertThat(root.resolve("apps/cli/target/build.lock.taken")).doesNotExist();
    }

    @Test
    void waitsForALiveOwner() throws IOException, InterruptedException {
        Path stat = Path.of("/proc/self/stat");
        assumeThat(stat).exists();
        Files.createDirectories(lock.getParent());
        long pid = ProcessHandle.current().pid();
        String line = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String started = line.substring(line.lastIndexOf(')') + 2).split(" ", -1)[19];
        Files.createSymbolicLink(lock, Path.of(host() + " " + pid + " " + started));
        Process process = start("--version");
        assertThat(process.waitFor(2, TimeUnit.SECONDS)).isFalse();
        assertThat(builds()).isZero();
        Files.delete(lock);
        Result result = result(process);
        assertThat(result.code()).isZero();
        assertThat(result.err()).contains("process " + pid + " on " + host() + " is building, waiting for ");
        assertThat(builds()).isEqualTo(1);
    }

    /** Whether a process of another host lives cannot be seen: its lock is believed for an hour. */
    @Test
    void respectsALockOfAnotherHostForAnHour() throws IOException, InterruptedException {
        Files.createDirectories(lock.getParent());
        Files.createSymbolicLink(lock, Path.of("elsewhere 1 1"));
        Process process = start("--version");
        assertThat(process.waitFor(2, TimeUnit.SECONDS)).isFalse();
        new ProcessBuilder("touch", "-h", "-d", "2 hours ago", lock.toString())
                .start()
                .waitFor();
        assertThat(result(process).code()).isZero();
        assertThat(builds()).isEqualTo(1);
    }

    private static String host() throws IOException {
        Process uname = new ProcessBuilder("uname", "-n").start();
        String name = new String(uname.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return name.isEmpty() ? InetAddress.getLocalHost().getHostName() : name;
    }

    @Test
    void aSourceWithATimeInTheFutureIsBuiltOnce() throws IOException, InterruptedException {
        Files.setLastModifiedTime(
                root.resolve("apps/cli/src/main/Main.java"),
                FileTime.from(Instant.now().plusSeconds(86_400)));
        run("--version");
        run("--version");
        assertThat(run("--version").err()).isEmpty();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void failureToStartHasItsOwnExitCode() throws IOException, InterruptedException {
        environment.put("BUILD_FAILS", "1");
        Result failed = run("calls", "x.pcap");
        assertThat(failed.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(failed.err()).contains("it does not compile", "the build failed");
        environment.remove("BUILD_FAILS");
        run("--version");
        environment.put("OFFHOOK_JAVA_OPTIONS", "-XX:Nonsense");
        Result refused = run("calls", "x.pcap");
        assertThat(refused.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(refused.err()).contains("Unrecognized VM option", "Java does not start");
        environment.put("OFFHOOK_JAVA_HOME", folder.toString());
        assertThat(run("--version").code()).isEqualTo(ExitCode.UNAVAILABLE);
    }

    @ParameterizedTest
    @CsvSource({"'', true", "-Xmx1g, true", "-XX:+UseG1GC, false", "-Xmx1g -XX:+UseZGC, false"})
    void selectsACollectorUnlessOptionsDo(String options, boolean isSerial) throws IOException, InterruptedException {
        environment.put("OFFHOOK_JAVA_OPTIONS", options);
        Result result = run("--version");
        assertThat(result.code()).isZero();
        assertThat(result.out().contains("-XX:+UseSerialGC")).isEqualTo(isSerial);
        assertThat(result.out()).contains(options);
    }

    /** A proxy that is stopped for a collection keeps all of its callers waiting; questions to it are soon done. */
    @Test
    void aProxyHasTheCollectorThatHardlyStopsIt() throws IOException, InterruptedException {
        assertThat(run("proxy").out()).contains("-XX:+UseZGC").containsOnlyOnce("-XX:+Use");
        assertThat(run("proxy", "--config", "proxy.yaml").out()).contains("-XX:+UseZGC");
        assertThat(run("proxy", "stats").out()).contains("-XX:+UseSerialGC");
        environment.put("OFFHOOK_JAVA_OPTIONS", "-Xmx1g");
        assertThat(run("proxy").out()).contains("-XX:+UseZGC", "-Xmx1g");
        environment.put("OFFHOOK_JAVA_OPTIONS", "-XX:+UseG1GC");
        assertThat(run("proxy").out()).doesNotContain("UseZGC");
    }

    /** Large captures may have tens of thousands of calls at once. */
    @ParameterizedTest
    @CsvSource({
        "511, plain.pcap, -XX:+UseSerialGC",
        "512, plain.pcap, -XX:+UseParallelGC",
        "103, a.gz, -XX:+UseParallelGC"
    })
    void selectsTheCollectorBySize(int megabytes, String name, String expected)
            throws IOException, InterruptedException {
        try (RandomAccessFile file = new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
            file.setLength((long) megabytes << 20);
        }
        assertThat(run("calls", folder.resolve(name).toString()).out())
                .contains(expected)
                .containsOnlyOnce("-XX:+Use");
        assertThat(run("calls", folder.resolve(name).toString(), "-").out()).contains("-XX:+UseSerialGC");
        environment.put("JDK_JAVA_OPTIONS", "-XX:+UseG1GC");
        assertThat(run("calls", folder.resolve(name).toString()).out()).doesNotContain("UseSerialGC", "UseParallelGC");
    }

    /** Small captures get one compiler; what is compressed is larger inside. */
    @ParameterizedTest
    @CsvSource({"300, plain.pcap, true", "300, night.pcap.gz, false", "300, night.pcapng.zst, false", "100, a.gz, true"
    })
    void countsCompressedCapturesBySizeInside(int megabytes, String name, boolean isSmall)
            throws IOException, InterruptedException {
        Path capture = folder.resolve(name);
        try (RandomAccessFile file = new RandomAccessFile(capture.toFile(), "rw")) {
            file.setLength((long) megabytes << 20);
        }
        String out = run("calls", capture.toString()).out();
        assertThat(out.contains("first-compiler.options")).isEqualTo(isSmall);
        assertThat(out).contains("calls " + capture);
    }

    /** What goes on for hours gets both compilers, however small the files that it also names. */
    @ParameterizedTest
    @ValueSource(strings = {"-i eth0", "-ieth0", "--interface eth0", "--interface=eth0"})
    void liveCaptureUsesBothCompilers(String option) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("capture"));
        words.addAll(List.of(option.split(" ", -1)));
        words.addAll(List.of("-w", "x.pcapng"));
        String out = run(words.toArray(String[]::new)).out();
        assertThat(out).doesNotContain("first-compiler.options").contains("-w x.pcapng");
    }

    @Test
    void forwardingUsesBothCompilers() throws IOException, InterruptedException {
        Path config = Files.writeString(folder.resolve("f.yaml"), "ports: []");
        String out = run("forward", "--config", config.toString()).out();
        assertThat(out).doesNotContain("first-compiler.options").contains("forward --config");
    }

    /** What methods did while the cache was trained is not what they do there: it was half as fast by it. */
    @Test
    void forwardingDoesNotUseTheAotCache() throws IOException, InterruptedException {
        run("info", "x.pcap");
        Files.writeString(root.resolve("apps/cli/target/lib/offhook-25.0.3.aot"), "trained");
        assertThat(run("info", "x.pcap").out()).contains("-XX:AOTCache=");
        assertThat(run("forward", "--config", "f.yaml").out())
                .doesNotContain("AOT")
                .contains("forward --config f.yaml");
    }
}
