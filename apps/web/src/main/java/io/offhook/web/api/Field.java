package io.offhook.web.api;

import io.offhook.report.fields.FieldWriter;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A field of an answer, and the expression of SQL that it is read by.
 *
 * @param name in JSON
 * @param sql its expression
 * @param kind how it is read and written
 */
record Field(String name, String sql, Kind kind) {
    /** How a field is read and written. */
    enum Kind {
        TEXT,
        WHOLE,
        REAL,
        FLAG,
        /** Nanoseconds since the epoch. */
        TIME
    }

    private static final int DECIMALS = 4;
    private static final String OF_TIME = "epoch_ns(";

    static Field text(String name, String sql) {
        return new Field(name, sql, Kind.TEXT);
    }

    static Field whole(String name, String sql) {
        return new Field(name, sql, Kind.WHOLE);
    }

    static Field real(String name, String sql) {
        return new Field(name, sql, Kind.REAL);
    }

    static Field flag(String name, String sql) {
        return new Field(name, sql, Kind.FLAG);
    }

    /** A time: a column of type TIMESTAMP_NS. */
    static Field time(String name, String column) {
        return new Field(name, OF_TIME + column + ")", Kind.TIME);
    }

    /** A number of 64 bits that identifies something: text in JSON, whose numbers have 53 bits in a browser. */
    static Field id(String name, String column) {
        return new Field(name, "CAST(" + column + " AS VARCHAR)", Kind.TEXT);
    }

    /** What rows are sorted by: a time by its column, which can be read before the others. */
    String sortedBy() {
        return kind == Kind.TIME ? sql.substring(OF_TIME.length(), sql.length() - 1) : sql;
    }

    /** What stands behind SELECT. */
    static String select(List<Field> fields) {
        return fields.stream().map(Field::sql).collect(Collectors.joining(", "));
    }

    /** Writes the row at hand, whose columns are those of {@link #select}. */
    static void write(List<Field> fields, ResultSet row, FieldWriter out) throws SQLException {
        for (int i = 0; i < fields.size(); i++) {
            fields.get(i).write(row, i + 1, out);
        }
    }

    /** Writes a column of the row at hand. */
    void write(ResultSet row, int column, FieldWriter out) throws SQLException {
        switch (kind) {
            case TEXT -> out.field(name, row.getString(column));
            case WHOLE -> {
                long value = row.getLong(column);
                if (row.wasNull()) {
                    out.nullField(name);
                } else {
                    out.field(name, value);
                }
            }
            case REAL -> {
                double value = row.getDouble(column);
                out.field(name, row.wasNull() ? Double.NaN : value, DECIMALS);
            }
            case FLAG -> {
                boolean value = row.getBoolean(column);
                if (row.wasNull()) {
                    out.nullField(name);
                } else {
                    out.field(name, value);
                }
            }
            case TIME -> {
                long ns = row.getLong(column);
                if (row.wasNull()) {
                    out.nullField(name);
                } else {
                    out.time(name, ns);
                }
            }
        }
    }
}
