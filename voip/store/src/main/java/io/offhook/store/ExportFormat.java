package io.offhook.store;

import java.util.Locale;

/** What an export writes. */
public enum ExportFormat {
    /** Parquet, a file a table and day. */
    PARQUET,
    /** JSON, an object a line. */
    JSON,
    /** CSV with a header line. */
    CSV;

    /** The name on the command line, and the ending of files. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
