package io.offhook.proxy.limit;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;

/**
 * The limits by source and by user.
 *
 * @param source what one address may ask for (IPv6: one /64 network); trusted trunks have limits of their own
 * @param user what one authenticated user may ask for
 * @param tableSize the sources and users that are followed at a time
 */
public record LimitConfig(Rates source, Rates user, int tableSize) {
    /** The default of the table's size. */
    static final int TABLE_SIZE = 65_536;

    private static final ConfigKey<Rates> SOURCE = ConfigKey.section(
                    "source", Rates.schema(), "What one address may ask for (of IPv6: one /64 network).")
            .whileRunning();
    private static final ConfigKey<Rates> USER = ConfigKey.section("user", Rates.schema(), "What one user may ask for.")
            .whileRunning();
    private static final ConfigKey<Integer> SIZE = ConfigKey.of(
            "table-size",
            ConfigTypes.integer(1024, 1 << 24),
            String.valueOf(TABLE_SIZE),
            "The sources and users that are followed at a time; 40 bytes each.");
    private static final ConfigSchema<LimitConfig> SCHEMA = ConfigSchema.of(
            "limits",
            "How much one source and one user may ask for. Requests in dialogs, ACK and CANCEL are never limited.",
            values -> new LimitConfig(values.get(SOURCE), values.get(USER), values.get(SIZE)),
            SOURCE,
            USER,
            SIZE);

    /** The keys. */
    public static ConfigSchema<LimitConfig> schema() {
        return SCHEMA;
    }
}
