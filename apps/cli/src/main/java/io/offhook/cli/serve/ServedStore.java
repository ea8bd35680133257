package io.offhook.cli.serve;

import io.offhook.cli.command.MisuseException;
import io.offhook.cli.terminal.Terminal;
import io.offhook.report.text.Words;
import io.offhook.store.CallStore;
import io.offhook.store.Retention;
import io.offhook.store.RetentionSettings;
import io.offhook.store.StoreException;
import io.offhook.store.StoreSettings;
import io.offhook.store.query.SqlSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The database that is served: the file of {@code --db}, or one in a folder that is deleted at the end. */
final class ServedStore implements AutoCloseable {
    private final CallStore store;
    private final @Nullable Path folder;

    private ServedStore(CallStore store, @Nullable Path folder) {
        this.store = store;
        this.folder = folder;
    }

    /**
     * Opens it.
     *
     * @param file of {@code --db}, or null
     * @throws MisuseException if it cannot be opened
     */
    static ServedStore open(@Nullable String file) throws IOException {
        Path folder = file == null ? Files.createTempDirectory("offhook-serve-") : null;
        Path path = folder == null ? Path.of(String.valueOf(file)) : folder.resolve("calls.duckdb");
        try {
            return new ServedStore(CallStore.open(path, StoreSettings.standard()), folder);
        } catch (StoreException e) {
            if (folder != null) {
                delete(folder);
            }
            throw new MisuseException("--db " + e.getMessage());
        }
    }

    /** Reports files of old days that are no longer beside the database. */
    void reportMissing(Terminal terminal) {
        if (store.missingFiles() > 0) {
            terminal.error(Words.count(store.missingFiles(), "file") + " of old days of " + file()
                    + " cannot be found beside it, and their calls are left out from now on");
        }
    }

    /**
     * Lets {@code offhook sql} ask this process, since nobody else can open the database meanwhile; null if it is temporary, or if
     * that is not possible, which is reported.
     */
    @Nullable
    SqlSocket listen(Terminal terminal) {
        if (folder != null) {
            return null;
        }
        try {
            return SqlSocket.listen(store);
        } catch (IOException e) {
            terminal.error("offhook sql cannot ask this database while it is served: " + e.getMessage());
            return null;
        }
    }

    /** Deletes and moves what is old; null if nothing is to be, or the database is temporary. */
    @Nullable
    Retention retain(RetentionSettings settings, Terminal terminal) {
        if (folder != null || settings.isNothing()) {
            return null;
        }
        return Retention.start(
                store,
                settings,
                problem -> terminal.error("old calls were not moved or deleted, which is tried again: " + problem));
    }

    CallStore store() {
        return store;
    }

    /** The path of {@code --db}; empty if the database is temporary. */
    String file() {
        return folder == null ? String.valueOf(store.file()) : "";
    }

    /** Of the database and its log on the disk. */
    long bytes() {
        Path file = store.file();
        return file == null
                ? 0
                : file.toFile().length()
                        + file.resolveSibling(file.getFileName() + ".wal")
                                .toFile()
                                .length();
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : List.copyOf(files.toList())) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException | UncheckedIOException _) {
            // the process is ending: nothing can report it
        }
    }

    @Override
    public void close() throws StoreException {
        store.close();
        if (folder != null) {
            delete(folder);
        }
    }
}
