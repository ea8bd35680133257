package io.offhook.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;

/** Makes a Parquet file of a CSV file with a heading, such as others than the database write. */
public final class ParquetOfCsv {
    private ParquetOfCsv() {}

    /**
     * Writes the file, compressed by zstd. The types of the columns are those that all of their cells have; empty cells are null.
     *
     * @param csv with a heading (RFC 4180)
     * @param texts the columns that are text, whatever is in them
     * @param parquet is overwritten
     * @throws IOException if the one cannot be read, or the other not be written
     */
    public static void write(Path csv, List<String> texts, Path parquet) throws IOException {
        String types =
                texts.stream().map(name -> Sql.text(name) + ": 'VARCHAR'").collect(Collectors.joining(", "));
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:duckdb:", StoreSettings.standard().properties(null, false));
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (SELECT * FROM read_csv(" + Sql.text(csv.toString())
                    + ", header = true, sample_size = -1, types = {" + types + "})) TO " + Sql.text(parquet.toString())
                    + " (FORMAT parquet, COMPRESSION zstd)");
        } catch (SQLException e) {
            throw new IOException(parquet + " cannot be written: " + e.getMessage(), e);
        }
    }
}
