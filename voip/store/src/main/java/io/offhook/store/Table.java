package io.offhook.store;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;

/**
 * A table: what is created, documented (docs/SCHEMA.md) and filled.
 *
 * @param name its name in SQL
 * @param meaning what a row is
 * @param call the column with the call that a row belongs to
 * @param columns its columns, in order
 * @param <R> what a row is made of
 */
record Table<R>(String name, String meaning, String call, List<Column<R>> columns) {
    String creation() {
        return columns.stream()
                .map(column -> column.name() + " " + column.type())
                .collect(Collectors.joining(", ", "CREATE TABLE " + name + " (", ")"));
    }

    void append(R row, DuckDBAppender out) throws SQLException {
        out.beginRow();
        for (Column<R> column : columns) {
            column.value().append(row, out);
        }
        out.endRow();
    }
}
