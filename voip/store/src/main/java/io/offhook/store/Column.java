package io.offhook.store;

import io.offhook.calls.CallReport;
import java.sql.SQLException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.duckdb.DuckDBAppender;
import org.jspecify.annotations.Nullable;

/**
 * A column: its name and type in SQL, what it says, and how the value of a row is appended.
 *
 * @param name its name
 * @param type its type in SQL
 * @param meaning what it says, with unit and range
 * @param value appends the value
 * @param <R> what a row is made of
 */
record Column<R>(String name, String type, String meaning, Value<R> value) {
    /** Stands for a whole number or a time that a row does not have. */
    static final long NONE = CallReport.NEVER;

    /** Appends the value of a row. */
    interface Value<R> {
        void append(R row, DuckDBAppender out) throws SQLException;
    }

    static <R> Column<R> text(String name, String meaning, Function<R, @Nullable String> value) {
        return new Column<>(name, "VARCHAR", meaning, (row, out) -> {
            String text = value.apply(row);
            if (text == null) {
                out.appendNull();
            } else {
                out.append(text);
            }
        });
    }

    /** A number of at most 32 bits; {@link #NONE} is null. */
    static <R> Column<R> count(String name, String meaning, ToLongFunction<R> value) {
        return new Column<>(name, "INTEGER", meaning, (row, out) -> {
            long number = value.applyAsLong(row);
            if (number == NONE) {
                out.appendNull();
            } else {
                out.append(Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE));
            }
        });
    }

    /** A number of 64 bits; {@link #NONE} is null. */
    static <R> Column<R> whole(String name, String meaning, ToLongFunction<R> value) {
        return new Column<>(name, "BIGINT", meaning, (row, out) -> {
            long number = value.applyAsLong(row);
            if (number == NONE) {
                out.appendNull();
            } else {
                out.append(number);
            }
        });
    }

    /** A number with a fraction; NaN and infinity are null. */
    static <R> Column<R> real(String name, String meaning, ToDoubleFunction<R> value) {
        return new Column<>(name, "DOUBLE", meaning, (row, out) -> {
            double number = value.applyAsDouble(row);
            if (Double.isFinite(number)) {
                out.append(number);
            } else {
                out.appendNull();
            }
        });
    }

    /** Nanoseconds since the epoch; {@link #NONE} is null. */
    static <R> Column<R> time(String name, String meaning, ToLongFunction<R> value) {
        return new Column<>(name, "TIMESTAMP_NS", meaning, (row, out) -> {
            long ns = value.applyAsLong(row);
            if (ns == NONE) {
                out.appendNull();
            } else {
                out.appendEpochNanos(ns);
            }
        });
    }

    static <R> Column<R> flag(String name, String meaning, Predicate<R> value) {
        return new Column<>(name, "BOOLEAN", meaning, (row, out) -> out.append(value.test(row)));
    }
}
