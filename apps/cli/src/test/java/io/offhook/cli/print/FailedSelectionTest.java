package io.offhook.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Offhook;
import io.offhook.cli.calls.CallFilter;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.FailingFiles;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Terminal;
import io.offhook.testkit.traffic.Traffic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is contained while calls are found ends {@code print} with the code of an internal error, once all is printed. */
class FailedSelectionTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int print(Path capture, int pass) throws IOException {
        out.reset();
        CommandSpec spec = new CommandSpec("offhook print", "");
        new PrintCommand().describe(spec);
        ParseResult arguments = ParseResult.of(spec, new String[] {capture.toString(), "--outcome", "answered"});
        Terminal terminal = new Offhook().terminal(out, err);
        try (RereadableFiles files = FailingFiles.of(capture, pass)) {
            return PrintCommand.run(arguments, files, CallFilter.of(arguments), terminal);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void printsAllAndReportsIt(int pass) throws IOException {
        Path capture = Traffic.random(3, 4).capture().writeTo(folder.resolve("calls.pcap"));
        assertThat(print(capture, 0)).isEqualTo(ExitCode.DONE);
        String whole = out.toString(StandardCharsets.UTF_8);
        assertThat(err.size()).isZero();
        assertThat(print(capture, pass)).isEqualTo(ExitCode.INTERNAL);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(whole).isNotEmpty();
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .contains("internal error");
    }
}
