package io.offhook.cli.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Offhook;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.FailingFiles;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Terminal;
import io.offhook.testkit.traffic.Traffic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is contained while calls are found ends {@code split --per call} with the code of an internal error. */
class FailedSplitTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int split(Path capture, int pass, Path into) throws IOException {
        CommandSpec spec = new CommandSpec("offhook split", "");
        new SplitCommand().describe(spec);
        ParseResult arguments =
                ParseResult.of(spec, new String[] {capture.toString(), "-w", into.toString(), "--per", "call"});
        Terminal terminal = new Offhook().terminal(out, err);
        OutputOptions output = OutputOptions.of(arguments);
        RewriteTarget target = RewriteTarget.of(arguments, output, terminal, true);
        try (RereadableFiles files = FailingFiles.of(capture, pass)) {
            return SplitGroups.run(files, target, SplitGroups.Per.CALL, output, terminal);
        }
    }

    private static List<byte[]> files(Path of) throws IOException {
        List<byte[]> all = new ArrayList<>();
        try (Stream<Path> paths = Files.list(of)) {
            for (Path path : paths.sorted().toList()) {
                all.add(Files.readAllBytes(path));
            }
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void writesAllFilesAndReportsIt(int pass) throws IOException {
        Path capture = Traffic.random(3, 4).capture().writeTo(folder.resolve("calls.pcap"));
        Path whole = Files.createDirectory(folder.resolve("whole"));
        Path failed = Files.createDirectory(folder.resolve("failed"));
        assertThat(split(capture, 0, whole.resolve("c.pcap"))).isEqualTo(ExitCode.DONE);
        assertThat(err.size()).isZero();
        assertThat(split(capture, pass, failed.resolve("c.pcap"))).isEqualTo(ExitCode.INTERNAL);
        assertThat(files(failed)).hasSizeGreaterThan(2).containsExactlyElementsOf(files(whole));
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .contains("internal error");
    }
}
