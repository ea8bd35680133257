package io.offhook.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The tables, and the version of their columns, which a database carries. */
final class Schema {
    /** The version that this code writes. Each change of a column adds a migration. */
    static final int VERSION = 1;

    /** All tables of calls, in the order in which they are documented. */
    static final List<Table<?>> TABLES = List.of(CallRow.TABLE, ProblemRow.TABLE, StreamRow.TABLE, IntervalRow.TABLE);

    private Schema() {}

    /**
     * Creates what a new database lacks, in one transaction.
     *
     * @throws StoreException if it was written by a later version
     */
    static void bringUpToDate(Connection connection) throws SQLException, StoreException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN");
            statement.execute("CREATE TABLE IF NOT EXISTS offhook (schema_version INTEGER)");
            int version = version(statement);
            if (version > VERSION) {
                statement.execute("ROLLBACK");
                throw new StoreException("it has version " + version + " of the schema, and this Offhook knows "
                        + VERSION + "; use the Offhook that wrote it, or a later one");
            }
            if (version == 0) {
                for (Table<?> table : TABLES) {
                    statement.execute(table.creation());
                }
                statement.execute("INSERT INTO offhook VALUES (" + VERSION + ")");
            }
            statement.execute("COMMIT");
        }
    }

    private static int version(Statement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery("SELECT max(schema_version) FROM offhook")) {
            return result.next() ? result.getInt(1) : 0;
        }
    }
}
