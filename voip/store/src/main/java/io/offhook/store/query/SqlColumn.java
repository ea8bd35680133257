package io.offhook.store.query;

/**
 * A column of a result.
 *
 * @param name its name
 * @param kind how its values are written
 */
public record SqlColumn(String name, Kind kind) {
    /** How values are written. */
    public enum Kind {
        /** Text, and all types that have no kind of their own, as DuckDB writes them. */
        TEXT,
        /** A number, in decimal notation. */
        NUMBER,
        /** {@code true} or {@code false}. */
        BOOLEAN,
        /** A point in time: nanoseconds since the epoch, in decimal notation. */
        TIME
    }
}
