package io.offhook.proxy.routing;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;

/**
 * How the members of a group are watched.
 *
 * @param options how they are asked; its interval is 0 if they are not
 * @param passive what is concluded from calls
 */
public record HealthConfig(Options options, Passive passive) {
    /**
     * Health by OPTIONS (RFC 3261, 11).
     *
     * @param intervalMs the time between two OPTIONS to a member, in ms; 0 for none
     * @param timeoutMs the time in which it must be answered, in ms, less than the interval
     * @param downAfter the failures in a row that make a member unusable
     * @param upAfter the successes in a row that make it usable again
     * @param alive statuses that count as success
     */
    public record Options(long intervalMs, long timeoutMs, int downAfter, int upAfter, StatusSet alive) {}

    /**
     * Health by calls.
     *
     * @param failures the calls in a row that end with 408, 503, a transport error or silence and make a member unusable for
     *     a time; 0 for never
     * @param backOffFirstMs the first such time, in ms; each further one is twice as long, until a call succeeds
     * @param backOffMostMs the longest such time, in ms
     * @param retryAfterMostMs the longest Retry-After of a 503 that is obeyed, in ms; 0 to ignore it
     */
    public record Passive(int failures, long backOffFirstMs, long backOffMostMs, long retryAfterMostMs) {}

    private static final long SECOND_NS = 1_000_000_000L;

    private static final ConfigKey<Boolean> OPTIONS =
            ConfigKey.of("options", ConfigTypes.bool(), "false", "Whether OPTIONS are sent to the members.");
    private static final ConfigKey<Long> INTERVAL = ConfigKey.of(
            "interval",
            ConfigTypes.durationNs(SECOND_NS, 3600 * SECOND_NS),
            "30s",
            "The time between two OPTIONS to a member; up to a tenth longer, so that not all are asked at once.");
    private static final ConfigKey<Long> TIMEOUT = ConfigKey.of(
            "timeout",
            ConfigTypes.durationNs(SECOND_NS / 10, 60 * SECOND_NS),
            "4s",
            "The time in which it must be answered; less than `interval`.");
    private static final ConfigKey<Integer> DOWN_AFTER = ConfigKey.of(
            "down-after", ConfigTypes.integer(1, 100), "2", "Failures in a row that make a member unusable.");
    private static final ConfigKey<Integer> UP_AFTER =
            ConfigKey.of("up-after", ConfigTypes.integer(1, 100), "1", "Successes in a row that make it usable again.");
    private static final ConfigKey<StatusSet> ALIVE = ConfigKey.of(
            "alive", RoutingTypes.STATUSES, "2xx 3xx 400-407 409-499 501 6xx", "Answers that count as success.");
    private static final ConfigKey<Integer> FAILURES = ConfigKey.of(
            "failures",
            ConfigTypes.integer(0, 1000),
            "3",
            "Calls in a row that end with 408, 503, a transport error or silence and make a member unusable for a time; 0"
                    + " for never.");
    private static final ConfigKey<Long> BACK_OFF = ConfigKey.of(
            "back-off",
            ConfigTypes.durationNs(SECOND_NS, 3600 * SECOND_NS),
            "5s",
            "The first such time. Each further one is twice as long, until a call succeeds.");
    private static final ConfigKey<Long> BACK_OFF_MOST = ConfigKey.of(
            "back-off-most", ConfigTypes.durationNs(SECOND_NS, 24 * 3600 * SECOND_NS), "2m", "The longest such time.");
    private static final ConfigKey<Long> RETRY_AFTER = ConfigKey.of(
            "retry-after-most",
            ConfigTypes.durationNs(0, 24 * 3600 * SECOND_NS),
            "5m",
            "The longest Retry-After of a 503 that is obeyed; longer ones are cut to it.");

    private static final ConfigSchema<HealthConfig> SCHEMA = ConfigSchema.of(
            "health",
            "How members are watched. A member that cannot be used gets calls only if none can, and none while its own"
                    + " Retry-After lasts.",
            values -> {
                if (values.get(TIMEOUT) >= values.get(INTERVAL)) {
                    values.fault(TIMEOUT, "is not less than interval");
                }
                if (values.get(BACK_OFF) > values.get(BACK_OFF_MOST)) {
                    values.fault(BACK_OFF, "is longer than back-off-most");
                }
                return new HealthConfig(
                        new Options(
                                values.get(OPTIONS) ? values.get(INTERVAL) / 1_000_000 : 0,
                                values.get(TIMEOUT) / 1_000_000,
                                values.get(DOWN_AFTER),
                                values.get(UP_AFTER),
                                values.get(ALIVE)),
                        new Passive(
                                values.get(FAILURES),
                                values.get(BACK_OFF) / 1_000_000,
                                values.get(BACK_OFF_MOST) / 1_000_000,
                                values.get(RETRY_AFTER) / 1_000_000));
            },
            OPTIONS,
            INTERVAL,
            TIMEOUT,
            DOWN_AFTER,
            UP_AFTER,
            ALIVE,
            FAILURES,
            BACK_OFF,
            BACK_OFF_MOST,
            RETRY_AFTER);

    /** The keys. */
    public static ConfigSchema<HealthConfig> schema() {
        return SCHEMA;
    }
}
