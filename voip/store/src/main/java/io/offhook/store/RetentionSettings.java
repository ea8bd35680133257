package io.offhook.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What of a database stays where, and how long. Days are those of UTC, and go as a whole: at the earliest when their last moment is
 * as old as said here.
 *
 * @param tables how long rows stay in tables; older ones are moved to Parquet files. Null: always
 * @param keep how long anything is kept. Null: always
 * @param texts how long the text of messages and the documents of calls are kept, if that is shorter. Null: as long as all else
 * @param bytes what the database and its files may take; beyond it the oldest files go, texts and documents first. Long.MAX_VALUE:
 *     no limit
 */
public record RetentionSettings(
        @Nullable Duration tables,
        @Nullable Duration keep,
        @Nullable Duration texts,
        long bytes) {
    /** Everything is kept, in tables. */
    public static final RetentionSettings NONE = new RetentionSettings(null, null, null, Long.MAX_VALUE);

    /** Checks the values. */
    public RetentionSettings {
        check("tables", tables);
        check("keep", keep);
        check("texts", texts);
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes " + bytes + " is below 1");
        }
        if (bytes != Long.MAX_VALUE && tables == null) {
            throw new IllegalArgumentException(
                    "a size needs an age for tables: only files can be deleted, as a database does not become smaller");
        }
    }

    private static void check(String name, @Nullable Duration duration) {
        if (duration != null && duration.compareTo(Duration.ofHours(1)) < 0) {
            throw new IllegalArgumentException(name + " " + duration + " is below an hour");
        }
    }

    /** Whether there is nothing to do. */
    public boolean isNothing() {
        return equals(NONE);
    }
}
