package io.offhook.proxy.limit;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;

/**
 * When new requests are refused because messages wait too long.
 *
 * @param isEnabled whether requests are refused at all; the delay is measured in any case
 * @param targetNs the delay that is kept to under overload, in ns
 * @param retryAfterLeastS the least Retry-After of a 503, in s
 * @param retryAfterMostS the largest, in s; the value is random between the two, so that clients do not return at once
 */
public record OverloadConfig(boolean isEnabled, long targetNs, int retryAfterLeastS, int retryAfterMostS) {
    private static final long MS_NS = 1_000_000;

    private static final ConfigKey<Boolean> ENABLED =
            ConfigKey.of("enabled", ConfigTypes.bool(), "true", "Whether new requests are refused under overload.");
    private static final ConfigKey<Long> TARGET = ConfigKey.of(
            "target",
            ConfigTypes.durationNs(MS_NS, 1000 * MS_NS),
            "15ms",
            "How long a message may wait, from its arrival at the socket to its processing.");
    private static final ConfigKey<Integer> LEAST = ConfigKey.of(
            "retry-after-least", ConfigTypes.integer(1, 3600), "5", "The least Retry-After of a 503, in seconds.");
    private static final ConfigKey<Integer> MOST = ConfigKey.of(
            "retry-after-most",
            ConfigTypes.integer(1, 3600),
            "20",
            "The largest; it is random between the two, so that clients do not return at the same time.");
    private static final ConfigSchema<OverloadConfig> SCHEMA = ConfigSchema.of(
            "overload",
            "When messages wait too long, new calls, registrations and other requests outside of dialogs are answered 503"
                    + " with Retry-After, as many as necessary. What belongs to an admitted call is never refused.",
            values -> {
                if (values.get(LEAST) > values.get(MOST)) {
                    values.fault(LEAST, "is larger than retry-after-most");
                }
                return new OverloadConfig(values.get(ENABLED), values.get(TARGET), values.get(LEAST), values.get(MOST));
            },
            ENABLED,
            TARGET,
            LEAST,
            MOST);

    /** The keys. */
    public static ConfigSchema<OverloadConfig> schema() {
        return SCHEMA;
    }
}
