package io.offhook.store;

import io.offhook.calls.CallReport;
import java.sql.SQLException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A column: its name and type in SQL, what it says, and how the value of a row is written.
 *
 * @param name its name
 * @param type its type in SQL
 * @param compression what a table's definition says of it behind the type; "" leaves it to DuckDB
 * @param meaning what it says, with unit and range
 * @param value writes the value
 * @param <R> what a row is made of
 */
record Column<R>(String name, String type, String compression, String meaning, Value<R> value) {
    /** Stands for a whole number or a time that a row does not have. */
    static final long NONE = CallReport.NEVER;

    private static final String TEXT = "VARCHAR";
    private static final String ZSTD = " USING COMPRESSION zstd";

    private Column(String name, String type, String meaning, Value<R> value) {
        this(name, type, "", meaning, value);
    }

    /** Writes the value of a row. */
    interface Value<R> {
        void write(R row, Cells out) throws SQLException;
    }

    static <R> Column<R> text(String name, String meaning, Function<R, @Nullable String> value) {
        return new Column<>(name, TEXT, meaning, (row, out) -> {
            String text = value.apply(row);
            if (text == null) {
                out.absent();
            } else {
                out.text(text);
            }
        });
    }

    /**
     * A text of hundreds of bytes or more, which every row has. By itself DuckDB tries several compressions on each block; being told
     * one writes calls with their documents in 0.6 of the time, and these take a seventh of the room.
     */
    static <R> Column<R> longText(String name, String meaning, Function<R, String> value) {
        return new Column<>(name, TEXT, ZSTD, meaning, (row, out) -> out.text(value.apply(row)));
    }

    /** As {@link #longText}, of octets that are meant to be UTF-8; what is none becomes U+FFFD. */
    static <R> Column<R> longUtf8(String name, String meaning, Function<R, byte[]> value) {
        return new Column<>(name, TEXT, ZSTD, meaning, (row, out) -> {
            byte[] octets = value.apply(row);
            if (Utf8.isValid(octets)) {
                out.octets(octets); // as they are, which saves making a text and taking it apart
            } else {
                out.text(Utf8.text(octets));
            }
        });
    }

    /** A text of a message, in which "" stands for what it does not have. */
    static <R> Column<R> header(String name, String meaning, Function<R, String> value) {
        return new Column<>(name, TEXT, meaning, (row, out) -> {
            String text = value.apply(row);
            if (text.isEmpty()) {
                out.absent();
            } else {
                out.text(text);
            }
        });
    }

    static <R> Column<R> octets(String name, String meaning, Function<R, byte @Nullable []> value) {
        return new Column<>(name, "BLOB", meaning, (row, out) -> {
            byte[] octets = value.apply(row);
            if (octets == null) {
                out.absent();
            } else {
                out.octets(octets);
            }
        });
    }

    /** A number of at most 32 bits; {@link #NONE} is null. */
    static <R> Column<R> count(String name, String meaning, ToLongFunction<R> value) {
        return new Column<>(name, "INTEGER", meaning, (row, out) -> {
            long number = value.applyAsLong(row);
            if (number == NONE) {
                out.absent();
            } else {
                out.count(Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE));
            }
        });
    }

    /** A number of 64 bits; {@link #NONE} is null. */
    static <R> Column<R> whole(String name, String meaning, ToLongFunction<R> value) {
        return new Column<>(name, "BIGINT", meaning, (row, out) -> {
            long number = value.applyAsLong(row);
            if (number == NONE) {
                out.absent();
            } else {
                out.whole(number);
            }
        });
    }

    /** A number with a fraction; NaN and infinity are null. */
    static <R> Column<R> real(String name, String meaning, ToDoubleFunction<R> value) {
        return new Column<>(name, "DOUBLE", meaning, (row, out) -> {
            double number = value.applyAsDouble(row);
            if (Double.isFinite(number)) {
                out.real(number);
            } else {
                out.absent();
            }
        });
    }

    /** Nanoseconds since the epoch; {@link #NONE} is null. */
    static <R> Column<R> time(String name, String meaning, ToLongFunction<R> value) {
        return new Column<>(name, "TIMESTAMP_NS", meaning, (row, out) -> {
            long ns = value.applyAsLong(row);
            if (ns == NONE) {
                out.absent();
            } else {
                out.time(ns);
            }
        });
    }

    static <R> Column<R> flag(String name, String meaning, Predicate<R> value) {
        return new Column<>(name, "BOOLEAN", meaning, (row, out) -> out.flag(value.test(row)));
    }
}
