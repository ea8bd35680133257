package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.offhook.cli.command.ExitCode;
import io.offhook.testkit.peers.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Completion scripts and man pages, tried with the shells and with groff. */
class CompletionTest {
    @TempDir
    private Path folder;

    private Path script(String shell) throws IOException {
        assumeFalse(Program.isMissing(shell, "--version"), shell + " is not installed");
        return Files.writeString(
                folder.resolve("script." + shell),
                Offhook.done("completion", shell).out());
    }

    private static final String TRY = """
            source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _offhook; echo "${COMPREPLY[*]}"
            """;

    @ParameterizedTest
    @CsvSource({
        "offhook regi, registrations",
        "offhook calls --sor, --sort",
        "offhook calls --sort =, mos loss jitter set-up length time",
        "offhook calls --sort l, loss length",
        "offhook calls --from =, ''",
        "offhook completion =, bash zsh fish",
        "offhook help stat, stats",
        "offhook streams --wiresh, --wireshark"
    })
    void bashCompletes(String words, String expected) throws IOException {
        String[] command = Stream.concat(
                        Stream.of("bash", "-c", TRY, script("bash").toString()),
                        Stream.of(words.split(" ")).map(word -> word.equals("=") ? "" : word))
                .toArray(String[]::new);
        assertThat(Program.run(command).strip()).isEqualTo(expected);
    }

    @Test
    void bashCompletesFiles() throws IOException {
        String file = Files.writeString(folder.resolve("a capture.pcap"), "").toString();
        String begun = file.substring(0, file.length() - 9);
        String bash = script("bash").toString();
        assertThat(Program.run("bash", "-c", TRY, bash, "offhook", "calls", begun)
                        .strip())
                .isEqualTo(file);
        assertThat(Program.run("bash", "-c", TRY, bash, "offhook", "call", "1", "-w", begun)
                        .strip())
                .isEqualTo(file);
    }

    @Test
    void fishCompletes() throws IOException {
        String fish = script("fish").toString();
        String tried = "source " + fish + "; complete -C 'offhook calls --sort '; complete -C 'offhook regi'";
        assertThat(Program.run("fish", "-c", tried)).contains("mos\t", "set-up\t", "registrations\t");
    }

    @Test
    void zshLoadsItsScript() throws IOException {
        String zsh = script("zsh").toString();
        String tried = "autoload -U compinit; compinit -u -D; source " + zsh + "; print ${_comps[offhook]}";
        assertThat(Program.run("zsh", "-f", "-c", tried).strip()).isEqualTo("_offhook");
        assertThat(Program.run("zsh", "-f", "-n", zsh)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void scriptsKnowEveryOptionOfEveryCommand(String shell) {
        String script = Offhook.done("completion", shell).out();
        for (String command : List.of("calls", "stats", "capture", "completion", "doctor")) {
            assertThat(script).contains(command);
            Offhook.done(command, "--help")
                    .out()
                    .lines()
                    .filter(line -> line.matches(" +(-[a-zA-Z], )?--.*"))
                    .map(line -> line.replaceFirst("^[^-]*(-., )?--([a-z-]+).*", "$2"))
                    .forEach(option -> assertThat(script).as(command).containsPattern("(--|-l )" + option + "\\b"));
        }
        assertThat(script).doesNotContain("train");
    }

    @Test
    void otherShellsAreRefused() {
        Offhook.Result result = Offhook.run("completion", "tcsh");
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("tcsh is not one of bash, zsh, fish");
    }

    @Test
    void everyCommandHasAManPageThatIsWellFormed() throws IOException {
        assumeFalse(Program.isMissing("groff", "--version"), "groff is not installed");
        Offhook.done("man", folder.toString());
        try (Stream<Path> pages = Files.list(folder)) {
            List<Path> all = pages.sorted().toList();
            assertThat(all)
                    .extracting(page -> page.getFileName().toString())
                    .contains("offhook.1", "offhook-calls.1", "offhook-stats.1", "offhook-completion.1")
                    .doesNotContain("offhook-train.1", "offhook-man.1");
            for (Path page : all) {
                // only warnings are printed
                assertThat(Program.run("groff", "-man", "-ww", "-z", "-Tascii", page.toString()))
                        .as(page.toString())
                        .isEmpty();
                assertThat(Files.readString(page)).contains(".SH NAME\n", ".SH SYNOPSIS\n");
            }
        }
    }

    @Test
    void manPagesNeedAFolder() {
        assertThat(Offhook.run("man", folder + "/missing").err()).contains("is not a folder; create it first");
    }
}
