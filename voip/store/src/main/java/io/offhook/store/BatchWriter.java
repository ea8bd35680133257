package io.offhook.store;

import io.offhook.calls.CallReport;
import io.offhook.calls.Problem;
import io.offhook.calls.RatedInterval;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/** Writes batches through one connection, each in a transaction. */
final class BatchWriter {
    private final DuckDBConnection connection;
    private final @Nullable Archive archive;
    private final StoredCalls storedCalls;

    /**
     * Makes a writer.
     *
     * @param archive null for a database in memory
     * @throws SQLException if the database cannot be asked what it has
     */
    BatchWriter(DuckDBConnection connection, @Nullable Archive archive) throws SQLException {
        this.connection = connection;
        this.archive = archive;
        storedCalls = new StoredCalls(latestNs("calls", "first_seen_at"));
        execute("CREATE TEMP TABLE replaced (id BIGINT, moment TIMESTAMP_NS)");
    }

    /** Writes all of it, or throws and nothing of it is there. */
    void write(Batch batch) throws SQLException {
        MessageRows messages = messages(batch);
        execute("BEGIN TRANSACTION");
        try {
            replaceCalls(batch);
            replaceRegistrations(batch);
            replaceMessages(messages);
            replaceDrops(batch.replacedDrops());
            append(batch, messages);
            execute("COMMIT");
        } catch (SQLException | RuntimeException e) {
            rollBack();
            throw e;
        }
        batch.calls().values().forEach(call -> storedCalls.written(call.row().call()));
    }

    private void rollBack() {
        try {
            execute("ROLLBACK");
        } catch (SQLException _) {
            // DuckDB has rolled back itself, as it does when the disk is full
        }
    }

    /** The latest plausible time in a table, nanoseconds since the epoch; 0 if there is none. */
    private long latestNs(String table, String column) throws SQLException {
        String sql = String.format(
                Locale.ROOT,
                "SELECT coalesce(epoch_ns(max(%1$s)), 0) FROM %2$s WHERE %1$s <= make_timestamp_ns(%3$d)",
                column,
                table,
                TimeRange.lastNs());
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return result.next() ? result.getLong(1) : 0;
        }
    }

    /** The rows of messages, once it is known of their feeds which may be there already. */
    private MessageRows messages(Batch batch) throws SQLException {
        for (CapturedMessage message : batch.messages()) {
            if (message.feed().storedUntilNs() == MessageFeed.UNKNOWN) {
                message.feed().storedUntilNs(latestNs("messages", "captured_at"));
            }
        }
        return MessageRows.of(batch.messages());
    }

    private void replaceCalls(Batch batch) throws SQLException {
        Replaced found = new Replaced();
        batch.calls().values().forEach(call -> storedCalls.find(call.row().call(), found));
        replace(found, Schema.OF_CALLS);
    }

    private void replaceRegistrations(Batch batch) throws SQLException {
        Replaced found = new Replaced();
        batch.registrations()
                .forEach((id, row) -> found.add(id, row.registration().firstNs()));
        replace(found, List.of(RegistrationRow.TABLE));
    }

    private void replaceMessages(MessageRows messages) throws SQLException {
        Replaced found = new Replaced();
        messages.findStored(found);
        replace(found, Schema.OF_MESSAGES);
    }

    private void replaceDrops(@Nullable String source) throws SQLException {
        if (source != null) {
            try (PreparedStatement statement = connection.prepareStatement("DELETE FROM drops WHERE source = ?")) {
                statement.setString(1, source);
                statement.execute();
            }
        }
    }

    private void replace(Replaced found, List<Table<?>> tables) throws SQLException {
        if (found.isEmpty()) {
            return;
        }
        execute("DELETE FROM temp.replaced");
        try (AppenderCells out = new AppenderCells(connection.createAppender("temp", "main", "replaced"))) {
            for (Map.Entry<Long, Long> row : found.times().entrySet()) {
                out.replaced(row.getKey(), row.getValue());
            }
        }
        for (Table<?> table : tables) {
            execute(String.format(
                    Locale.ROOT,
                    "DELETE FROM %1$s USING temp.replaced WHERE %1$s.%2$s = replaced.id"
                            + " AND %1$s.%3$s BETWEEN make_timestamp_ns(%4$d) AND make_timestamp_ns(%5$d)",
                    table.stored(),
                    table.key().column(),
                    table.key().time(),
                    found.fromNs(),
                    found.untilNs()));
        }
        if (archive != null && Schema.IN_FILES.contains(tables.getFirst()) && archive.mayHave(found)) {
            archive.hide(connection, tables);
        }
    }

    private void append(Batch batch, MessageRows messages) throws SQLException {
        if (!batch.calls().isEmpty()) {
            appendCalls(batch);
            appendStreams(batch);
        }
        messages.append(connection);
        if (!batch.registrations().isEmpty()) {
            append(RegistrationRow.TABLE, batch.registrations().values());
        }
        if (!batch.drops().isEmpty()) {
            append(DropRow.TABLE, batch.drops());
        }
    }

    private <R> void append(Table<R> table, Iterable<R> rows) throws SQLException {
        try (AppenderCells out = appender(table)) {
            for (R row : rows) {
                out.row(table, row);
            }
        }
    }

    private AppenderCells appender(Table<?> table) throws SQLException {
        return AppenderCells.of(connection, table);
    }

    private void appendCalls(Batch batch) throws SQLException {
        try (AppenderCells calls = appender(CallRow.TABLE);
                AppenderCells documents = appender(DocumentRow.TABLE);
                AppenderCells dialogs = appender(DialogRow.TABLE);
                AppenderCells problems = appender(ProblemRow.TABLE)) {
            for (Batch.PendingCall pending : batch.calls().values()) {
                CallRow row = pending.row();
                calls.row(CallRow.TABLE, row);
                documents.row(DocumentRow.TABLE, pending.document());
                for (CallReport.Dialog dialog : row.call().dialogs()) {
                    dialogs.row(DialogRow.TABLE, new DialogRow(row.id(), row.firstSeenNs(), dialog));
                }
                long startedNs = row.call().times().startedNs();
                for (Problem problem : row.call().problems()) {
                    problems.row(ProblemRow.TABLE, new ProblemRow(row.id(), row.firstSeenNs(), problem, startedNs));
                }
            }
        }
    }

    private void appendStreams(Batch batch) throws SQLException {
        try (AppenderCells streams = appender(StreamRow.TABLE);
                AppenderCells intervals = appender(IntervalRow.TABLE)) {
            for (Batch.PendingCall pending : batch.calls().values()) {
                CallRow call = pending.row();
                for (Batch.PendingStream stream : pending.streams()) {
                    streams.row(stream.row());
                    for (RatedInterval interval : stream.intervals()) {
                        intervals.row(
                                IntervalRow.TABLE,
                                new IntervalRow(
                                        stream.id(), call.id(), call.firstSeenNs(), interval, stream.clockRate()));
                    }
                }
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
