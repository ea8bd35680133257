package io.offhook.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The library is silent, whatever the bytes: it writes nothing to standard output and standard error, and makes the Java
 * machine write nothing. And no bytes make it throw.
 */
class SilenceTest {
    private static final Path SAMPLES =
            Path.of("../../samples").toAbsolutePath().normalize();
    private static final Path SHARED = Path.of(System.getProperty("offhook.shared", "../../../shared"))
            .toAbsolutePath()
            .normalize()
            .resolve("captures");

    @TempDir
    private Path folder;

    /** What a run of {@link Exercise} in a Java machine of its own said, and what it did. */
    private record Run(int code, String out, String err, String report) {
        Map<String, Long> counts() {
            Map<String, Long> counts = new LinkedHashMap<>();
            report.lines().filter(line -> line.contains("\t")).forEach(line -> {
                String[] columns = line.split("\t", 2);
                counts.put(columns[0], Long.valueOf(columns[1]));
            });
            return counts;
        }
    }

    private Run run(List<String> options, String... arguments) throws IOException, InterruptedException {
        Path report = folder.resolve("report");
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-ea", "-Xmx1g"));
        command.addAll(options);
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), Exercise.class.getName(), report.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        process.getOutputStream().close();
        boolean isDone = process.waitFor(600, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        String said = Files.readString(err);
        assertThat(isDone)
                .as("ended within 10 minutes; standard error: %s", said)
                .isTrue();
        return new Run(
                process.exitValue(),
                Files.readString(out),
                said,
                Files.exists(report) ? Files.readString(report) : "no report");
    }

    private static void assertSilent(Run run) {
        assertThat(run.report()).endsWith("done\n");
        assertThat(run.out()).as("standard output").isEmpty();
        assertThat(run.err()).as("standard error").isEmpty();
        assertThat(run.code()).isZero();
    }

    @Test
    void saysNothingAboutTheSamples() throws Exception {
        Run run = run(List.of(), "40", "plain", SAMPLES.toString());

        assertSilent(run);
        assertThat(run.counts()).containsKeys("SIP messages", "RTP packets", "media lines", "datagrams", "segments");
        assertThat(run.counts().get("captures")).isGreaterThanOrEqualTo(2);
    }

    /** zstd-jni calls {@code System.load}, which who runs the program has to permit: docs/LIBRARY.md. */
    @Test
    void saysNothingAboutZstdWhereNativeCodeIsPermitted() throws Exception {
        assertSilent(run(List.of("--enable-native-access=ALL-UNNAMED"), "20", "zstd", SAMPLES.toString()));
    }

    @Test
    void saysNothingAboutAllCaptures() throws Exception {
        assumeTrue(Files.isDirectory(SHARED), "no captures at " + SHARED);

        Run run = run(List.of("--enable-native-access=ALL-UNNAMED"), "40", "zstd", SHARED.toString());

        assertSilent(run);
        assertThat(run.counts().get("captures")).isGreaterThan(1000);
        assertThat(run.counts().get("frames")).isGreaterThan(100_000);
        assertThat(run.counts().entrySet())
                .filteredOn(entry -> entry.getKey().startsWith("view "))
                .hasSizeGreaterThan(70)
                .as("each view is put on something that it reads")
                .allSatisfy(
                        entry -> assertThat(entry.getValue()).as(entry.getKey()).isPositive());
    }

    /** In this process: who prints is found by the trace. */
    @Test
    void printsNothing() throws Exception {
        PrintStream out = System.out;
        PrintStream err = System.err;
        Telltale telltale = new Telltale();
        try (PrintStream watched = new PrintStream(telltale, true, StandardCharsets.UTF_8)) {
            System.setOut(watched);
            System.setErr(watched);
            Exercise exercise = new Exercise(10, true);
            exercise.captures(SAMPLES);
            exercise.randomBytes();
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        assertThat(telltale.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    /** So that the above can fail: what the machine says is heard, on both, and what is thrown is told. */
    @Test
    void hearsWhatIsSaid() throws Exception {
        Run run = run(List.of("-Xlog:gc*:stderr", "-Xlog:gc*:stdout"), "x", "plain");

        assertThat(run.out()).isNotEmpty();
        assertThat(run.err()).isNotEmpty();
        assertThat(run.report()).contains("NumberFormatException");
        assertThat(run.code()).isOne();
    }

    /** The exception that docs/LIBRARY.md makes: of zstd the machine warns where nobody permitted it. */
    @Test
    void warnsOfZstdAloneWhereNativeCodeIsNotPermitted() throws Exception {
        Run run = run(List.of(), "1", "zstd", SAMPLES.toString());

        assertThat(run.report()).endsWith("done\n");
        assertThat(run.err().lines()).isNotEmpty().allMatch(line -> line.startsWith("WARNING: ") || line.isEmpty());
        assertThat(run.err()).contains("com.github.luben.zstd").doesNotContain("io.offhook");
    }

    private static final class Telltale extends ByteArrayOutputStream {
        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            if (size() == 0) {
                StringBuilder trace = new StringBuilder("printed by\n");
                for (StackTraceElement frame : Thread.currentThread().getStackTrace()) {
                    trace.append("\tat ").append(frame).append('\n');
                }
                byte[] text = trace.toString().getBytes(StandardCharsets.UTF_8);
                super.write(text, 0, text.length);
            }
            super.write(bytes, offset, length);
        }
    }
}
