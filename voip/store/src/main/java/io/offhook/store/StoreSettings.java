package io.offhook.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What the database may use.
 *
 * @param memoryMb memory, in MB, 64 or more; what does not fit goes to files beside the database while a query runs
 * @param threads for queries, 1 or more
 */
public record StoreSettings(int memoryMb, int threads) {
    private static final int LEAST_MEMORY_MB = 64;

    /**
     * The size of DuckDB's log at which it is written to the tables. Each time the last row group of each table (122,880 rows) is
     * compressed anew: with DuckDB's own 16 MB, that is done several times for each row.
     */
    private static final int CHECKPOINT_MB = 128;

    /** Up to so many rows of an order are found by the columns that they are sorted by, and only those read as a whole. */
    private static final int LATE_ROWS = 2000;

    /** Checks the values. */
    public StoreSettings {
        if (memoryMb < LEAST_MEMORY_MB) {
            throw new IllegalArgumentException("memoryMb " + memoryMb + " is below " + LEAST_MEMORY_MB);
        }
        if (threads < 1) {
            throw new IllegalArgumentException("threads " + threads + " is below 1");
        }
    }

    /** 512 MB, two threads. */
    public static StoreSettings standard() {
        return new StoreSettings(512, 2);
    }

    /**
     * The settings of DuckDB when a database is opened.
     *
     * @param file null for a database in memory
     */
    Properties properties(@Nullable Path file, boolean isReadOnly) {
        Properties properties = new Properties();
        properties.setProperty("memory_limit", memoryMb + "MB");
        properties.setProperty("threads", Integer.toString(threads));
        properties.setProperty("temp_directory", (file == null ? inTemporaryFolder() : file) + ".tmp");
        properties.setProperty("checkpoint_threshold", CHECKPOINT_MB + "MB");
        properties.setProperty("late_materialization_max_rows", Integer.toString(LATE_ROWS));
        properties.setProperty("autoload_known_extensions", "false");
        properties.setProperty("autoinstall_known_extensions", "false");
        if (isReadOnly) {
            properties.setProperty("access_mode", "READ_ONLY");
        }
        return properties;
    }

    /**
     * What is executed before anything else: nothing outside of the database, its temporary directory and these folders is
     * read or written, nothing is loaded, and no statement changes that.
     */
    static List<String> confinement(List<Path> folders) {
        List<String> paths = new ArrayList<>();
        folders.forEach(folder -> paths.add(
                folder.toAbsolutePath().normalize() + folder.getFileSystem().getSeparator()));
        return List.of(
                "SET allowed_directories = [" + Sql.texts(paths) + "]",
                "SET enable_external_access = false",
                "SET lock_configuration = true");
    }

    private static Path inTemporaryFolder() {
        return Path.of(
                System.getProperty("java.io.tmpdir"),
                "offhook-" + ProcessHandle.current().pid());
    }
}
