package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.command.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the process ends, and what it says then. */
class MainTest {
    @TempDir
    static Path folder;

    private static String capture;

    @BeforeAll
    static void writeCapture() {
        capture = Captures.write(Captures.office().capture(), folder, "office.pcap");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "-V"})
    void printsTheVersionOfTheBuild(String option) {
        Offhook.Result result = Offhook.run(option);
        assertThat(result.code()).isZero();
        assertThat(result.out()).matches("offhook [0-9]+\\.[0-9]+\\.[0-9]+(-SNAPSHOT)? \\(JDK 25[0-9.]*\\)\n");
    }

    @Test
    void helpListsEveryCommandButTheHiddenOne() {
        Offhook.Result result = Offhook.run("--help");
        assertThat(result.code()).isZero();
        assertThat(result.out())
                .contains("calls", "call ", "registrations", "streams", "messages", "flows", "info", "print")
                .contains("convert", "merge", "split")
                .doesNotContain("train");
        assertThat(result.out().lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
        assertThat(Offhook.run("help").out()).isEqualTo(result.out());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "calls",
                "call",
                "registrations",
                "streams",
                "messages",
                "flows",
                "info",
                "print",
                "convert",
                "merge",
                "split"
            })
    void everyCommandHasHelp(String command) {
        Offhook.Result result = Offhook.run(command, "--help");
        assertThat(result.code()).isZero();
        assertThat(result.out())
                .startsWith("Usage: offhook " + command + " [OPTIONS] ")
                .contains("--format");
        assertThat(result.err()).isEmpty();
        assertThat(Offhook.run("help", command).out()).isEqualTo(result.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"calls", "registrations", "streams", "messages", "flows", "info", "print"})
    void everyPacketCommandHasAFilter(String command) {
        assertThat(Offhook.run(command, "--help").out())
                .contains("--from", "--to", "--number", "--address", "--call-id", "--since", "--until", "--outcome");
    }

    @Test
    void printsUsageAndFailsWithoutArguments() {
        Offhook.Result result = Offhook.run();
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("Usage: offhook");
    }

    @Test
    void misuseNamesWhatIsAccepted() {
        assertMisuse("there is no command strem; did you mean streams?", "strem");
        assertMisuse("offhook docbook comes with a checkout of the sources", "docbook", "book.xml");
        assertMisuse("there is no option --bda", "calls", "--bda", capture);
        assertMisuse("did you mean --format?", "calls", "--formt", "json", capture);
        assertMisuse("--format xml is not one of table, json, csv", "calls", "--format", "xml", capture);
        assertMisuse("FILE is missing; see offhook calls --help", "calls");
        assertMisuse("the command is missing before " + capture + "; try: offhook calls " + capture, capture);
        assertMisuse("--lanes 0 is outside 1 to 256", "calls", "--lanes", "0", capture);
        assertMisuse("--remember 5 is outside 1,000 to 524,288", "calls", "-i", "none", "--remember", "5");
        assertMisuse("--remember", "calls", "--remember", "5000", capture);
        assertMisuse("--lanes two is not a whole number", "calls", "--lanes", "two", capture);
        assertMisuse(
                "--outcome great is not an outcome; one of answered, busy", "calls", "--outcome", "great", capture);
        assertMisuse("--since noon is not a time", "calls", "--since", "noon", capture);
        assertMisuse("--address pbx is not an IP address", "calls", "--address", "pbx", capture);
        assertMisuse("--fail-on never is not a condition", "calls", "--fail-on", "never", capture);
    }

    private static void assertMisuse(String message, String... args) {
        Offhook.Result result = Offhook.run(args);
        assertThat(result.code()).as(String.join(" ", args)).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).startsWith("offhook: ").contains(message).hasLineCount(1);
        assertThat(result.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"calls", "registrations", "streams", "info"})
    void reportsUnreadableFilesWithPathAndReason(String command) throws IOException {
        Path text = Files.writeString(folder.resolve("notes.txt"), "Call the customer back, it was not us.");
        Path empty = Files.write(folder.resolve("empty.pcap"), new byte[0]);
        assertUnreadable("no such file", command, folder.resolve("missing.pcap"));
        assertUnreadable("directory", command, folder);
        assertUnreadable("pcap, pcapng or snoop", command, text);
        assertUnreadable("empty.pcap", command, empty);
        assertUnreadable("no file matches the pattern", command, folder.resolve("*.nothing"));
    }

    private static void assertUnreadable(String message, String command, Path file) {
        Offhook.Result result = Offhook.run(command, file.toString());
        assertThat(result.code()).as(command + " " + file).isEqualTo(ExitCode.UNREADABLE);
        assertThat(result.err())
                .startsWith("offhook: " + file + ": ")
                .contains(message)
                .doesNotContain("\tat ");
        if (!command.equals("info")) {
            assertThat(result.out()).isEmpty();
        }
    }

    @Test
    void reportsPacketsBeforeTheDamage() throws IOException {
        byte[] whole = Files.readAllBytes(Path.of(capture));
        Path cut = Files.write(folder.resolve("cut.pcap"), Arrays.copyOf(whole, whole.length - 17));
        Offhook.Result result = Offhook.run("calls", "--format", "csv", cut.toString());
        assertThat(result.code()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(result.err()).matches("(?s)offhook: .*cut\\.pcap: at byte [0-9]+: .*was expected.*");
        assertThat(result.out()).contains("one@office", "two@office", "three@office");
    }

    @Test
    void readsOtherFilesIfOneIsUnreadable() {
        Offhook.Result result = Offhook.run(
                "calls", "--format", "csv", folder.resolve("missing.pcap").toString(), capture);
        assertThat(result.code()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(result.out()).contains("one@office");
    }

    @Test
    void endsQuietlyWhenTheReaderClosesThePipe() {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        for (String format : new String[] {"table", "json", "csv"}) {
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            int code =
                    Main.run(new String[] {"calls", "--format", format, capture}, new Offhook().terminal(closed, err));
            assertThat(code).as(format).isZero();
            assertThat(err.toString(StandardCharsets.UTF_8)).as(format).isEmpty();
        }
    }

    @Test
    void reportsAFullDisk() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        for (String format : new String[] {"table", "json", "csv"}) {
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            int code = Main.run(new String[] {"calls", "--format", format, capture}, new Offhook().terminal(full, err));
            assertThat(code).as(format).isEqualTo(ExitCode.UNWRITABLE);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .isEqualTo("offhook: the output cannot be written: No space left on device\n");
        }
    }

    @Test
    void printsInternalErrorsOnOneLineUnlessTheTraceIsRequested() {
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int octet) {
                throw new IllegalStateException("a bug");
            }
        };
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(new String[] {"--version"}, new Offhook().terminal(broken, err));
        assertThat(code).isEqualTo(ExitCode.INTERNAL);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("a bug", "OFFHOOK_DEBUG=1")
                .hasLineCount(1);

        err.reset();
        Main.run(
                new String[] {"--version"},
                new Offhook().environment("OFFHOOK_DEBUG", "1").terminal(broken, err));
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("a bug", "\tat ");
    }

    @Test
    void readsStandardInputForADash() throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(capture));
        Offhook.Result result = new Offhook().input(bytes).with("calls", "--format", "csv", "-");
        assertThat(result.code()).isZero();
        assertThat(result.out())
                .isEqualTo(Offhook.run("calls", "--format", "csv", capture).out());
    }

    @Test
    void patternsAreExpanded() {
        Offhook.Result result = Offhook.run(
                "calls", "--format", "csv", folder.resolve("off*.pcap").toString());
        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("one@office");
    }

    @Test
    void trainingNeverFails() {
        Offhook.Result result = Offhook.run("train", folder.toString());
        assertThat(result).isEqualTo(new Offhook.Result(ExitCode.DONE, "", ""));
        assertThat(Offhook.run("train", folder.resolve("missing").toString()).code())
                .isZero();
    }
}
