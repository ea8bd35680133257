package io.offhook.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes tables to files, all as they were at one moment. Parquet is partitioned by day, in the layout of Hive ({@code
 * calls/day=2026-11-27/calls.parquet}); rows whose time is before 2000 or more than a day ahead have no day, so that they do not
 * make a partition each. JSON and CSV are a file a table.
 */
public final class TableExport {
    private final CallStore store;
    private final ExportRequest request;
    private final Path folder;
    private @Nullable Statement running;
    private boolean isCancelled;

    /**
     * Makes an export.
     *
     * @param folder empty; one of those to which the store may write
     */
    TableExport(CallStore store, ExportRequest request, Path folder) {
        this.store = store;
        this.request = request;
        this.folder = folder;
    }

    /**
     * Exports from a database that nobody has open to write.
     *
     * @param folder empty
     * @return rows by table
     * @throws StoreException if it cannot be opened or read, or files cannot be written
     */
    public static Map<String, Long> ofFile(Path file, StoreSettings settings, ExportRequest request, Path folder)
            throws IOException {
        try (CallStore store = CallStore.openToRead(file, settings, List.of(folder))) {
            return new TableExport(store, request, folder).run();
        }
    }

    /**
     * An export to a folder beside the database, for somebody else to take away.
     *
     * @param store open, in a file
     */
    public static TableExport beside(CallStore store, ExportRequest request) throws IOException {
        Archive archive = store.archive();
        if (archive == null) {
            throw new IllegalArgumentException("a database in memory has no place for files");
        }
        return new TableExport(store, request, archive.folder().makeExport());
    }

    /** Where the files are. */
    public Path folder() {
        return folder;
    }

    /** Deletes the folder. */
    public void delete() throws IOException {
        ArchiveFolder.deleteAll(folder);
    }

    /**
     * Writes the files.
     *
     * @return rows by table
     * @throws StoreException if it failed, or was cancelled; files may be there
     */
    public Map<String, Long> run() throws IOException {
        Map<String, Long> rows = new LinkedHashMap<>();
        try (Connection connection = store.reader()) {
            execute(connection, "BEGIN TRANSACTION READ ONLY");
            for (Table<?> table : Schema.TABLES) {
                if (request.tables().contains(table.name())) {
                    rows.put(table.name(), export(connection, table));
                }
            }
            execute(connection, "COMMIT");
            return rows;
        } catch (SQLException e) {
            throw new StoreException("the export failed: " + e.getMessage(), e);
        }
    }

    private long export(Connection connection, Table<?> table) throws SQLException, IOException {
        if (request.format() != ExportFormat.PARQUET) {
            String rows = "SELECT " + table.columnNames() + " FROM " + table.name() + where(table, "true");
            Path file = folder.resolve(table.name() + "." + request.format());
            String options = request.format() == ExportFormat.CSV ? "FORMAT csv, HEADER" : "FORMAT json";
            return execute(connection, "COPY (" + rows + ") TO " + Sql.text(file.toString()) + " (" + options + ")");
        }
        long rows = 0;
        for (LocalDate day : days(connection, table)) {
            rows += export(connection, table, day);
        }
        return rows;
    }

    private long export(Connection connection, Table<?> table, @Nullable LocalDate day)
            throws SQLException, IOException {
        String time = Sql.name(table.key().time());
        String ofDay = day == null
                ? "(" + isSane(time) + ") IS NOT TRUE"
                : Partition.of(day).condition(time);
        Path to = folder.resolve(table.name()).resolve("day=" + (day == null ? ArchiveFolder.NO_DAY : day));
        Files.createDirectories(to);
        String rows = "SELECT " + columns(table) + " FROM " + table.name() + where(table, ofDay);
        return execute(connection, ParquetFile.copy(rows, table, to.resolve(table.name() + ".parquet")));
    }

    /** Times in microseconds: Spark reads no nanoseconds. */
    private static String columns(Table<?> table) {
        return table.columns().stream()
                .map(column -> column.type().equals("TIMESTAMP_NS")
                        ? "CAST(" + Sql.name(column.name()) + " AS TIMESTAMP) AS " + Sql.name(column.name())
                        : Sql.name(column.name()))
                .collect(Collectors.joining(", "));
    }

    private static String isSane(String time) {
        return String.format(
                Locale.ROOT,
                "%1$s >= make_timestamp_ns(%2$d) AND %1$s <= make_timestamp_ns(%3$d)",
                time,
                TimeRange.FIRST_NS,
                TimeRange.lastNs());
    }

    private String where(Table<?> table, String condition) {
        if (!request.isBounded()) {
            return " WHERE " + condition;
        }
        return String.format(
                Locale.ROOT,
                " WHERE %s AND epoch_ns(%s) BETWEEN %d AND %d",
                condition,
                Sql.name(table.key().time()),
                request.sinceNs(),
                request.untilNs());
    }

    /** The days of rows, and null if some have none. */
    private List<@Nullable LocalDate> days(Connection connection, Table<?> table) throws SQLException {
        String time = Sql.name(table.key().time());
        String sql = "SELECT DISTINCT CASE WHEN " + isSane(time) + " THEN " + time + "::DATE END FROM " + table.name()
                + where(table, "true") + " ORDER BY 1";
        List<@Nullable LocalDate> days = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            running(statement);
            try (ResultSet result = statement.executeQuery(sql)) {
                while (result.next()) {
                    days.add(result.getObject(1, LocalDate.class));
                }
            }
        } finally {
            running(null);
        }
        return days;
    }

    private long execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            running(statement);
            statement.execute(sql);
            return statement.getLargeUpdateCount();
        } finally {
            running(null);
        }
    }

    private synchronized void running(@Nullable Statement statement) throws SQLException {
        running = statement;
        if (statement != null && isCancelled) {
            throw new SQLException("it was cancelled");
        }
    }

    /** Ends it from another thread. */
    public synchronized void cancel() {
        isCancelled = true;
        Statement statement = running;
        if (statement != null) {
            try {
                statement.cancel();
            } catch (SQLException _) {
                // it has ended by itself
            }
        }
    }
}
