package io.offhook.cluster.spool;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** That a folder is used by one spool at a time, of all processes. The kernel gives it up when a process ends, however it does. */
final class SpoolLock implements AutoCloseable {
    /** Those of this process: whoever opens a file once more and closes it gives up the lock of the whole process (fcntl(2)). */
    private static final Set<Path> USED = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final FileChannel file;

    private SpoolLock(Path folder, FileChannel file) {
        this.folder = folder;
        this.file = file;
    }

    /** @throws IOException if the folder cannot be used, or another spool has it */
    static SpoolLock of(Path wanted) throws IOException {
        Files.createDirectories(wanted);
        Path folder = wanted.toRealPath();
        if (!USED.add(folder)) {
            throw inUse(wanted);
        }
        try {
            FileChannel file =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (file.tryLock() == null) {
                file.close();
                throw inUse(wanted);
            }
            return new SpoolLock(folder, file);
        } catch (IOException | RuntimeException e) {
            USED.remove(folder);
            throw e;
        }
    }

    private static IOException inUse(Path folder) {
        return new IOException(
                "the spool " + folder + " is used by another probe; stop it, or give this one a folder of its own");
    }

    @Override
    public void close() throws IOException {
        file.close();
        USED.remove(folder);
    }
}
