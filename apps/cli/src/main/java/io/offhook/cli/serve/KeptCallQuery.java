package io.offhook.cli.serve;

import io.offhook.analysis.kept.KeptCall;
import io.offhook.packet.Endpoint;
import io.offhook.web.data.CallData;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Asks a database for what packets of a call are found by: its time, its streams, the connections of its messages. */
final class KeptCallQuery {
    private static final long SECOND_NS = 1_000_000_000L;

    /** What is captured of a call before its first message is counted: a handshake. */
    private static final long BEFORE_NS = 10 * SECOND_NS;

    /** Messages and ICMP errors behind the end of a call. */
    private static final long AFTER_NS = 60 * SECOND_NS;

    private final Connection connection;
    private final CallData.CallKey call;
    private final KeptCall wanted;
    private long fromNs;
    private long untilNs;

    private KeptCallQuery(Connection connection, CallData.CallKey call, KeptCall wanted) {
        this.connection = connection;
        this.call = call;
        this.wanted = wanted;
    }

    /** Adds a call. */
    static void add(Connection connection, CallData.CallKey call, KeptCall wanted) throws SQLException {
        new KeptCallQuery(connection, call, wanted).add();
    }

    /** Adds the streams of a call only. */
    static void addStreams(Connection connection, CallData.CallKey call, KeptCall wanted) throws SQLException {
        KeptCallQuery query = new KeptCallQuery(connection, call, wanted);
        if (query.time()) {
            query.streams();
        }
    }

    /** Until when packets of a call may have been captured, nanoseconds since the epoch; the largest number if it goes on. */
    static long untilNs(Connection connection, CallData.CallKey call) throws SQLException {
        KeptCallQuery query = new KeptCallQuery(connection, call, new KeptCall());
        query.time();
        return query.untilNs;
    }

    /** Finds the time of the call; false if there is no such call. */
    private boolean time() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT epoch_ns(first_seen_at), epoch_ns(ended_at) FROM calls WHERE id = ?")) {
            statement.setLong(1, call.id());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return false;
                }
                fromNs = Math.max(0, row.getLong(1) - BEFORE_NS);
                long endedNs = row.getLong(2);
                untilNs = row.wasNull() ? Long.MAX_VALUE : endedNs + AFTER_NS;
                return true;
            }
        }
    }

    private void add() throws SQLException {
        if (!time()) {
            return;
        }
        wanted.others(fromNs, untilNs);
        for (String callId : call.callIds()) {
            // at any time: agents that send HEP have clocks of their own
            wanted.messages(callId, 0, Long.MAX_VALUE);
            connections(callId);
        }
        streams();
    }

    private void connections(String callId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT DISTINCT source_address, destination_address, transport FROM messages"
                        + " WHERE call_id = ? AND transport <> 'UDP'"
                        // as times, by which days and parts of tables are passed by
                        + " AND captured_at BETWEEN make_timestamp_ns(?) AND make_timestamp_ns(?)")) {
            statement.setString(1, callId);
            statement.setLong(2, fromNs);
            statement.setLong(3, Math.min(untilNs, Long.MAX_VALUE - 1)); // the largest is infinity
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    Endpoint source = Endpoint.parse(row.getString(1));
                    Endpoint destination = Endpoint.parse(row.getString(2));
                    if (source != null && destination != null) {
                        // TLS is opened from its handshake on only
                        boolean isTls = row.getString(3).matches("TLS|WSS");
                        wanted.connection(source, destination, isTls ? 0 : fromNs, untilNs);
                    }
                }
            }
        }
    }

    private void streams() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT source, destination, ssrc, epoch_ns(first_at), epoch_ns(last_at) FROM streams WHERE call = ?")) {
            statement.setLong(1, call.id());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    Endpoint source = Endpoint.parse(row.getString(1));
                    Endpoint destination = Endpoint.parse(row.getString(2));
                    if (source != null && destination != null) {
                        boolean isRunning = untilNs == Long.MAX_VALUE;
                        long lastNs = isRunning ? Long.MAX_VALUE : row.getLong(5) + SECOND_NS;
                        wanted.stream(source, destination, Long.decode(row.getString(3)), row.getLong(4), lastNs);
                    }
                }
            }
        }
    }
}
