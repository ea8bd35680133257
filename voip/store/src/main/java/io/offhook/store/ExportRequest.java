package io.offhook.store;

import java.util.List;

/**
 * What is to be exported.
 *
 * @param tables names of tables, of {@link #allTables}
 * @param format what is written
 * @param sinceNs only rows whose time (of a call: when it was first seen) is this or later, nanoseconds since the epoch
 * @param untilNs only those of this time or earlier
 */
public record ExportRequest(List<String> tables, ExportFormat format, long sinceNs, long untilNs) {
    /** Checks the names. */
    public ExportRequest {
        tables = List.copyOf(tables);
        for (String table : tables) {
            if (!allTables().contains(table)) {
                throw new IllegalArgumentException(
                        "there is no table " + table + "; there are " + String.join(", ", allTables()));
            }
        }
    }

    /** The tables that there are. */
    public static List<String> allTables() {
        return Schema.TABLES.stream().map(Table::name).toList();
    }

    boolean isBounded() {
        return sinceNs != Long.MIN_VALUE || untilNs != Long.MAX_VALUE;
    }
}
