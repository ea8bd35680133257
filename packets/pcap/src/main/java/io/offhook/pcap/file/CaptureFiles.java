package io.offhook.pcap.file;

import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFormat;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens capture files. The content of a file decides what it is, never its name: {@linkplain CaptureFormat pcap, pcapng
 * or snoop}, plain or {@linkplain CaptureCompression compressed}.
 *
 * <p>Opening never fails: a file that does not exist, or is not a capture, is a {@link CaptureFault} of the source, and
 * the other files are read. Opening a pipe waits for its first bytes.
 */
public final class CaptureFiles {
    private CaptureFiles() {}

    /**
     * Returns the files that the given paths and patterns match, in the order given; those of a pattern in the order of
     * their names.
     *
     * <p>Patterns are those of a shell ({@code *}, {@code ?}, {@code [a-z]}, {@code {a,b}}), in any part of the path. A
     * path that exists is that file, whatever characters it has. A pattern that matches no file stays as it is, and
     * opening it is a fault.
     *
     * @param pathsOrPatterns "-" for standard input
     */
    public static List<String> expand(List<String> pathsOrPatterns) {
        List<String> paths = new ArrayList<>();
        for (String text : pathsOrPatterns) {
            paths.addAll(PathPatterns.expand(text));
        }
        return List.copyOf(paths);
    }

    /**
     * Opens one file, in its own order, or several, merged by time (equal times: in the order of the files).
     *
     * <p>A file that cannot be read is a fault of the source ({@link CaptureFileSource#faults}): the others are read.
     *
     * @param pathsOrPatterns what {@link #expand} takes, at least one
     */
    public static CaptureFileSource open(List<String> pathsOrPatterns) {
        return open(pathsOrPatterns, new FileInputStream(FileDescriptor.in));
    }

    /** As {@link #open(List)}, with another stream instead of standard input. */
    public static CaptureFileSource open(List<String> pathsOrPatterns, InputStream standardInput) {
        List<String> paths = expand(pathsOrPatterns);
        if (paths.isEmpty()) {
            throw new IllegalArgumentException("no file is named; at least one is needed");
        }
        return openPaths(paths, standardInput);
    }

    /**
     * Opens one file; its name is not treated as a pattern, but {@code -} is standard input.
     *
     * @throws UncheckedIOException if it cannot be read at all: it is missing, is a directory, or may not be read; what is
     *     wrong with its content is a fault of the source
     */
    public static CaptureFileSource open(String path) {
        CaptureFileSource source = openPaths(List.of(path), new FileInputStream(FileDescriptor.in));
        for (CaptureFault fault : source.faults()) {
            if (fault.kind() == CaptureFault.Kind.UNREADABLE) {
                source.close();
                throw new UncheckedIOException(new IOException(fault.describe()));
            }
        }
        return source;
    }

    /**
     * Opens one file.
     *
     * @throws UncheckedIOException as {@link #open(String)} does
     */
    public static CaptureFileSource open(Path path) {
        return open(path.toString());
    }

    private static CaptureFileSource openPaths(List<String> paths, InputStream standardInput) {
        OpenedFiles files = new OpenedFiles(paths, standardInput, false);
        return paths.size() == 1 ? new SingleFileSource(files) : new MergedFileSource(files);
    }
}
