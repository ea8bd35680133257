package io.offhook.research;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Counts lines of code: those of a method or function, with its signature, without blank lines and comments. */
public final class SourceLines {
    private static final Path MAIN = Path.of("src/main");

    private SourceLines() {}

    /**
     * Adds up the lines of several methods.
     *
     * @param places each a file below src/main and, behind a '#', text that is in the first line of the method and in no line
     *     before it
     */
    public static int of(String... places) {
        int lines = 0;
        for (String place : places) {
            int hash = place.indexOf('#');
            lines += method(MAIN.resolve(place.substring(0, hash)), place.substring(hash + 1));
        }
        return lines;
    }

    private static int method(Path file, String start) {
        List<String> all;
        try {
            all = Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int at = 0;
        while (!isCode(all.get(at)) || !all.get(at).contains(start)) {
            if (++at == all.size()) {
                throw new IllegalArgumentException(file + " has no line with " + start);
            }
        }
        int lines = 0;
        int depth = 0;
        boolean isOver = false;
        for (; !isOver; at++) {
            String line = all.get(at);
            if (!isCode(line)) {
                continue;
            }
            lines++;
            for (int i = 0; i < line.length(); i++) {
                char c = line.charAt(i);
                depth += c == '{' ? 1 : c == '}' ? -1 : 0;
                isOver |= depth == 0 && (c == '}' || c == ';');
            }
        }
        return lines;
    }

    private static boolean isCode(String line) {
        String stripped = line.strip();
        return !stripped.isEmpty()
                && !stripped.startsWith("//")
                && !stripped.startsWith("/*")
                && !stripped.startsWith("*");
    }
}
