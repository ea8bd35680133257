package io.offhook.store.query;

import io.offhook.store.ExportRequest;
import io.offhook.store.StoreHeldException;
import io.offhook.store.StoreSettings;
import io.offhook.store.TableExport;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Exports a database, by way of the process that holds it if there is one. */
public final class DatabaseExport {
    private DatabaseExport() {}

    /**
     * Exports.
     *
     * @param database its file
     * @param settings for a database that is opened
     * @param folder made if it is not there; files that are there stay
     * @return rows by table
     * @throws io.offhook.store.StoreException if the database cannot be opened or read
     * @throws SqlException if the process that holds it did not export
     * @throws FileAlreadyExistsException if a file is there that would have to be written; nothing is then
     */
    public static Map<String, Long> run(Path database, StoreSettings settings, ExportRequest request, Path folder)
            throws IOException {
        boolean isNew = !Files.exists(folder);
        Files.createDirectories(folder);
        Path staging = Files.createTempDirectory(folder, ".offhook-export-");
        boolean isDone = false;
        try {
            Map<String, Long> rows = export(database, settings, request, staging, folder);
            isDone = true;
            return rows;
        } finally {
            deleteAll(staging);
            if (isNew && !isDone) {
                deleteIfEmpty(folder);
            }
        }
    }

    private static Map<String, Long> export(
            Path database, StoreSettings settings, ExportRequest request, Path staging, Path folder)
            throws IOException {
        Map<String, Long> rows = ofHolder(database, request, folder);
        if (rows != null) {
            return rows;
        }
        try {
            Map<String, Long> own = TableExport.ofFile(database, settings, request, staging);
            move(staging, folder);
            return own;
        } catch (StoreHeldException e) {
            Map<String, Long> late = ofHolder(database, request, folder); // it may have been about to listen
            if (late != null) {
                return late;
            }
            throw e;
        }
    }

    private static @Nullable Map<String, Long> ofHolder(Path database, ExportRequest request, Path folder)
            throws IOException {
        try (SqlClient client = SqlClient.connect(database)) {
            if (client == null) {
                return null;
            }
            SqlClient.Exported exported = client.export(request);
            move(exported.folder(), folder);
            return exported.rows();
        }
    }

    private static void move(Path from, Path to) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(from)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
            Path target = to.resolve(from.relativize(file));
            if (Files.exists(target)) {
                throw new FileAlreadyExistsException(target.toString());
            }
        }
        for (Path file : files) {
            Path target = to.resolve(from.relativize(file));
            Files.createDirectories(target.getParent());
            Files.move(file, target);
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }

    private static void deleteIfEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            if (files.findAny().isPresent()) {
                return;
            }
        }
        Files.delete(folder);
    }
}
