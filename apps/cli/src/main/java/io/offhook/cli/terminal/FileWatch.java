package io.offhook.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * Tells when a file has been written since it was read. It is looked at again and again, and one that was written since the
 * look before is left alone, so that half a file is not read while somebody writes it.
 */
public final class FileWatch {
    private final Path file;
    private @Nullable FileTime atRead;
    private @Nullable FileTime atLook;

    /** Of a file that is to be read next. */
    public FileWatch(Path file) {
        this.file = file;
        reading();
    }

    /** What is looked at. */
    public Path file() {
        return file;
    }

    /** Says that it is read next. */
    public void reading() {
        atRead = time();
        atLook = atRead;
    }

    /** Looks at it; @return whether it is to be read: it was written since it was, and not since the look before */
    public boolean look() {
        FileTime now = time();
        FileTime before = atLook;
        atLook = now;
        return now != null && now.equals(before) && !now.equals(atRead);
    }

    /** Null while an editor has it out of the way. */
    private @Nullable FileTime time() {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return null;
        }
    }
}
