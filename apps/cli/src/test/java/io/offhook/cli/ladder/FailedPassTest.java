package io.offhook.cli.ladder;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Offhook;
import io.offhook.cli.calls.CallFilter;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.extract.PacketTarget;
import io.offhook.cli.input.FailingFiles;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Terminal;
import io.offhook.testkit.traffic.Traffic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is contained in any pass of {@code call} ends it with the code of an internal error, once all is written. */
class FailedPassTest {
    private static final int NONE = 0;

    @TempDir
    Path folder;

    private Path capture = Path.of("");
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void writeCapture() throws IOException {
        capture = Traffic.random(3, 4).capture().writeTo(folder.resolve("calls.pcap"));
    }

    private int call(int pass, String... options) throws IOException {
        out.reset();
        err.reset();
        CommandSpec spec = new CommandSpec("offhook call", "");
        new CallCommand().describe(spec);
        String[] words = new String[options.length + 2];
        words[0] = "1";
        words[1] = capture.toString();
        System.arraycopy(options, 0, words, 2, options.length);
        ParseResult arguments = ParseResult.of(spec, words);
        Terminal terminal = new Offhook().terminal(out, err);
        try (RereadableFiles files = FailingFiles.of(capture, pass)) {
            CallCommand.Found found = Objects.requireNonNull(
                    CallCommand.find("1", CallFilter.of(arguments), files, InputOptions.analysis(arguments), terminal));
            PacketTarget target = PacketTarget.of(arguments, OutputOptions.of(arguments), terminal);
            int code = CallCommand.print(arguments, found, files, target, terminal);
            terminal.flush();
            return code;
        }
    }

    private void assertReportedOnce() {
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .contains("internal error", "IndexOutOfBoundsException");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void writesPacketsToStandardOutputAndReportsIt(int pass) throws IOException {
        assertThat(call(NONE, "-w", "-")).isEqualTo(ExitCode.DONE);
        byte[] whole = out.toByteArray();
        assertThat(whole).hasSizeGreaterThan(1000);
        assertThat(err.size()).isZero();
        assertThat(call(pass, "-w", "-")).isEqualTo(ExitCode.INTERNAL);
        assertThat(out.toByteArray()).isEqualTo(whole);
        assertReportedOnce();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void printsTheCallWritesItsPacketsAndReportsIt(int pass) throws IOException {
        Path target = folder.resolve("one.pcapng");
        assertThat(call(NONE, "--format", "csv", "-w", target.toString())).isEqualTo(ExitCode.DONE);
        String printed = out.toString(StandardCharsets.UTF_8);
        byte[] whole = Files.readAllBytes(target);
        assertThat(call(pass, "--format", "csv", "-w", target.toString())).isEqualTo(ExitCode.INTERNAL);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(printed).isNotEmpty();
        assertThat(Files.readAllBytes(target)).isEqualTo(whole);
        assertReportedOnce();
    }

    @Test
    void reportsItWithoutPacketsToo() throws IOException {
        assertThat(call(1, "--format", "json")).isEqualTo(ExitCode.INTERNAL);
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("{").endsWith("}\n");
        assertReportedOnce();
    }
}
