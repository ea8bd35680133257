package io.offhook.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which Parquet files belong to a database, and the views by which their rows and those in tables are one. Files are listed in
 * the transaction that deletes their rows from the tables, so that each row is seen once, whenever the process ends.
 *
 * <p>A file is never changed. Rows of it that are replaced are hidden by the view until the file is written anew.
 */
final class Archive {
    /** What is executed to make its tables; migrations say the same. */
    static final List<String> CREATION = List.of(
            "CREATE TABLE archived_files (table_name VARCHAR, day DATE, odd_times BOOLEAN, number BIGINT, bytes BIGINT,"
                    + " first_at TIMESTAMP_NS, last_at TIMESTAMP_NS, has_replaced BOOLEAN)",
            "CREATE TABLE archived_replaced (kind VARCHAR, id BIGINT, moment TIMESTAMP_NS)");

    private final ArchiveFolder folder;

    /** Rows with plausible times after this are in no file. */
    private volatile long untilNs = Long.MIN_VALUE;

    private volatile boolean hasOddTimes;

    Archive(ArchiveFolder folder) {
        this.folder = folder;
    }

    ArchiveFolder folder() {
        return folder;
    }

    /**
     * Brings list, folder and views into agreement when a database is opened to write.
     *
     * @return how many files are listed and not there
     */
    int open(Connection connection) throws SQLException, IOException {
        List<DayFile> missing = new ArrayList<>();
        Set<Path> listed = new HashSet<>();
        for (DayFile file : files(connection)) {
            if (folder.has(file)) {
                listed.add(folder.of(file));
            } else {
                missing.add(file);
            }
        }
        boolean isElsewhere = !folder.path().toString().equals(recordedFolder(connection));
        if (!missing.isEmpty() || isElsewhere) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("BEGIN TRANSACTION");
                for (DayFile file : missing) {
                    unlist(connection, file);
                }
                recordFolder(connection);
                statement.execute(views(connection, false));
                statement.execute("COMMIT");
            }
        }
        folder.sweep(listed);
        loadRange(connection);
        return missing.size();
    }

    /** What a connection that only reads executes: views of its own, where the recorded ones are of another folder; or null. */
    static @Nullable String viewsToRead(Connection connection, ArchiveFolder folder) throws SQLException {
        Archive archive = new Archive(folder);
        boolean isAsRecorded = folder.path().toString().equals(recordedFolder(connection))
                && archive.files(connection).stream().allMatch(folder::has);
        return isAsRecorded ? null : archive.views(connection, true);
    }

    private static @Nullable String recordedFolder(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT max(files_in) FROM offhook")) {
            return result.next() ? result.getString(1) : null;
        }
    }

    private void recordFolder(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("UPDATE offhook SET files_in = ?")) {
            statement.setString(1, folder.path().toString());
            statement.execute();
        }
    }

    /** All files that count. */
    List<DayFile> files(Connection connection) throws SQLException {
        return files(connection, "true");
    }

    private static List<DayFile> files(Connection connection, String condition) throws SQLException {
        List<DayFile> files = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT table_name, day, odd_times, number, bytes FROM"
                        + " archived_files WHERE " + condition + " ORDER BY table_name, odd_times, day, number")) {
            while (result.next()) {
                files.add(new DayFile(
                        result.getString(1),
                        result.getObject(2, LocalDate.class),
                        result.getBoolean(3),
                        result.getLong(4),
                        result.getLong(5)));
            }
        }
        return files;
    }

    private static String same(DayFile file) {
        return String.format(
                Locale.ROOT,
                "table_name = '%s' AND day = DATE '%s' AND odd_times = %s AND number = %d",
                file.table(),
                file.day(),
                file.isOdd(),
                file.number());
    }

    static void unlist(Connection connection, DayFile file) throws SQLException {
        execute(connection, "DELETE FROM archived_files WHERE " + same(file));
    }

    /** Lists a file; in the transaction that deletes its rows. */
    void list(Connection connection, DayFile file, Table<?> table) throws SQLException {
        String time = Sql.name(table.key().time());
        execute(
                connection,
                String.format(
                        Locale.ROOT,
                        "INSERT INTO archived_files SELECT '%s', DATE '%s', %s, %d, %d, min(%s), max(%s), false FROM"
                                + " read_parquet(%s, hive_partitioning = false)",
                        file.table(),
                        file.day(),
                        file.isOdd(),
                        file.number(),
                        file.bytes(),
                        time,
                        time,
                        Sql.text(folder.of(file).toString())));
    }

    /** Makes the views show what is listed, as the transaction has it. */
    void refreshViews(Connection connection) throws SQLException {
        execute(connection, views(connection, false));
    }

    private String views(Connection connection, boolean isTemporary) throws SQLException {
        StringBuilder sql = new StringBuilder();
        for (Table<?> table : Schema.IN_FILES) {
            sql.append(isTemporary ? "CREATE OR REPLACE TEMP VIEW " : "CREATE OR REPLACE VIEW ")
                    .append(table.name())
                    .append(" AS ")
                    .append(rows(connection, table))
                    .append(";\n");
        }
        return sql.toString();
    }

    private String rows(Connection connection, Table<?> table) throws SQLException {
        StringBuilder sql =
                new StringBuilder("SELECT ").append(table.columnNames()).append(" FROM ");
        sql.append(table.stored());
        String own = "table_name = '" + table.name() + "' AND ";
        String whole = read(table, files(connection, own + "NOT has_replaced"));
        if (whole != null) {
            sql.append(" UNION ALL ").append(whole);
        }
        String replaced = withoutReplaced(table, files(connection, own + "has_replaced"));
        if (replaced != null) {
            sql.append(" UNION ALL ").append(replaced);
        }
        return sql.toString();
    }

    private @Nullable String read(Table<?> table, List<DayFile> files) {
        StringBuilder paths = new StringBuilder();
        for (DayFile file : files) {
            if (folder.has(file)) {
                paths.append(paths.isEmpty() ? "" : ", ")
                        .append(Sql.text(folder.of(file).toString()));
            }
        }
        return paths.isEmpty()
                ? null
                : "SELECT " + table.columnNames() + " FROM read_parquet([" + paths + "], hive_partitioning = false)";
    }

    /** The rows of files but for those that others took the place of; null if there are no files. */
    @Nullable
    String withoutReplaced(Table<?> table, List<DayFile> files) {
        String read = read(table, files);
        return read == null
                ? null
                : String.format(
                        Locale.ROOT,
                        "%s AS filed WHERE NOT EXISTS (SELECT 1 FROM archived_replaced AS r WHERE r.kind = '%s' AND"
                                + " r.id = filed.%s AND r.moment = filed.%s)",
                        read,
                        kind(table),
                        Sql.name(table.key().column()),
                        Sql.name(table.key().time()));
    }

    /** The rows of a call are replaced together, as are those of a message. */
    static String kind(Table<?> table) {
        return Schema.OF_CALLS.contains(table) ? "call" : "message";
    }

    /**
     * The files that a new one of a partition takes the place of: those of its day. Of odd times, also all others some rows of which were
     * replaced, as it cannot be said which.
     */
    List<DayFile> files(Connection connection, Table<?> table, Partition partition) throws SQLException {
        return files(
                connection,
                String.format(
                        Locale.ROOT,
                        "table_name = '%1$s' AND odd_times = %2$s AND (day = DATE '%3$s' OR (%2$s AND has_replaced))",
                        table.name(),
                        partition.isOdd(),
                        partition.day()));
    }

    /** The partitions some rows of which were replaced. */
    List<Partition> withReplaced(Connection connection) throws SQLException {
        List<Partition> partitions = new ArrayList<>();
        for (DayFile file : files(connection, "has_replaced")) {
            Partition partition = new Partition(file.day(), file.isOdd());
            if (!partitions.contains(partition)) {
                partitions.add(partition);
            }
        }
        return partitions;
    }

    /** Whether there are files; after the last one is deleted, until the database is opened again. */
    boolean hasFiles() {
        return untilNs != Long.MIN_VALUE || hasOddTimes;
    }

    /** Whether rows may be in files, so that {@link #hide} has to look. */
    boolean mayHave(Replaced found) {
        return found.fromNs() <= untilNs || hasOddTimes;
    }

    /**
     * Hides what of {@code temp.replaced} is in files, in the transaction that writes what takes its place.
     *
     * @param tables all that belong to a call, or to a message
     */
    void hide(Connection connection, List<Table<?>> tables) throws SQLException {
        String kind = kind(tables.getFirst());
        String own =
                "table_name IN (" + Sql.texts(tables.stream().map(Table::name).toList()) + ")";
        long hidden = execute(
                connection,
                String.format(
                        Locale.ROOT,
                        "INSERT INTO archived_replaced SELECT '%1$s', id, moment FROM temp.replaced AS new WHERE EXISTS"
                                + " (SELECT 1 FROM archived_files WHERE %2$s AND new.moment BETWEEN first_at AND last_at)"
                                + " AND NOT EXISTS (SELECT 1 FROM archived_replaced AS r WHERE r.kind = '%1$s' AND r.id ="
                                + " new.id AND r.moment = new.moment)",
                        kind,
                        own));
        if (hidden == 0) {
            return;
        }
        long files = execute(
                connection,
                String.format(
                        Locale.ROOT,
                        "UPDATE archived_files SET has_replaced = true WHERE %s AND NOT has_replaced AND EXISTS (SELECT 1 FROM"
                                + " archived_replaced AS r WHERE r.kind = '%s' AND r.moment BETWEEN first_at AND last_at)",
                        own,
                        kind));
        if (files > 0) {
            refreshViews(connection);
        }
    }

    /** Said before a transaction commits that lists files: rows up to then may be in files from now on. */
    void mayReach(long ns, boolean isOdd) {
        if (isOdd) {
            hasOddTimes = true;
        } else {
            untilNs = Math.max(untilNs, ns);
        }
    }

    private void loadRange(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT max(epoch_ns(last_at)) FILTER (NOT odd_times),"
                        + " count(*) FILTER (odd_times) FROM archived_files")) {
            if (result.next()) {
                long last = result.getLong(1);
                untilNs = result.wasNull() ? Long.MIN_VALUE : last;
                hasOddTimes = result.getLong(2) > 0;
            }
        }
    }

    static long execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return statement.getLargeUpdateCount();
        }
    }
}
