package io.offhook.store.query;

import io.offhook.store.CallStore;
import io.offhook.store.StoreException;
import io.offhook.store.StoreHeldException;
import io.offhook.store.StoreSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/** Asks a database. One question at a time; {@link #close} also closes a database that it opened. */
public sealed interface SqlSession extends AutoCloseable permits SqlClient, SqlSession.Local {

    /**
     * Asks through the process that holds a database, if that listens beside it, else opens the file to read.
     *
     * @param file the database
     * @param settings for a database that is opened
     * @throws StoreException if it is no such database, or another process holds it that does not answer, which is named
     */
    static SqlSession open(Path file, StoreSettings settings) throws IOException {
        SqlClient client = SqlClient.connect(file);
        if (client != null) {
            return client;
        }
        try {
            return new Local(CallStore.openToRead(file, settings));
        } catch (StoreHeldException e) {
            SqlClient late = SqlClient.connect(file); // it may have been about to listen
            if (late != null) {
                return late;
            }
            throw e;
        }
    }

    /** Asks a store of this process, which is closed with the session. */
    static SqlSession of(CallStore store) {
        return new Local(store);
    }

    /**
     * Asks.
     *
     * @param sql one SELECT, or what DuckDB takes for one: FROM, WITH, VALUES, DESCRIBE, SUMMARIZE, SHOW; or EXPLAIN of one
     * @param limits beyond which it is ended, or its result is cut
     * @param rows takes the result
     * @throws SqlException if it was not answered
     * @throws IOException if {@code rows} throws it, or the connection breaks
     */
    SqlResult ask(String sql, SqlLimits limits, SqlRows rows) throws IOException;

    @Override
    void close() throws IOException;

    /**
     * Of a database that this process has opened.
     *
     * @param store closed with the session
     */
    record Local(CallStore store) implements SqlSession {
        @Override
        public SqlResult ask(String sql, SqlLimits limits, SqlRows rows) throws IOException {
            try (Connection connection = store.reader()) {
                return new SqlQuery(connection, limits).run(sql, rows);
            } catch (SQLException e) {
                throw new SqlException("the connection was not closed: " + e.getMessage(), e);
            }
        }

        @Override
        public void close() throws IOException {
            store.close();
        }
    }
}
