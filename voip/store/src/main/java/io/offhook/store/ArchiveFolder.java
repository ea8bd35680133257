package io.offhook.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder with the Parquet files of a database, which is beside it: {@code calls.duckdb.parquet/calls/day=2026-11-27/3.parquet}, the
 * layout of Hive. Which of them count is in the database; any other is what a process left behind that was killed.
 */
final class ArchiveFolder {
    /** What Hive, and so DuckDB and Spark, take for no value. */
    static final String NO_DAY = "__HIVE_DEFAULT_PARTITION__";

    private static final String PART = ".part";
    private static final String EXPORT = "export-";

    /** Nothing else is deleted. */
    private static final Pattern OWN = Pattern.compile("[a-z_]+/day=[A-Z0-9_-]+/[0-9]+\\.parquet(\\.part)?");

    private final Path path;

    private ArchiveFolder(Path path) {
        this.path = path;
    }

    static ArchiveFolder of(Path database) {
        Path file = database.toAbsolutePath().normalize();
        return new ArchiveFolder(file.resolveSibling(file.getFileName() + ".parquet"));
    }

    Path path() {
        return path;
    }

    Path of(DayFile file) {
        return path.resolve(file.table())
                .resolve("day=" + (file.isOdd() ? NO_DAY : file.day()))
                .resolve(file.number() + ".parquet");
    }

    boolean has(DayFile file) {
        return Files.isRegularFile(of(file));
    }

    /** Where a file is written until it is whole; its folder is made. */
    Path part(DayFile file) throws IOException {
        Path target = of(file);
        Files.createDirectories(target.getParent());
        return target.resolveSibling(target.getFileName() + PART);
    }

    /** Gives a file that is whole its name. Both are on the disk when this returns. */
    void publish(DayFile file) throws IOException {
        Path part = part(file);
        Path target = of(file);
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        try {
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException _) {
            Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
        }
        Path folder = target.getParent();
        while (folder != null && folder.startsWith(path)) {
            force(folder);
            folder = folder.getParent();
        }
        if (folder != null) {
            force(folder); // that of the database: it may have got the folder of the files just now
        }
    }

    private static void force(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException _) {
            // some systems open no folders: there the rename is all that can be done
        }
    }

    /** Deletes a file, and its folder if that was the last. */
    void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
        try (Stream<Path> rest = Files.list(file.getParent())) {
            if (rest.findAny().isPresent()) {
                return;
            }
        } catch (NoSuchFileException _) {
            return;
        }
        Files.deleteIfExists(file.getParent());
    }

    /** Deletes what was left behind. */
    void sweep(Set<Path> listed) throws IOException {
        if (!Files.isDirectory(path)) {
            return;
        }
        List<Path> found;
        try (Stream<Path> files = Files.walk(path)) {
            found = files.filter(Files::isRegularFile).toList();
        }
        for (Path file : found) {
            String name = path.relativize(file).toString().replace('\\', '/');
            if (OWN.matcher(name).matches() && !listed.contains(file)) {
                delete(file);
            }
        }
        try (Stream<Path> folders = Files.list(path)) {
            for (Path folder : List.copyOf(folders.toList())) {
                if (folder.getFileName().toString().startsWith(EXPORT)) {
                    deleteAll(folder);
                }
            }
        }
    }

    /** Makes a folder for what somebody else takes away. */
    Path makeExport() throws IOException {
        Files.createDirectories(path);
        return Files.createTempDirectory(path, EXPORT);
    }

    static void deleteAll(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = new ArrayList<>(files.toList());
        }
        all.sort(Comparator.reverseOrder());
        for (Path file : all) {
            Files.deleteIfExists(file);
        }
    }
}
