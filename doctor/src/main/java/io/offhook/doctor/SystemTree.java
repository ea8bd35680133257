package io.offhook.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of {@code /proc} and {@code /sys}, of this machine or of a copy of another one's. What is not there, or may
 * not be read, is null; where that was worth knowing, it is noted. Not thread-safe.
 */
final class SystemTree {
    /** Has a folder for each interface. */
    static final String INTERFACES = "/sys/class/net";

    /** No file that is read here is as long: /proc/net/udp of 200,000 sockets is 26 MB. */
    private static final int MOST_BYTES = 64 << 20;

    /** Of a watch that goes on for days nobody reads more of them. */
    private static final int MOST_NOTES = 1000;

    private final Path root;
    private final List<Unread> unread = new ArrayList<>();
    private boolean hidesInterfaces;

    /** @param root {@code /}, or where the copy lies */
    SystemTree(Path root) {
        this.root = root;
    }

    boolean isThisMachine() {
        return root.equals(Path.of("/"));
    }

    /** What was asked for and could not be read, since this was last asked. */
    List<Unread> takeUnread() {
        List<Unread> taken = List.copyOf(unread);
        unread.clear();
        return taken;
    }

    void note(String what, String path, String reason, String remedy) {
        note(new Unread(what, path, reason, remedy));
    }

    void note(Unread note) {
        if (unread.size() < MOST_NOTES && !unread.contains(note)) {
            unread.add(note);
        }
    }

    /** From now on the folders of interfaces are as if they were not there: they are of another network namespace. */
    void hideInterfaces() {
        hidesInterfaces = true;
    }

    private Path path(String absolute) {
        Path nowhere = root.resolve("proc/nowhere");
        if (hidesInterfaces && absolute.startsWith(INTERFACES)) {
            return nowhere;
        }
        try {
            return root.resolve(absolute.substring(1));
        } catch (InvalidPathException e) {
            return nowhere; // a name with signs that the locale of this process has not
        }
    }

    /** A file whose absence is no news. */
    @Nullable
    String optional(String path) {
        try {
            return read(path);
        } catch (IOException e) {
            return null;
        }
    }

    /** A file whose absence is told. */
    @Nullable
    String text(String path, String what) {
        try {
            return read(path);
        } catch (NoSuchFileException | NotDirectoryException e) {
            note(what, path, "it is not there", "");
        } catch (AccessDeniedException e) {
            note(what, path, "permission denied", "run it as root");
        } catch (IOException e) {
            note(what, path, String.valueOf(e.getMessage()), "");
        }
        return null;
    }

    private String read(String path) throws IOException {
        try (var in = Files.newInputStream(path(path))) {
            return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        }
    }

    /** A file that holds one number; null where it is not there or is none. */
    @Nullable
    Long number(String path) {
        String text = optional(path);
        return text == null ? null : Numbers.parse(text.strip());
    }

    /** A file that holds a word or a line; empty where it is not there. */
    String word(String path) {
        String text = optional(path);
        return text == null ? "" : text.strip();
    }

    boolean exists(String path) {
        return Files.exists(path(path));
    }

    /** Whether it is a file, and no folder or link to one. */
    boolean isFile(String path) {
        return Files.isRegularFile(path(path));
    }

    /** The names in a folder, in order; none where it is not there. */
    List<String> names(String folder) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path(folder))) {
            for (Path entry : entries) {
                names.add(entry.getFileName().toString());
            }
        } catch (IOException | java.nio.file.DirectoryIteratorException e) {
            return List.of();
        }
        names.sort(null);
        return names;
    }

    /** Where a link leads, as it is written; null where it is none, or may not be read. */
    @Nullable
    String link(String path) {
        try {
            return Files.readSymbolicLink(path(path)).toString();
        } catch (IOException | UnsupportedOperationException e) {
            return null;
        }
    }

    /** Whether a folder may be listed. */
    boolean isListable(String folder) {
        return Files.isReadable(path(folder));
    }
}
