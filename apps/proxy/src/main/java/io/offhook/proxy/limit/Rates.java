package io.offhook.proxy.limit;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;

/**
 * How much one source, user or trunk may ask for. A rate is held by a token bucket: the burst may come at once, after that
 * requests pass at the rate.
 *
 * @param requestsPerSecond requests outside of dialogs a second; 0 for no limit
 * @param requestBurst the most of them at once, at least 1
 * @param callsPerSecond new calls a second; 0 for no limit
 * @param callBurst the most of them at once, at least 1
 * @param concurrentCalls the most calls at a time; 0 for no limit
 */
public record Rates(
        double requestsPerSecond, int requestBurst, double callsPerSecond, int callBurst, int concurrentCalls) {
    /** No limit at all. */
    public static final Rates UNLIMITED = new Rates(0, 1, 0, 1, 0);

    private static final double MOST = 1_000_000;
    private static final ConfigKey<Double> REQUESTS = ConfigKey.of(
            "requests",
            ConfigTypes.decimal(0, MOST),
            "0",
            "Requests outside of dialogs per second; 0 for no limit. More are answered 503 with Retry-After.");
    private static final ConfigKey<Integer> REQUEST_BURST = ConfigKey.optional(
            "request-burst",
            ConfigTypes.integer(1, (int) MOST),
            "The most of them at once; default the number of two seconds.");
    private static final ConfigKey<Double> CALLS =
            ConfigKey.of("calls", ConfigTypes.decimal(0, MOST), "0", "New calls per second; 0 for no limit.");
    private static final ConfigKey<Integer> CALL_BURST = ConfigKey.optional(
            "call-burst",
            ConfigTypes.integer(1, (int) MOST),
            "The most of them at once; default the number of two seconds.");
    private static final ConfigKey<Integer> CONCURRENT = ConfigKey.of(
            "concurrent-calls",
            ConfigTypes.integer(0, (int) MOST),
            "0",
            "The most calls at a time, ringing ones included; 0 for no limit. More are answered 486.");

    private static final ConfigSchema<Rates> SCHEMA = ConfigSchema.of(
            "rates",
            "How much one source, user or trunk may ask for.",
            values -> {
                Integer requestBurst = values.find(REQUEST_BURST);
                Integer callBurst = values.find(CALL_BURST);
                double requests = values.get(REQUESTS);
                double calls = values.get(CALLS);
                if (requestBurst != null && requests == 0) {
                    values.fault(REQUEST_BURST, "has no effect without requests");
                }
                if (callBurst != null && calls == 0) {
                    values.fault(CALL_BURST, "has no effect without calls");
                }
                return new Rates(
                        requests,
                        requestBurst != null ? requestBurst : ofTwoSeconds(requests),
                        calls,
                        callBurst != null ? callBurst : ofTwoSeconds(calls),
                        values.get(CONCURRENT));
            },
            REQUESTS,
            REQUEST_BURST,
            CALLS,
            CALL_BURST,
            CONCURRENT);

    /** Checks the ranges. */
    public Rates {
        if (!(requestsPerSecond >= 0 && requestsPerSecond <= MOST && callsPerSecond >= 0 && callsPerSecond <= MOST)) {
            throw new IllegalArgumentException(
                    "rates " + requestsPerSecond + " and " + callsPerSecond + " are not both in 0 to " + MOST);
        }
        if (requestBurst < 1 || callBurst < 1 || concurrentCalls < 0) {
            throw new IllegalArgumentException("bursts " + requestBurst + " and " + callBurst
                    + " must be at least 1, concurrent calls " + concurrentCalls + " at least 0");
        }
    }

    private static int ofTwoSeconds(double rate) {
        return (int) Math.max(1, Math.ceil(2 * rate));
    }

    /** The keys. */
    public static ConfigSchema<Rates> schema() {
        return SCHEMA;
    }

    /** Whether nothing is limited. */
    public boolean isUnlimited() {
        return requestsPerSecond == 0 && callsPerSecond == 0 && concurrentCalls == 0;
    }

    /** The time in which a bucket gets one token, in ns; 0 for no limit. */
    static long intervalNs(double perSecond) {
        return perSecond == 0 ? 0 : Math.max(1, (long) (1e9 / perSecond));
    }
}
