package io.offhook.monitor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The processes of this machine, by name. */
public final class Processes {
    private static final Path PROC = Path.of("/proc");

    private Processes() {}

    /**
     * A process.
     *
     * @param pid its number
     * @param commandLine its arguments, with spaces between, of Java without its options; the kernel's name for it where it
     *     has none
     */
    public record Named(long pid, String commandLine) {}

    /**
     * Finds processes by what people call them: the name of the program, or of Java the main class, with or without its
     * package, or the jar. This process is not among them.
     *
     * @return by number; empty if there is none
     */
    public static List<Named> named(String name) {
        List<Named> found = new ArrayList<>();
        long own = ProcessHandle.current().pid();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(PROC, "[1-9]*")) {
            for (Path process : all) {
                long pid = Long.parseLong(process.getFileName().toString());
                String kernelName = read(process.resolve("comm")).strip();
                List<String> words = words(process);
                if (pid != own && (kernelName.equals(name) || isCalled(name, words))) {
                    found.add(new Named(pid, line(words, kernelName)));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return List.of();
        }
        found.sort((a, b) -> Long.compare(a.pid(), b.pid()));
        return found;
    }

    /** A process by its number, also one that is not there. */
    public static Named numbered(long pid) {
        Path process = PROC.resolve(Long.toString(pid));
        return new Named(pid, line(words(process), read(process.resolve("comm")).strip()));
    }

    private static List<String> words(Path process) {
        return List.of(read(process.resolve("cmdline")).split("\0"));
    }

    /** What people recognise it by. */
    static String line(List<String> words, String kernelName) {
        int main = main(words);
        String line =
                main < 0 ? String.join(" ", words) : "java " + String.join(" ", words.subList(main, words.size()));
        return line.isBlank() ? kernelName : line.strip();
    }

    /** Whether the program is called so; of {@code java}, whether the first argument that is no option is. */
    static boolean isCalled(String name, List<String> words) {
        if (words.isEmpty()) {
            return false;
        }
        String program = last(words.getFirst(), '/');
        if (program.equals(name)) {
            return true;
        }
        int at = main(words);
        if (at < 0) {
            return false;
        }
        String word = words.get(at);
        String jar = last(word, '/');
        return word.equals(name)
                || jar.equals(name)
                || jar.equals(name + ".jar")
                || last(word, '.').equals(name);
    }

    /** The index of Java's main class or jar; -1 of other programs. */
    private static int main(List<String> words) {
        if (words.isEmpty() || !last(words.getFirst(), '/').equals("java")) {
            return -1;
        }
        for (int i = 1; i < words.size(); i++) {
            if (hasValue(words.get(i))) {
                i++;
            } else if (!words.get(i).startsWith("-")) {
                return i;
            }
        }
        return -1;
    }

    /** The options of java(1) whose value is the next argument. */
    private static boolean hasValue(String word) {
        return List.of(
                        "-cp",
                        "-classpath",
                        "--class-path",
                        "-p",
                        "--module-path",
                        "--add-modules",
                        "--add-opens",
                        "--add-exports")
                .contains(word);
    }

    private static String last(String text, char separator) {
        return text.substring(text.lastIndexOf(separator) + 1);
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return ""; // it has ended, or is another user's
        }
    }
}
