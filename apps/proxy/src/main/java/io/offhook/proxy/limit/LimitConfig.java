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
 * @param connections how many connections there may be
 */
public record LimitConfig(Rates source, Rates user, int tableSize, Connections connections) {
    /**
     * How many connections there may be.
     *
     * @param inAll those that are open at a time, in both directions
     * @param perSource those that one source has opened; a source is an IPv4 address or a /64 network
     */
    public record Connections(int inAll, int perSource) {}

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
    private static final ConfigKey<Integer> CONNECTIONS = ConfigKey.of(
            "connections",
            ConfigTypes.integer(1, 10_000_000),
            "20000",
            "The connections that are open at a time, in both directions; each needs a file descriptor (`ulimit -n`).");
    private static final ConfigKey<Integer> PER_SOURCE = ConfigKey.of(
            "connections-per-source",
            ConfigTypes.integer(1, 10_000_000),
            "1000",
            "The connections that one address may have open (of IPv6: one /64 network).");
    private static final ConfigSchema<LimitConfig> SCHEMA = ConfigSchema.of(
            "limits",
            "How much one source and one user may ask for. Requests in dialogs, ACK and CANCEL are never limited.",
            values -> new LimitConfig(
                    values.get(SOURCE),
                    values.get(USER),
                    values.get(SIZE),
                    new Connections(values.get(CONNECTIONS), values.get(PER_SOURCE))),
            SOURCE,
            USER,
            SIZE,
            CONNECTIONS,
            PER_SOURCE);

    /** The keys. */
    public static ConfigSchema<LimitConfig> schema() {
        return SCHEMA;
    }
}
