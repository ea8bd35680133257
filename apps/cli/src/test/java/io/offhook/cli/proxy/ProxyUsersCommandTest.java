package io.offhook.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.cli.Offhook;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyUsersCommandTest {
    @TempDir
    Path directory;

    private Path file;
    private final Deque<String> typed = new ArrayDeque<>();

    @BeforeEach
    void name() {
        file = directory.resolve("users");
    }

    /** Runs it with a file; passwords are typed if there are any, else read from standard input. */
    private Offhook.Result run(String input, String... args) throws IOException {
        ProxyUsersCommand command = new ProxyUsersCommand(
                prompt -> typed.isEmpty() ? null : typed.removeFirst().toCharArray());
        CommandSpec spec = new CommandSpec("offhook proxy users", "");
        command.describe(spec);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal =
                new Offhook().input(input.getBytes(StandardCharsets.UTF_8)).terminal(out, err);
        String[] all = new String[args.length + 1];
        System.arraycopy(args, 0, all, 1, args.length);
        all[0] = "--file=" + file;
        int code = command.run(ParseResult.of(spec, all), terminal);
        terminal.flush();
        return new Offhook.Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void addsListsChangesAndRemovesUsers() throws IOException {
        assertThat(run("wonderland\n", "add", "alice", "--realm", "example.com"))
                .isEqualTo(new Offhook.Result(ExitCode.DONE, "added alice in realm example.com\n", ""));
        assertThat(run("x", "add", "bob", "--realm", "example.com", "--without-md5")
                        .code())
                .isZero();
        assertThat(run("looking-glass\n", "add", "alice", "--realm", "example.com")
                        .out())
                .isEqualTo("changed the password of alice in realm example.com\n");

        assertThat(run("", "list")
                        .out()
                        .lines()
                        .map(line -> line.replaceAll(" +", " ").strip()))
                .containsExactly("User Realm Keys", "alice example.com SHA-256, MD5", "bob example.com SHA-256");
        assertThat(run("", "list", "--format", "csv").out())
                .isEqualTo("name,realm,md5\r\nalice,example.com,true\r\nbob,example.com,false\r\n");
        assertThat(run("", "list", "--format", "json").out().replaceAll("\\s", ""))
                .isEqualTo("{\"users\":[{\"name\":\"alice\",\"realm\":\"example.com\",\"md5\":true},"
                        + "{\"name\":\"bob\",\"realm\":\"example.com\",\"md5\":false}]}");

        assertThat(run("", "remove", "alice").out()).isEqualTo("removed alice in realm example.com\n");
        assertThat(Files.readString(file)).startsWith("bob:example.com:").doesNotContain("alice");
    }

    @Test
    void aPasswordIsTypedTwiceAndIsNotShown() throws IOException {
        typed.addAll(List.of("wonderland", "wonderland"));
        Offhook.Result result = run("", "add", "alice", "--realm", "example.com");

        assertThat(result.out() + result.err() + Files.readString(file)).doesNotContain("wonderland");
        assertThat(Files.readString(file)).startsWith("alice:example.com:");

        typed.addAll(List.of("one", "two"));
        assertThatThrownBy(() -> run("", "add", "bob", "--realm", "example.com"))
                .isInstanceOf(MisuseException.class)
                .hasMessageContaining("differ");
        assertThat(Files.readString(file)).doesNotContain("bob");
    }

    @ParameterizedTest
    @CsvSource({
        "'add','NAME is missing'",
        "'add alice','the realm is missing: write alice@REALM, or use --realm'",
        "'add alice@','the realm is missing'",
        "'add a b --realm r','b is one argument too many'",
        "'add a:b --realm r','the user name must not hold colons'",
        "'add alice --realm r','standard input holds no password'",
        "'remove nobody','there is no user nobody'",
        "'list all','all is one argument too many'",
        "'drop','drop is not one of add, remove, list'",
    })
    void misuseIsReportedAndNothingIsWritten(String args, String message) {
        boolean hasInput = args.contains(":");
        assertThatThrownBy(() -> run(hasInput ? "x\n" : "", args.split(" ")))
                .isInstanceOf(MisuseException.class)
                .hasMessageContaining(message);
        assertThat(file).doesNotExist();
    }

    @Test
    void theRealmMayStandBehindTheName() throws IOException {
        assertThat(run("x\n", "add", "alice@example.com").out()).isEqualTo("added alice in realm example.com\n");
        assertThat(run("x\n", "add", "alice@home", "--realm", "example.com").out())
                .isEqualTo("added alice@home in realm example.com\n");
        assertThat(run("", "remove", "alice@example.com").out()).isEqualTo("removed alice in realm example.com\n");
        assertThatThrownBy(() -> run("", "remove", "alice@example.com")).isInstanceOf(MisuseException.class);
    }

    @Test
    void anEmptyPasswordAndAnAmbiguousUserAreRefused() throws IOException {
        assertThatThrownBy(() -> run("\n", "add", "alice", "--realm", "r"))
                .hasMessageContaining("the password is empty");
        run("x\n", "add", "alice", "--realm", "one");
        run("x\n", "add", "alice", "--realm", "two");
        assertThatThrownBy(() -> run("", "remove", "alice"))
                .hasMessageContaining("alice is a user in one, two; --realm says in which");
        assertThat(run("", "remove", "alice", "--realm", "two").code()).isZero();
    }

    @Test
    void aFileThatCannotBeUsedIsReported() throws IOException {
        Files.writeString(file, "nonsense\n");
        assertThatThrownBy(() -> run("", "list"))
                .isInstanceOfSatisfying(
                        MisuseException.class,
                        e -> assertThat(e.faults())
                                .singleElement()
                                .asString()
                                .endsWith("users:1: is not name:realm:SHA-256:MD5, four fields separated by colons"));
        file = directory.resolve("absent/users");
        Offhook.Result result = run("x\n", "add", "alice", "--realm", "r");
        assertThat(result.code()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(result.err()).isEqualTo("offhook: " + file + " cannot be changed: its directory does not exist\n");
    }

    @Test
    void fieldsAreThoseOfTheDocument() throws IOException {
        String document = Files.readString(Path.of("../../docs/OUTPUT.md"));
        String section = document.substring(document.indexOf("### User of the proxy"));
        String table = section.substring(0, section.indexOf("\n### "));
        assertThat(table.lines()
                        .filter(line -> line.startsWith("| `"))
                        .map(line -> line.replaceAll("^\\| `([^`]+)`.*", "$1")))
                .containsExactlyElementsOf(ProxyUsersCommand.COLUMNS);
    }
}
