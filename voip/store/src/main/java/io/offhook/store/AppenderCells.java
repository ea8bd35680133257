package io.offhook.store;

import java.sql.SQLException;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** Appends rows to a table. */
final class AppenderCells implements Cells, AutoCloseable {
    private final DuckDBAppender out;

    AppenderCells(DuckDBAppender out) {
        this.out = out;
    }

    static AppenderCells of(DuckDBConnection connection, Table<?> table) throws SQLException {
        return new AppenderCells(connection.createAppender(table.stored()));
    }

    <R> void row(Table<R> table, R row) throws SQLException {
        out.beginRow();
        table.fill(row, this);
        out.endRow();
    }

    /** Appends a row that {@link KeptCells} kept. */
    void row(KeptCells.Row row) throws SQLException {
        out.beginRow();
        row.fill(this);
        out.endRow();
    }

    /** Appends a row that names what is replaced. */
    void replaced(long id, long ns) throws SQLException {
        out.beginRow();
        out.append(id);
        out.appendEpochNanos(ns);
        out.endRow();
    }

    @Override
    public void text(String value) throws SQLException {
        out.append(value);
    }

    @Override
    public void octets(byte[] value) throws SQLException {
        out.append(value);
    }

    @Override
    public void count(int value) throws SQLException {
        out.append(value);
    }

    @Override
    public void whole(long value) throws SQLException {
        out.append(value);
    }

    @Override
    public void real(double value) throws SQLException {
        out.append(value);
    }

    @Override
    public void time(long ns) throws SQLException {
        out.appendEpochNanos(ns);
    }

    @Override
    public void flag(boolean value) throws SQLException {
        out.append(value);
    }

    @Override
    public void absent() throws SQLException {
        out.appendNull();
    }

    /** Hands what was appended to the database. */
    @Override
    public void close() throws SQLException {
        out.close();
    }
}
