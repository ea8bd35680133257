package io.offhook.store.query;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A question on a connection of its own, which is closed afterwards. It runs in a read-only transaction, and its result is kept in a
 * temporary table, as those obey the memory limit and go to disk beyond it.
 */
final class SqlQuery {
    private static final String RESULT = "offhook_result";
    private static final int PAGE = 2048;

    private final Connection connection;
    private final SqlLimits limits;
    private @Nullable Statement running;
    private @Nullable String cancelled;

    SqlQuery(Connection connection, SqlLimits limits) {
        this.connection = connection;
        this.limits = limits;
    }

    /**
     * Runs it.
     *
     * @throws SqlException if it is no question, has an error, took too long or was cancelled
     * @throws IOException if {@code rows} throws it
     */
    SqlResult run(String sql, SqlRows rows) throws IOException {
        try (SqlDeadline _ = SqlDeadline.after(
                limits.timeMs(), () -> cancel("it took longer than " + seconds(limits.timeMs()) + " s"))) {
            SqlStatement statement = SqlStatement.of(connection, sql);
            return statement.isExplained() ? explained(statement, rows) : answered(statement, rows);
        } catch (SQLException e) {
            String why = cancelled();
            throw new SqlException(
                    why == null ? String.valueOf(e.getMessage()).strip() : "the question was ended: " + why, e);
        }
    }

    private static String seconds(long ms) {
        return ms % 1000 == 0 ? Long.toString(ms / 1000) : String.format(Locale.ROOT, "%.3f", ms / 1e3);
    }

    /** Ends it from another thread. */
    synchronized void cancel(String why) {
        if (cancelled == null) {
            cancelled = why;
        }
        Statement statement = running;
        if (statement != null) {
            try {
                statement.cancel();
            } catch (SQLException _) {
                // it has ended by itself
            }
        }
    }

    private synchronized @Nullable String cancelled() {
        return cancelled;
    }

    private synchronized void running(@Nullable Statement statement) throws SQLException {
        running = statement;
        if (statement != null && cancelled != null) {
            throw new SQLException("cancelled");
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            running(statement);
            statement.execute(sql);
        } finally {
            running(null);
        }
    }

    private SqlResult explained(SqlStatement statement, SqlRows rows) throws SQLException, IOException {
        execute("BEGIN TRANSACTION READ ONLY"); // which ends with the connection
        try (Statement plan = connection.createStatement()) {
            running(plan);
            try (ResultSet result = plan.executeQuery(statement.text())) {
                List<SqlColumn> columns = columns(result.getMetaData());
                rows.columns(columns);
                return new SqlResult(page(result, columns, rows), false);
            }
        } finally {
            running(null);
        }
    }

    private SqlResult answered(SqlStatement question, SqlRows rows) throws SQLException, IOException {
        execute("BEGIN TRANSACTION READ ONLY");
        execute(question.intoTable(RESULT, limits.rows() + 1));
        execute("COMMIT"); // rows of a transaction that runs have no numbers yet by which pages could be read
        List<SqlColumn> columns = null;
        long count = 0;
        long of = PAGE;
        while (of == PAGE && count < limits.rows()) {
            long until = Math.min(count + PAGE, limits.rows());
            String sql = "SELECT * FROM temp." + RESULT + " WHERE rowid >= " + count + " AND rowid < " + until;
            try (Statement statement = connection.createStatement()) {
                running(statement);
                try (ResultSet result = statement.executeQuery(sql)) {
                    if (columns == null) {
                        columns = columns(result.getMetaData());
                        rows.columns(columns);
                    }
                    of = page(result, columns, rows);
                    count += of;
                }
            } finally {
                running(null);
            }
        }
        return new SqlResult(count, count == limits.rows() && isMore());
    }

    private boolean isMore() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM temp." + RESULT)) {
            return result.next() && result.getLong(1) > limits.rows();
        }
    }

    private long page(ResultSet result, List<SqlColumn> columns, SqlRows rows) throws SQLException, IOException {
        long count = 0;
        while (result.next()) {
            List<@Nullable String> values = new ArrayList<>(columns.size());
            for (int i = 0; i < columns.size(); i++) {
                values.add(SqlValue.text(result, i + 1, columns.get(i).kind()));
            }
            rows.row(values);
            count++;
        }
        return count;
    }

    private static List<SqlColumn> columns(ResultSetMetaData data) throws SQLException {
        List<SqlColumn> columns = new ArrayList<>(data.getColumnCount());
        for (int i = 1; i <= data.getColumnCount(); i++) {
            columns.add(new SqlColumn(data.getColumnName(i), SqlValue.kind(data.getColumnTypeName(i))));
        }
        return columns;
    }
}
