package io.offhook.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The tables, and the version of their columns, which a database carries. */
final class Schema {
    /** The version that this code writes. Each change of a column adds a migration, {@code to-VERSION.sql}. */
    static final int VERSION = 3;

    /** The version that has Parquet files. */
    static final int FIRST_WITH_FILES = 3;

    /** The tables whose rows belong to a call, and are replaced with it. */
    static final List<Table<?>> OF_CALLS = List.of(
            CallRow.TABLE, DocumentRow.TABLE, DialogRow.TABLE, ProblemRow.TABLE, StreamRow.TABLE, IntervalRow.TABLE);

    /** The tables of a message. */
    static final List<Table<?>> OF_MESSAGES = List.of(MessageRow.TABLE, MessageRow.TEXTS);

    /** The tables whose old rows can be in Parquet files. */
    static final List<Table<?>> IN_FILES = List.of(
            CallRow.TABLE,
            DocumentRow.TABLE,
            DialogRow.TABLE,
            ProblemRow.TABLE,
            StreamRow.TABLE,
            IntervalRow.TABLE,
            MessageRow.TABLE,
            MessageRow.TEXTS);

    /** All tables, in the order in which they are documented. */
    static final List<Table<?>> TABLES = List.of(
            CallRow.TABLE,
            DocumentRow.TABLE,
            DialogRow.TABLE,
            ProblemRow.TABLE,
            StreamRow.TABLE,
            IntervalRow.TABLE,
            MessageRow.TABLE,
            MessageRow.TEXTS,
            RegistrationRow.TABLE,
            DropRow.TABLE);

    private Schema() {}

    /**
     * Creates what a new database lacks and migrates one of an earlier version, in one transaction.
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
                for (String sql : Archive.CREATION) {
                    statement.execute(sql);
                }
                statement.execute("ALTER TABLE offhook ADD COLUMN files_in VARCHAR");
                createViews(statement);
                statement.execute("INSERT INTO offhook VALUES (" + VERSION + ", NULL)");
            }
            for (int next = version + 1; version > 0 && next <= VERSION; next++) {
                statement.execute(migration(next));
                statement.execute("UPDATE offhook SET schema_version = " + next);
                if (next == FIRST_WITH_FILES) {
                    createViews(statement);
                }
            }
            statement.execute("COMMIT");
        }
    }

    private static void createViews(Statement statement) throws SQLException {
        for (Table<?> table : IN_FILES) {
            statement.execute(
                    "CREATE VIEW " + table.name() + " AS SELECT " + table.columnNames() + " FROM " + table.stored());
        }
    }

    /**
     * Of a database that is only read.
     *
     * @return its version
     */
    static int check(Connection connection) throws SQLException, StoreException {
        int version;
        try (Statement statement = connection.createStatement()) {
            version = version(statement);
        } catch (SQLException e) {
            throw new StoreException("it is no database of Offhook: " + e.getMessage(), e);
        }
        if (version > VERSION) {
            throw new StoreException("it has version " + version + " of the schema, and this Offhook knows " + VERSION
                    + "; use the Offhook that wrote it, or a later one");
        }
        return version;
    }

    static String migration(int to) {
        String name = "to-" + to + ".sql";
        try (InputStream in = Schema.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(name + " cannot be read", e);
        }
    }

    private static int version(Statement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery("SELECT max(schema_version) FROM offhook")) {
            return result.next() ? result.getInt(1) : 0;
        }
    }
}
