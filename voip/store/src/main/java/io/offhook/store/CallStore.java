package io.offhook.store;

import io.offhook.calls.CallReport;
import io.offhook.calls.Problem;
import io.offhook.calls.RatedInterval;
import io.offhook.calls.StreamReport;
import io.offhook.packet.Endpoint;
import io.offhook.sip.transaction.KeyedHash;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * Writes calls to a database. What one {@link #store} is given is there as a whole or, if the process ends meanwhile, not at
 * all; a call that is stored again, as it has gone on or its capture is read anew, takes the place of what was there. One
 * process at a time can open a database.
 *
 * <p>Not thread-safe.
 */
public final class CallStore implements AutoCloseable {
    private final Path file;
    private final DuckDBConnection connection;

    private CallStore(Path file, DuckDBConnection connection) {
        this.file = file;
        this.connection = connection;
    }

    /**
     * Opens a database, or makes one.
     *
     * @param file where it is; DuckDB keeps a log beside it, with {@code .wal} after its name
     * @throws StoreException if it is no such database, of a later version, or open in another process
     */
    public static CallStore open(Path file, StoreSettings settings) throws StoreException {
        Properties properties = new Properties();
        properties.setProperty("memory_limit", settings.memoryMb() + "MB");
        properties.setProperty("threads", Integer.toString(settings.threads()));
        properties.setProperty("temp_directory", file.toAbsolutePath() + ".tmp");
        DuckDBConnection connection = null;
        try {
            connection =
                    (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:" + file.toAbsolutePath(), properties);
            Schema.bringUpToDate(connection);
            return new CallStore(file, connection);
        } catch (SQLException e) {
            closeQuietly(connection);
            throw failure(file, "cannot be opened", e);
        } catch (StoreException e) {
            closeQuietly(connection);
            throw new StoreException(file + " cannot be opened: " + e.getMessage(), e);
        }
    }

    private static void closeQuietly(@Nullable Connection connection) {
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException _) {
                // what is thrown says why
            }
        }
    }

    private static StoreException failure(Path file, String what, SQLException e) {
        return new StoreException(file + " " + what + ": " + e.getMessage(), e);
    }

    /** Identifies a call in all tables: positive, the same whenever its capture is read. */
    public static long id(CallReport call) {
        byte[] callId = call.callId().getBytes(StandardCharsets.UTF_8);
        return positive(hash().add(callId, 0, callId.length).add(call.times().firstSeenNs()));
    }

    private static long streamId(long call, StreamReport stream) {
        KeyedHash hash = hash().add(call).add(stream.ssrc());
        add(hash, stream.source());
        add(hash, stream.destination());
        return positive(hash.add(stream.statistics().firstNs()));
    }

    /** Without a secret, for what is hashed in one process must be found by the next one. */
    private static KeyedHash hash() {
        return new KeyedHash(0, 0).begin();
    }

    private static void add(KeyedHash hash, Endpoint endpoint) {
        hash.add(endpoint.high()).add(endpoint.low()).add((long) endpoint.port());
    }

    private static long positive(KeyedHash hash) {
        return hash.end().low() & Long.MAX_VALUE;
    }

    /**
     * Stores calls with their problems, streams and intervals.
     *
     * @param source the capture that they were found in
     * @param calls each once
     * @throws StoreException if nothing of it was stored; the database can still be used
     */
    public void store(String source, Collection<CallReport> calls) throws StoreException {
        List<CallRow> rows = new ArrayList<>(calls.size());
        Set<Long> ids = new HashSet<>();
        for (CallReport call : calls) {
            long id = id(call);
            if (ids.add(id)) {
                rows.add(new CallRow(id, source, call));
            }
        }
        try {
            execute("BEGIN TRANSACTION");
            replace(ids);
            appendCalls(rows);
            appendStreams(rows);
            execute("COMMIT");
        } catch (SQLException e) {
            rollBack();
            throw failure(file, "was not written", e);
        }
    }

    /** Deletes what is there of these calls. */
    private void replace(Set<Long> ids) throws SQLException {
        execute("CREATE OR REPLACE TEMP TABLE replaced (id BIGINT)");
        try (DuckDBAppender out = connection.createAppender("temp", "main", "replaced")) {
            for (long id : ids) {
                out.beginRow().append(id).endRow();
            }
        }
        for (Table<?> table : Schema.TABLES) {
            execute(String.format(
                    Locale.ROOT,
                    "DELETE FROM %1$s USING replaced WHERE %1$s.%2$s = replaced.id",
                    table.name(),
                    table.call()));
        }
    }

    private void appendCalls(List<CallRow> rows) throws SQLException {
        try (DuckDBAppender calls = connection.createAppender(CallRow.TABLE.name());
                DuckDBAppender problems = connection.createAppender(ProblemRow.TABLE.name())) {
            for (CallRow row : rows) {
                CallRow.TABLE.append(row, calls);
                for (Problem problem : row.call().problems()) {
                    long startedNs = row.call().times().startedNs();
                    ProblemRow.TABLE.append(new ProblemRow(row.id(), problem, startedNs), problems);
                }
            }
        }
    }

    private void appendStreams(List<CallRow> rows) throws SQLException {
        try (DuckDBAppender streams = connection.createAppender(StreamRow.TABLE.name());
                DuckDBAppender intervals = connection.createAppender(IntervalRow.TABLE.name())) {
            for (CallRow row : rows) {
                for (StreamReport stream : row.call().streams()) {
                    long id = streamId(row.id(), stream);
                    StreamRow.TABLE.append(new StreamRow(id, row.id(), stream), streams);
                    for (RatedInterval interval : stream.intervals()) {
                        IntervalRow.TABLE.append(
                                new IntervalRow(id, row.id(), interval, stream.clockRate()), intervals);
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

    private void rollBack() {
        try {
            execute("ROLLBACK");
        } catch (SQLException _) {
            // DuckDB has rolled back itself, as it does when the disk is full
        }
    }

    /** Closes the database; everything stored is in its file. */
    @Override
    public void close() throws StoreException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw failure(file, "was not closed", e);
        }
    }
}
