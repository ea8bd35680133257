package io.offhook.store.query;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Values of DuckDB as text. */
final class SqlValue {
    private static final long SECOND_NS = 1_000_000_000L;

    private SqlValue() {}

    static SqlColumn.Kind kind(String type) {
        return switch (type) {
            case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT" -> SqlColumn.Kind.NUMBER;
            case "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT" -> SqlColumn.Kind.NUMBER;
            case "FLOAT", "DOUBLE" -> SqlColumn.Kind.NUMBER;
            case "BOOLEAN" -> SqlColumn.Kind.BOOLEAN;
            case "TIMESTAMP", "TIMESTAMP_NS", "TIMESTAMP_MS", "TIMESTAMP_S", "TIMESTAMP WITH TIME ZONE" ->
                SqlColumn.Kind.TIME;
            default -> type.startsWith("DECIMAL(") && !type.endsWith("]") ? SqlColumn.Kind.NUMBER : SqlColumn.Kind.TEXT;
        };
    }

    static @Nullable String text(ResultSet result, int column, SqlColumn.Kind kind) throws SQLException {
        return switch (kind) {
            case TEXT -> result.getString(column);
            case BOOLEAN, NUMBER -> plain(result.getObject(column));
            case TIME -> time(result, column);
        };
    }

    private static @Nullable String plain(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        return switch (value) {
            case BigDecimal number -> number.toPlainString();
            case Double number -> Double.isFinite(number) ? decimal(number) : null;
            case Float number -> Float.isFinite(number) ? new BigDecimal(number.toString()).toPlainString() : null;
            default -> value.toString();
        };
    }

    /** Whole numbers without ".0", as counts and sums are. */
    private static String decimal(double number) {
        return new BigDecimal(Double.toString(number)).stripTrailingZeros().toPlainString();
    }

    private static @Nullable String time(ResultSet result, int column) throws SQLException {
        Object value = result.getObject(column);
        if (value == null) {
            return null;
        }
        LocalDateTime time = value instanceof OffsetDateTime zoned
                ? zoned.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime()
                : result.getObject(column, LocalDateTime.class);
        Instant instant = time.toInstant(ZoneOffset.UTC);
        long last = Long.MAX_VALUE / SECOND_NS - 1;
        return Long.toString(Math.clamp(instant.getEpochSecond(), -last, last) * SECOND_NS + instant.getNano());
    }
}
