package io.offhook.pcap.file;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/**
 * Expands shell patterns ({@code *}, {@code ?}, {@code [a-z]}, {@code {a,b}}) to paths, for shells that do not. A
 * pattern is split at the separators. Matches are sorted by name; hidden files match only if the pattern names the dot.
 */
final class PathPatterns {
    private static final String SPECIAL = "*?[{";

    private PathPatterns() {}

    static boolean isPattern(String text) {
        return text.chars().anyMatch(c -> SPECIAL.indexOf(c) >= 0);
    }

    /** @return the matching files, or the text itself if it is a path, no pattern, or matches nothing */
    static List<String> expand(String text) {
        if (!isPattern(text) || exists(text)) {
            return List.of(text);
        }
        List<String> files = match(text);
        return files.isEmpty() ? List.of(text) : files;
    }

    private static boolean exists(String text) {
        try {
            return Files.exists(Path.of(text));
        } catch (InvalidPathException e) {
            return false; // * is no character of a path on Windows
        }
    }

    private static List<String> match(String pattern) {
        List<String> parts = split(pattern);
        List<String> found = List.of(parts.getFirst());
        for (int i = 1; i < parts.size() && !found.isEmpty(); i++) {
            String part = parts.get(i);
            boolean last = i == parts.size() - 1;
            List<String> next = new ArrayList<>();
            for (String prefix : found) {
                if (isPattern(part)) {
                    addMatches(prefix, part, last, next);
                } else if (exists(prefix + part)) {
                    next.add(last ? prefix + part : prefix + part + File.separator);
                }
            }
            found = next;
        }
        return found;
    }

    /** Returns the leading part without patterns ("", "/", "C:\dir\"), then one part for each name after it. */
    private static List<String> split(String pattern) {
        int firstSpecial = 0;
        while (SPECIAL.indexOf(pattern.charAt(firstSpecial)) < 0) {
            firstSpecial++;
        }
        int start = firstSpecial;
        while (start > 0 && !isSeparator(pattern.charAt(start - 1))) {
            start--;
        }
        List<String> parts = new ArrayList<>();
        parts.add(pattern.substring(0, start));
        int from = start;
        for (int i = start; i <= pattern.length(); i++) {
            if (i == pattern.length() || isSeparator(pattern.charAt(i))) {
                if (i > from) {
                    parts.add(pattern.substring(from, i));
                }
                from = i + 1;
            }
        }
        return parts;
    }

    private static boolean isSeparator(char c) {
        return c == '/' || c == File.separatorChar;
    }

    private static void addMatches(String directory, String part, boolean last, List<String> matches) {
        PathMatcher matcher;
        try {
            matcher = FileSystems.getDefault().getPathMatcher("glob:" + part);
        } catch (PatternSyntaxException e) {
            return;
        }
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of(directory.isEmpty() ? "." : directory))) {
            for (Path entry : entries) {
                Path name = entry.getFileName();
                boolean hidden = name.toString().startsWith(".") && !part.startsWith(".");
                // the last part must be a file: no reader wants directories that happen to match
                if (!hidden && matcher.matches(name) && Files.isDirectory(entry) != last) {
                    names.add(name.toString());
                }
            }
        } catch (IOException | DirectoryIteratorException | UncheckedIOException | InvalidPathException e) {
            return; // an unreadable directory has no matches, as in a shell
        }
        names.stream().sorted().forEach(name -> matches.add(directory + name + (last ? "" : File.separator)));
    }
}
