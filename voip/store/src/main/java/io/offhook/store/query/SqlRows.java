package io.offhook.store.query;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes a result. */
public interface SqlRows {
    /** The columns; called once, before any row. */
    void columns(List<SqlColumn> columns) throws IOException;

    /** A row: for each column its value as {@link SqlColumn.Kind} has it; null for NULL, and for numbers that are not finite. */
    void row(List<@Nullable String> values) throws IOException;
}
