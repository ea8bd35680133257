package io.offhook.proxy.location;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where bindings are kept.
 *
 * @param directory of snapshot and journal; null to keep them in memory only
 * @param sync when the journal is forced to the disk
 * @param snapshotAfterBytes a new snapshot is written when the journal is larger than this, and than twice the last one
 * @param mostAddresses the most addresses of record with bindings
 * @param mostWaiting the most changes that wait
 * @param postgres the database that keeps them instead; null for memory
 */
public record LocationConfig(
        @Nullable Path directory,
        SyncMode sync,
        long snapshotAfterBytes,
        int mostAddresses,
        int mostWaiting,
        @Nullable PostgresConfig postgres) {
    /** In memory only, a million addresses of record. */
    public static final LocationConfig DEFAULT =
            new LocationConfig(null, SyncMode.INTERVAL, 64 << 20, 1_000_000, 16_384, null);

    private static final ConfigKey<Path> DIRECTORY = ConfigKey.optional(
            "directory",
            ConfigTypes.scalar("folder", Path::of),
            "The folder of snapshot and journal, and of the secret that Record-Route is signed with, created for its owner"
                    + " only; without it, registrations are forgotten at the end.");
    private static final ConfigKey<SyncMode> SYNC = ConfigKey.of(
            "sync",
            ConfigTypes.oneOf(SyncMode.class),
            "interval",
            "When the journal is forced to the disk: before each answer, every second, or when the system does so. Only a"
                    + " power failure makes a difference.");
    private static final ConfigKey<Long> SNAPSHOT_AFTER = ConfigKey.of(
            "snapshot-after",
            ConfigTypes.bytes(1 << 16, 1L << 40),
            "64MiB",
            "The size of the journal from which on a new snapshot is written; at least twice the last snapshot.");
    private static final ConfigKey<Integer> MOST_ADDRESSES = ConfigKey.of(
            "most-addresses",
            ConfigTypes.integer(1, 100_000_000),
            "1000000",
            "The most addresses of record with bindings; above, REGISTER is answered 503.");
    private static final ConfigKey<Integer> MOST_WAITING = ConfigKey.of(
            "most-waiting",
            ConfigTypes.integer(1, 1_000_000),
            "16384",
            "The most registrations that wait to be written; above, REGISTER is answered 503.");
    private static final ConfigKey<PostgresConfig> POSTGRES = ConfigKey.optional(
            "postgres", PostgresConfig.schema(), "The database that keeps registrations, in the place of the folder.");

    private static final ConfigSchema<LocationConfig> SCHEMA = ConfigSchema.of(
            "location",
            "Where registrations are kept: in memory, with snapshot and journal in a folder, or in PostgreSQL.",
            values -> new LocationConfig(
                    values.find(DIRECTORY),
                    values.get(SYNC),
                    values.get(SNAPSHOT_AFTER),
                    values.get(MOST_ADDRESSES),
                    values.get(MOST_WAITING),
                    values.find(POSTGRES)),
            DIRECTORY,
            SYNC,
            SNAPSHOT_AFTER,
            MOST_ADDRESSES,
            MOST_WAITING,
            POSTGRES);

    /** The keys of the section, always the same ones. */
    public static ConfigSchema<LocationConfig> schema() {
        return SCHEMA;
    }
}
