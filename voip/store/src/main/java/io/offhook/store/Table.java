package io.offhook.store;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table: what is created, documented (docs/SCHEMA.md) and filled.
 *
 * @param name its name in SQL
 * @param meaning what a row is
 * @param key what rows belong to: they are replaced together
 * @param columns its columns, in order
 * @param <R> what a row is made of
 */
record Table<R>(String name, String meaning, Key key, List<Column<R>> columns) {

    /**
     * What rows are replaced by.
     *
     * @param column with an id, of the call for example
     * @param time the column with the time that the id was made of, by which DuckDB finds its rows without reading all
     */
    record Key(String column, String time) {}

    /** The table with what is in no Parquet file: a view has the name then, and shows both. */
    String stored() {
        return Schema.IN_FILES.contains(this) ? "recent_" + name : name;
    }

    String creation() {
        return columns.stream()
                .map(column -> column.name() + " " + column.type() + column.compression())
                .collect(Collectors.joining(", ", "CREATE TABLE " + stored() + " (", ")"));
    }

    /** Its columns in SQL, separated by commas. */
    String columnNames() {
        return columns.stream().map(column -> Sql.name(column.name())).collect(Collectors.joining(", "));
    }

    void fill(R row, Cells out) throws SQLException {
        for (Column<R> column : columns) {
            column.value().write(row, out);
        }
    }
}
