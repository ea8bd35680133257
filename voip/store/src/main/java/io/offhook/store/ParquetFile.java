package io.offhook.store;

import java.nio.file.Path;
import java.util.Locale;

/** Writes rows to a Parquet file, compressed by zstd. */
final class ParquetFile {
    /** Rows in a row group, which is held in memory when it is written, and read as a whole: of small rows, and of texts. */
    private static final int ROW_GROUP = 32_768;

    private static final int ROW_GROUP_OF_TEXTS = 8192;

    private ParquetFile() {}

    /**
     * The statement that writes a file.
     *
     * @param rows a SELECT of rows of {@code table}
     */
    static String copy(String rows, Table<?> table, Path file) {
        boolean isOfTexts = table.equals(MessageRow.TEXTS) || table.equals(DocumentRow.TABLE);
        return String.format(
                Locale.ROOT,
                "COPY (%s) TO %s (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE %d, USE_TMP_FILE false)",
                rows,
                Sql.text(file.toString()),
                isOfTexts ? ROW_GROUP_OF_TEXTS : ROW_GROUP);
    }
}
