package io.offhook.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes a Parquet file of a CSV file with a heading, such as others than the database write. */
public final class ParquetOfCsv {
    private ParquetOfCsv() {}

    /**
     * Writes the file, compressed by zstd. The types of the columns that have none here are those that all of their cells have; empty
     * cells are null.
     *
     * @param csv with a heading (RFC 4180)
     * @param types of columns, as DuckDB calls them, such as {@code VARCHAR}: what their cells have must fit
     * @param parquet is overwritten
     * @throws IOException if the one cannot be read, or the other not be written
     */
    public static void write(Path csv, Map<String, String> types, Path parquet) throws IOException {
        String given = types.entrySet().stream()
                .map(column -> Sql.text(column.getKey()) + ": " + Sql.text(column.getValue()))
                .collect(Collectors.joining(", "));
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:duckdb:", StoreSettings.standard().properties(null, false));
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (SELECT * FROM read_csv(" + Sql.text(csv.toString())
                    + ", header = true, sample_size = -1, types = {" + given + "})) TO " + Sql.text(parquet.toString())
                    + " (FORMAT parquet, COMPRESSION zstd)");
        } catch (SQLException e) {
            throw new IOException(parquet + " cannot be written: " + e.getMessage(), e);
        }
    }
}
