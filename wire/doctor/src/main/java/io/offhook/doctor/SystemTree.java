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
 * The files of {@code /proc} and {@code /sys}, of this machine or of a copy of another's. A file that does not exist or
 * cannot be read yields null; if it matters, this is noted. Not thread-safe.
 */
final class SystemTree {
    /** Contains a folder for each interface. */
    static final String INTERFACES = "/sys/class/net";

    /** Larger than any file that is read: /proc/net/udp with 200,000 sockets is 26 MB. */
    private static final int MOST_BYTES = 64 << 20;

    /** The most notes that are kept, so that a watch of several days stays bounded. */
    private static final int MOST_NOTES = 1000;

    private final Path root;
    private final List<Unread> unread = new ArrayList<>();
    private boolean hidesInterfaces;

    /** @param root {@code /}, or the folder with the copy */
    SystemTree(Path root) {
        this.root = root;
    }

    boolean isThisMachine() {
        return root.equals(Path.of("/"));
    }

    /** The files that could not be read since the last call. */
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

    /** Hides the folders of interfaces from now on, because they belong to another network namespace. */
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
            return nowhere; // the name has characters that this process's locale lacks
        }
    }

    /** Reads a file that may be absent without a note. */
    @Nullable
    String optional(String path) {
        try {
            return read(path);
        } catch (IOException e) {
            return null;
        }
    }

    /** Reads a file; notes its absence. */
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

    /** Reads a file that contains one number; null if it does not exist or has no number. */
    @Nullable
    Long number(String path) {
        String text = optional(path);
        return text == null ? null : Numbers.parse(text.strip());
    }

    /** Reads a file that contains a word or a line; empty if it does not exist. */
    String word(String path) {
        String text = optional(path);
        return text == null ? "" : text.strip();
    }

    boolean exists(String path) {
        return Files.exists(path(path));
    }

    /** Whether the path is a regular file, not a folder or a link to one. */
    boolean isFile(String path) {
        return Files.isRegularFile(path(path));
    }

    /** The names in a folder in order; empty if it does not exist. */
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

    /** The target of a link as written; null if it is not a link or cannot be read. */
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
