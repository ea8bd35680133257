package io.offhook.cli.serve;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigValues;
import io.offhook.store.RetentionSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The section {@code retention} of the configuration. */
final class RetentionConfig {
    private static final long LEAST_NS = TimeUnit.HOURS.toNanos(1);
    private static final long MOST_NS = TimeUnit.DAYS.toNanos(36_500);
    private static final long LEAST_BYTES = 1L << 20;
    private static final long MOST_BYTES = 1L << 50;

    private static final ConfigKey<Long> TABLES = age(
            "tables",
            "How long rows stay in the tables of the database, `24h` for example; then their day moves to Parquet files beside"
                    + " it, and queries see both as one. Without it, all stays in tables.");
    private static final ConfigKey<Long> KEEP =
            age("keep", "How long calls are kept, `90d` for example. Without it, always, or as `size` allows.");
    private static final ConfigKey<Long> TEXTS = age(
            "texts",
            "How long the texts of messages and the documents of calls are kept, if that is shorter; they take most of the room.");
    private static final ConfigKey<Long> SIZE = ConfigKey.optional(
            "size",
            ConfigTypes.bytes(LEAST_BYTES, MOST_BYTES),
            "What the database and its files may take, `100GiB` for example; then the oldest files are deleted, texts and"
                    + " documents first. Needs `tables`.");

    /** The keys of the section. */
    static final ConfigSchema<RetentionSettings> SCHEMA = ConfigSchema.of(
            "retention",
            "How long calls are kept, by whole days (UTC); while calls are captured, as what is only shown stays as it is.",
            RetentionConfig::of,
            TABLES,
            KEEP,
            TEXTS,
            SIZE);

    private RetentionConfig() {}

    private static ConfigKey<Long> age(String name, String meaning) {
        return ConfigKey.optional(name, ConfigTypes.ageNs(LEAST_NS, MOST_NS), meaning);
    }

    private static RetentionSettings of(ConfigValues values) {
        Long size = values.find(SIZE);
        Duration tables = duration(values.find(TABLES));
        if (size != null && tables == null) {
            values.fault(SIZE, "needs tables: only files can be deleted, as a database does not become smaller");
            return RetentionSettings.NONE;
        }
        return new RetentionSettings(
                tables,
                duration(values.find(KEEP)),
                duration(values.find(TEXTS)),
                size == null ? Long.MAX_VALUE : size);
    }

    private static @Nullable Duration duration(@Nullable Long ns) {
        return ns == null ? null : Duration.ofNanos(ns);
    }
}
