package io.offhook.cli.serve;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigValues;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code packets}: the packets of calls are kept.
 *
 * @param folder of the segments, or null
 * @param bytes of all segments at most
 * @param ageNs nanoseconds after which they are deleted
 */
record PacketsConfig(@Nullable String folder, long bytes, long ageNs) {
    private static final long LEAST_BYTES = 16L << 20;
    private static final long MOST_BYTES = 1L << 50;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long YEARS_NS = 100L * 365 * 86_400 * SECOND_NS;

    private static final ConfigKey<String> FOLDER = ConfigKey.optional(
            "folder",
            ConfigTypes.text(4096),
            "Where they are kept, which nothing else may use; by default a folder beside the database, `calls.duckdb.packets`.");
    private static final ConfigKey<Long> SIZE = ConfigKey.of(
            "size",
            ConfigTypes.bytes(LEAST_BYTES, MOST_BYTES),
            "20GiB",
            "How much of the disk they may take; the oldest are deleted. `--keep-packets` overrides it.");
    private static final ConfigKey<Long> AGE = ConfigKey.of(
            "age",
            ConfigTypes.durationNs(60 * SECOND_NS, YEARS_NS),
            "876000h",
            "After which time they are deleted even if there is room.");

    /** Its keys. */
    static final ConfigSchema<PacketsConfig> SCHEMA = ConfigSchema.of(
            "packets",
            "Keeps the packets of live calls, as `--keep-packets` does: SIP, RTP and RTCP, all that people said included.",
            PacketsConfig::of,
            FOLDER,
            SIZE,
            AGE);

    private static PacketsConfig of(ConfigValues values) {
        return new PacketsConfig(values.find(FOLDER), values.get(SIZE), values.get(AGE));
    }
}
