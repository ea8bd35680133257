package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** docs/OUTPUT.md, by section. */
public final class OutputDocument {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final String TEXT = read();

    private OutputDocument() {}

    private static String read() {
        try {
            return source("docs/OUTPUT.md");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text of a section, up to the next heading of its level or above. */
    static String section(String heading) {
        int start = TEXT.indexOf("\n" + heading + "\n");
        assertThat(start).as("docs/OUTPUT.md has a section " + heading).isNotNegative();
        Matcher next = Pattern.compile("\n#{1," + heading.indexOf(' ') + "} ").matcher(TEXT);
        return TEXT.substring(start, next.find(start + 1) ? next.start() : TEXT.length());
    }

    /** The first cells of a section's table, without their quotes. */
    public static Set<String> documented(String heading) {
        Set<String> names = new TreeSet<>();
        Matcher row = Pattern.compile("(?m)^\\| `([^`]+)` \\|").matcher(section(heading));
        while (row.find()) {
            assertThat(names.add(row.group(1)))
                    .as("twice in " + heading + ": " + row.group(1))
                    .isTrue();
        }
        assertThat(names).as(heading).isNotEmpty();
        return names;
    }

    /** What the first group of a pattern found in a text. */
    static Set<String> matches(String pattern, String text) {
        Set<String> found = new TreeSet<>();
        for (MatchResult match :
                Pattern.compile(pattern).matcher(text).results().toList()) {
            found.add(match.group(1));
        }
        return found;
    }

    /** The text of a file of the repository. */
    static String source(String path) throws IOException {
        return Files.readString(ROOT.resolve(path));
    }
}
