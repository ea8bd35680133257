package io.offhook.web.data;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A connection by which requests read, with its last statements: DuckDB takes as long to plan most of them as to run them, and a page
 * asks the same ones again and again.
 *
 * <p>Used by one request at a time.
 */
public final class CallReader implements AutoCloseable {
    static final int MOST_STATEMENTS = 32;

    private final Connection connection;
    private final CallData data;
    private final RunningTable running;
    private final Map<String, PreparedStatement> statements = new LinkedHashMap<>();

    CallReader(CallData data) throws SQLException {
        this.data = data;
        connection = data.connect();
        running = new RunningTable(connection);
    }

    /**
     * A statement, prepared now or kept from earlier. Statements that name the table {@link RunningTable#NAME} see the ids of the
     * calls that go on.
     *
     * @param sql nothing in it comes from a request; what does is a parameter
     * @return to be used at once, and not to be closed; its results are
     */
    public PreparedStatement statement(String sql) throws SQLException {
        if (sql.contains(RunningTable.NAME)) {
            running.follow(data.running());
        }
        PreparedStatement statement = statements.remove(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            makeRoom();
        }
        statements.put(sql, statement); // as the latest
        return statement;
    }

    private void makeRoom() throws SQLException {
        Iterator<PreparedStatement> oldest = statements.values().iterator();
        while (statements.size() >= MOST_STATEMENTS) {
            PreparedStatement unused = oldest.next();
            oldest.remove();
            unused.close();
        }
    }

    /** The calls that go on. */
    public Set<Long> running() {
        return data.running().ids();
    }

    /**
     * Whether old rows are read from Parquet files. Those of the tables alone are sorted by reading the columns of an order first, and
     * the others of a page only; with files that has to be asked for.
     */
    public boolean isInFiles() {
        return data.store().isInFiles();
    }

    @Override
    public void close() throws SQLException {
        connection.close(); // and its statements
    }
}
