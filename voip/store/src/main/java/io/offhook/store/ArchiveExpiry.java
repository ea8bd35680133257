package io.offhook.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Takes days out of a database: rows are deleted, files are unlisted, and deleted by the caller when nobody reads them any more. */
final class ArchiveExpiry {
    /** The first to go: most of the room, and the least needed. */
    private static final List<Table<?>> TEXTS = List.of(MessageRow.TEXTS, DocumentRow.TABLE);

    private final Connection connection;
    private final Archive archive;
    private final Consumer<RetentionStep> steps;

    ArchiveExpiry(Connection connection, Archive archive, Consumer<RetentionStep> steps) {
        this.connection = connection;
        this.archive = archive;
        this.steps = steps;
    }

    /**
     * Takes out what is too old.
     *
     * @return files to delete
     */
    List<Path> byAge(RetentionSettings settings, long nowNs) throws SQLException {
        LocalDate first = firstDay(settings.keep(), nowNs);
        LocalDate firstText = firstDay(settings.texts(), nowNs);
        if (firstText != null && first != null && firstText.isBefore(first)) {
            firstText = first;
        }
        List<Path> unlisted = new ArrayList<>();
        if (firstText != null) {
            unlisted.addAll(before(firstText, TEXTS));
        }
        if (first != null) {
            unlisted.addAll(before(first, Schema.TABLES));
        }
        return unlisted;
    }

    private static @Nullable LocalDate firstDay(@Nullable Duration age, long nowNs) {
        return age == null ? null : Partition.dayOf(nowNs - age.toNanos());
    }

    private List<Path> before(LocalDate first, List<Table<?>> tables) throws SQLException {
        List<String> names = tables.stream().map(Table::name).toList();
        List<DayFile> old = archive.files(connection).stream()
                .filter(file -> file.day().isBefore(first) && names.contains(file.table()))
                .toList();
        return unlist(old, () -> {
            for (Table<?> table : tables) {
                Archive.execute(
                        connection,
                        String.format(
                                Locale.ROOT,
                                "DELETE FROM %1$s WHERE %2$s >= make_timestamp_ns(%3$d) AND %2$s < make_timestamp_ns(%4$d)",
                                table.stored(),
                                Sql.name(age(table)),
                                TimeRange.FIRST_NS,
                                Partition.ns(first)));
            }
        });
    }

    /** By which a row is old: of a registration, that goes on for weeks, by its last message. */
    private static String age(Table<?> table) {
        return table.equals(RegistrationRow.TABLE) ? "last_at" : table.key().time();
    }

    /** Deletes rows in the transaction that unlists files. */
    @FunctionalInterface
    private interface Deletion {
        void run() throws SQLException;
    }

    private List<Path> unlist(List<DayFile> files, Deletion rows) throws SQLException {
        boolean isDone = false;
        Archive.execute(connection, "BEGIN TRANSACTION");
        try {
            rows.run();
            for (DayFile file : files) {
                Archive.unlist(connection, file);
            }
            if (!files.isEmpty()) {
                archive.refreshViews(connection);
            }
            Archive.execute(connection, "COMMIT");
            isDone = true;
        } finally {
            if (!isDone) {
                rollBack();
            }
        }
        steps.accept(RetentionStep.UNLISTED);
        return files.stream().map(archive.folder()::of).toList();
    }

    private void rollBack() {
        try {
            Archive.execute(connection, "ROLLBACK");
        } catch (SQLException _) {
            // it is rolled back already
        }
    }

    /**
     * Takes out the oldest files: first those of texts and documents, then whole days.
     *
     * @param most what database and files may take
     * @param databaseBytes what the database takes, which does not become smaller
     * @return files to delete
     */
    List<Path> bySize(long most, long databaseBytes) throws SQLException {
        List<DayFile> files = new ArrayList<>(archive.files(connection));
        long bytes = databaseBytes;
        for (DayFile file : files) {
            bytes += file.bytes();
        }
        List<String> texts = TEXTS.stream().map(Table::name).toList();
        List<DayFile> gone = new ArrayList<>();
        for (Predicate<DayFile> kind :
                List.<Predicate<DayFile>>of(file -> texts.contains(file.table()), file -> true)) {
            while (bytes > most) {
                LocalDate oldest = files.stream()
                        .filter(kind)
                        .map(DayFile::day)
                        .min(Comparator.naturalOrder())
                        .orElse(null);
                if (oldest == null) {
                    break;
                }
                for (DayFile file : List.copyOf(files)) {
                    if (file.day().equals(oldest) && kind.test(file)) {
                        files.remove(file);
                        gone.add(file);
                        bytes -= file.bytes();
                    }
                }
            }
        }
        return gone.isEmpty() ? List.of() : unlist(gone, () -> {});
    }
}
