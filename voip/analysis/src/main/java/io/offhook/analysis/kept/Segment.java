package io.offhook.analysis.kept;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * A segment on disk: a file of pcapng, with its index beside it.
 *
 * @param file the segment
 * @param span what it covers
 * @param indexBytes of its index; 0 while it has none
 */
record Segment(Path file, SegmentIndex.Span span, long indexBytes) {
    private static final Pattern NAME = Pattern.compile("packets-[0-9]{19}\\.pcapng");
    private static final String INDEX = ".index";

    /** Names a segment, so that names sort as segments do. */
    static Path name(Path folder, long number) {
        return folder.resolve("packets-%019d.pcapng".formatted(number));
    }

    /** The number in the name of a segment; -1 if it is none. */
    static long number(Path file) {
        String name = String.valueOf(file.getFileName());
        return NAME.matcher(name).matches() ? Long.parseLong(name.substring(8, 27)) : -1;
    }

    /** Where the index of a segment is. */
    static Path index(Path file) {
        return file.resolveSibling(file.getFileName() + INDEX);
    }

    long storedBytes() {
        return span.bytes() + indexBytes;
    }

    void delete() throws IOException {
        Files.deleteIfExists(index(file));
        Files.deleteIfExists(file);
    }
}
