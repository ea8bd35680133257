package io.offhook.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * Polls a file for changes since it was read. A file that changed since the previous poll is not reported yet, so that it
 * is not read while it is being written.
 */
public final class FileWatch {
    private final Path file;
    private @Nullable FileTime atRead;
    private @Nullable FileTime atLook;

    /** Creates a watch for a file that is about to be read. */
    public FileWatch(Path file) {
        this.file = file;
        reading();
    }

    /** The watched file. */
    public Path file() {
        return file;
    }

    /** Notes that the file is about to be read. */
    public void reading() {
        atRead = time();
        atLook = atRead;
    }

    /** Polls the file. @return whether to read it: it changed since it was read, but not since the previous poll */
    public boolean look() {
        FileTime now = time();
        FileTime before = atLook;
        atLook = now;
        return now != null && now.equals(before) && !now.equals(atRead);
    }

    /** The time of the last change; null while the file does not exist, as when an editor replaces it. */
    private @Nullable FileTime time() {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return null;
        }
    }
}
