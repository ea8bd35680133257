package io.offhook.proxy.location;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables of {@link PostgresLocationStore}, made and changed when it is opened. Each step is one version; steps are never
 * changed, only added.
 *
 * <p>{@code binding} is what Offhook reads; the columns before it say the same for people and their queries.
 */
final class PostgresSchema {
    /** Whoever migrates holds this lock; any number that is ours. */
    private static final long LOCK = 0x0ff_400c;

    private static final List<String> STEPS = List.of("""
            CREATE TABLE offhook_binding (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                user_name text NOT NULL,
                domain text NOT NULL,
                contact text NOT NULL,
                instance text NOT NULL,
                reg_id integer NOT NULL,
                path text NOT NULL,
                source text NOT NULL,
                transport text NOT NULL,
                user_agent text NOT NULL,
                updated_at timestamptz NOT NULL,
                expires_at timestamptz NOT NULL,
                binding bytea NOT NULL
            );
            CREATE INDEX offhook_binding_user ON offhook_binding (user_name, domain);
            CREATE INDEX offhook_binding_expires ON offhook_binding (expires_at);
            """);

    private PostgresSchema() {}

    /**
     * Brings the tables to this version.
     *
     * @throws SQLException if that is not possible, or they are of a later one
     */
    static int migrate(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
            statement.execute("CREATE TABLE IF NOT EXISTS offhook_schema (version integer NOT NULL)");
            int version = 0;
            try (ResultSet result = statement.executeQuery("SELECT coalesce(max(version), 0) FROM offhook_schema")) {
                if (result.next()) {
                    version = result.getInt(1);
                }
            }
            if (version > STEPS.size()) {
                throw new SQLException("the tables are of version " + version + ", this Offhook knows " + STEPS.size()
                        + "; use the newer Offhook, or another database");
            }
            for (int step = version; step < STEPS.size(); step++) {
                statement.execute(STEPS.get(step));
                try (PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO offhook_schema (version) VALUES (?)")) {
                    insert.setInt(1, step + 1);
                    insert.executeUpdate();
                }
            }
            return STEPS.size();
        }
    }
}
