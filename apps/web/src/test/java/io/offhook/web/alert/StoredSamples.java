package io.offhook.web.alert;

import io.offhook.store.CallStore;
import io.offhook.store.StoreSettings;
import io.offhook.web.FixedData;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A database with the tables of the product, and rows that a test puts there. Times are seconds since 1970. */
final class StoredSamples implements AutoCloseable {
    static final long S = 1_000_000_000L;

    private final String url;
    private final Connection connection;
    private int calls;

    StoredSamples(Path folder) throws Exception {
        Path file = folder.resolve("calls.duckdb");
        CallStore.open(file, StoreSettings.standard()).close();
        url = "jdbc:duckdb:" + file;
        connection = DriverManager.getConnection(url);
    }

    FixedData data() {
        return new FixedData(() -> DriverManager.getConnection(url));
    }

    Connection connection() {
        return connection;
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String at(long seconds) {
        return "make_timestamp_ns(" + seconds * S + ")";
    }

    /** A call that was answered, or failed, and ended. */
    void call(long seconds, boolean answered, boolean bad) throws SQLException {
        run(
                "INSERT INTO recent_calls (id, call_id, outcome, first_seen_at, invited_at, answered_at, ended_at, bad) VALUES ("
                        + ++calls + ", 'c" + calls + "', '" + (answered ? "answered" : "failed") + "', "
                        + at(seconds - 2)
                        + ", "
                        + at(seconds - 2) + ", " + (answered ? at(seconds - 1) : "NULL") + ", " + at(seconds) + ", "
                        + bad
                        + ")");
    }

    /** A request out of dialog. */
    void request(long seconds, String method, String from, String to, String user, String callId) throws SQLException {
        run("INSERT INTO recent_messages (id, captured_at, source_address, destination_address, method, cseq_method,"
                + " cseq_number, call_id, to_user, to_uri, copy) VALUES"
                + " (1, " + at(seconds) + ", '" + from + "', '" + to
                + "', '" + method
                + "', '" + method + "', 1, '" + callId + "', " + quoted(user) + ", 'sip:' || " + quoted(user)
                + " || '@example.com', 'first')");
    }

    /** A response. */
    void response(long seconds, int status, String method, String from, String to, String user, String callId)
            throws SQLException {
        run("INSERT INTO recent_messages (id, captured_at, source_address, destination_address, status, cseq_method,"
                + " cseq_number, call_id, to_user, to_uri, copy) VALUES"
                + " (1, " + at(seconds) + ", '" + from + "', '" + to
                + "', " + status
                + ", '" + method + "', 1, '" + callId + "', " + quoted(user) + ", 'sip:' || " + quoted(user)
                + " || '@example.com', 'first')");
    }

    void drop(long seconds, String cause, long count) throws SQLException {
        run("INSERT INTO drops (source, counted_at, place, cause, count) VALUES ('eth0', " + at(seconds) + ", 'eth0', '"
                + cause + "', " + count + ")");
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
