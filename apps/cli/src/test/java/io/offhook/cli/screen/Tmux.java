package io.offhook.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A window of tmux in which {@code offhook} runs, and then a shell that says how it ended. Its server is of this window alone. */
final class Tmux implements AutoCloseable {
    private static final long PATIENCE_NS = 60_000_000_000L;

    private final Path socket;

    private Tmux(Path socket) {
        this.socket = socket;
    }

    /**
     * Opens a window and runs the command there.
     *
     * @param redirection of the shell, or ""
     */
    static Tmux run(
            Path folder,
            int columns,
            int rows,
            Map<String, String> environment,
            String redirection,
            String... arguments)
            throws IOException {
        Tmux tmux = new Tmux(folder.resolve("tmux"));
        StringBuilder command = new StringBuilder("echo before; OFFHOOK_TTY=12 ");
        environment.forEach(
                (name, value) -> command.append(name).append("='").append(value).append("' "));
        command.append(quoted(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString()))
                .append(" --enable-native-access=ALL-UNNAMED -cp ")
                .append(quoted(System.getProperty("java.class.path")))
                .append(" io.offhook.cli.Main");
        for (String argument : arguments) {
            command.append(' ').append(quoted(argument));
        }
        command.append(redirection).append("; echo ended $?; stty -a | grep -o -- '-*icanon'; exec cat");
        tmux.tmux(
                "-f",
                "/dev/null",
                "new-session",
                "-d",
                "-x",
                Integer.toString(columns),
                "-y",
                Integer.toString(rows),
                "sh",
                "-c",
                command.toString());
        return tmux;
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    private String tmux(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("tmux", "-u", "-S", socket.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment()
                .keySet()
                .removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "NO_COLOR", "COLORFGBG", "TMUX"));
        builder.environment().put("LC_ALL", "C.UTF-8");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        // it has closed its output
        assertThat(process.onExit().orTimeout(20, TimeUnit.SECONDS).join().exitValue())
                .as(said)
                .isZero();
        return said;
    }

    /** Presses keys, by the names that tmux has for them. */
    Tmux press(String... keys) throws IOException {
        List<String> command = new ArrayList<>(List.of("send-keys"));
        command.addAll(List.of(keys));
        tmux(command.toArray(String[]::new));
        return this;
    }

    /** Sends characters as they are. */
    Tmux type(String text) throws IOException {
        tmux("send-keys", "-l", text);
        return this;
    }

    Tmux resize(int columns, int rows) throws IOException {
        tmux("resize-window", "-x", Integer.toString(columns), "-y", Integer.toString(rows));
        return this;
    }

    /** What the window shows. */
    String page() throws IOException {
        return tmux("capture-pane", "-p");
    }

    /** What the window shows, with its colours. */
    String coloured() throws IOException {
        return tmux("capture-pane", "-p", "-e");
    }

    /** Waits until the window shows what is wanted. */
    Tmux until(Predicate<String> wanted) throws IOException {
        long startNs = System.nanoTime();
        String page = page();
        while (!wanted.test(page)) {
            assertThat(System.nanoTime() - startNs).as(page).isLessThan(PATIENCE_NS);
            page = page();
        }
        return this;
    }

    Tmux untilShown(String... texts) throws IOException {
        return until(page -> List.of(texts).stream().allMatch(page::contains));
    }

    /** The command itself: what the shell of the window started. */
    ProcessHandle process() throws IOException {
        long shell = Long.parseLong(tmux("display-message", "-p", "#{pane_pid}").strip());
        return ProcessHandle.of(shell)
                .orElseThrow()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("java"))
                .findFirst()
                .orElseThrow();
    }

    /** Ends the window, its shell, and what runs there. */
    @Override
    public void close() throws IOException {
        List<ProcessHandle> running = new ArrayList<>();
        long shell = Long.parseLong(tmux("display-message", "-p", "#{pane_pid}").strip());
        ProcessHandle.of(shell).ifPresent(handle -> {
            running.add(handle);
            handle.descendants().forEach(running::add);
        });
        tmux("kill-server");
        for (ProcessHandle process : running) {
            process.onExit().orTimeout(20, TimeUnit.SECONDS).join();
        }
    }
}
