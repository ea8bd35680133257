package io.offhook.forward.stage;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.config.ConfigTypes.Rate;
import io.offhook.config.ConfigValues;
import io.offhook.forward.Forwarder;
import io.offhook.forward.application.ForwardTypes;
import io.offhook.forward.application.StageChecks;
import io.offhook.forward.application.StageContext;
import io.offhook.forward.application.StageInstances;
import io.offhook.forward.application.StageType;
import java.util.List;
import java.util.Optional;

/** {@code rate-limit} of a configuration: {@link RateLimitStage}. */
public final class RateLimitStageType implements StageType<RateLimitStageType.Config> {
    /** What a rate applies to. */
    public enum LimitBy {
        /** All packets of a port together. */
        PORT,
        /** The packets of each source prefix. */
        SOURCE
    }

    /**
     * The values of its keys.
     *
     * @param ports the receiving ports; all if empty
     * @param rate the rate for each
     * @param burstNs the size of a burst: as much as the rate allows in this time, in nanoseconds
     * @param by what the rate applies to
     * @param ipv4Prefix the length of the prefix that identifies an IPv4 source
     * @param ipv6Prefix likewise for IPv6
     * @param tableSize the most sources at a time
     */
    public record Config(
            List<Placed<String>> ports,
            Rate rate,
            long burstNs,
            LimitBy by,
            int ipv4Prefix,
            int ipv6Prefix,
            int tableSize) {}

    private static final long SECOND_NS = 1_000_000_000L;

    private static final ConfigKey<List<Placed<String>>> PORTS = ForwardTypes.ports();
    private static final ConfigKey<Rate> RATE = ConfigKey.required("rate", ConfigTypes.rate(), "The rate that passes.");
    private static final ConfigKey<Long> BURST = ConfigKey.of(
            "burst",
            ConfigTypes.durationNs(100_000, 60 * SECOND_NS),
            "100ms",
            "The size of a burst: as much as the rate allows in this time, at least one packet.");
    private static final ConfigKey<LimitBy> BY = ConfigKey.of(
            "by", ConfigTypes.oneOf(LimitBy.class), "port", "Whether the rate applies to each port or to each source.");
    private static final ConfigKey<Integer> IPV4_PREFIX = ConfigKey.of(
            "ipv4-prefix", ConfigTypes.integer(0, 32), "32", "The bits of an IPv4 address that identify a source.");
    private static final ConfigKey<Integer> IPV6_PREFIX = ConfigKey.of(
            "ipv6-prefix", ConfigTypes.integer(0, 128), "64", "The bits of an IPv6 address that identify a source.");
    private static final ConfigKey<Integer> TABLE_SIZE = BridgeStageType.TABLE_SIZE;
    private static final ConfigSchema<Config> SCHEMA = ConfigSchema.of(
            "rate-limit",
            "Drops packets above a rate, of packets or bits (Ethernet without check sequence).",
            RateLimitStageType::config,
            PORTS,
            RATE,
            BURST,
            BY,
            IPV4_PREFIX,
            IPV6_PREFIX,
            TABLE_SIZE);

    private static Config config(ConfigValues values) {
        if (values.get(BY) == LimitBy.PORT) {
            for (ConfigKey<?> key : List.of(IPV4_PREFIX, IPV6_PREFIX, TABLE_SIZE)) {
                if (values.isGiven(key)) {
                    values.fault(key, "applies to sources only: it needs by: source");
                }
            }
        }
        return new Config(
                values.get(PORTS),
                values.get(RATE),
                values.get(BURST),
                values.get(BY),
                values.get(IPV4_PREFIX),
                values.get(IPV6_PREFIX),
                values.get(TABLE_SIZE));
    }

    /** For {@link java.util.ServiceLoader}. */
    public RateLimitStageType() {}

    @Override
    public ConfigSchema<Config> schema() {
        return SCHEMA;
    }

    @Override
    public List<Placed<String>> ports(Config config) {
        return config.ports();
    }

    @Override
    public void check(Config config, StageChecks checks) {
        checks.known(config.ports());
    }

    @Override
    public StageInstances<Config> prepare(Config config, StageContext context) {
        return instances(config, context, config.rate().perSecond());
    }

    /** With the highest rate, since dropped packets would not reach the stages after it. */
    @Override
    public Optional<StageInstances<Config>> rehearse(Config config, StageContext context) {
        return Optional.of(instances(config, context, Math.max(config.rate().perSecond(), 1_000_000_000_000L)));
    }

    private static StageInstances<Config> instances(Config config, StageContext context, long perSecond) {
        long ports = context.portsOrAll(config.ports());
        boolean isBySource = config.by() == LimitBy.SOURCE;
        TokenBuckets buckets = new TokenBuckets(
                isBySource ? config.tableSize() : 8 * Forwarder.MAX_PORTS,
                perSecond,
                config.burstNs(),
                context.nowNs());
        int ipv4 = isBySource ? config.ipv4Prefix() : -1;
        int ipv6 = isBySource ? config.ipv6Prefix() : -1;
        return () -> new RateLimitStage(ports, config.rate().isBits(), ipv4, ipv6, buckets);
    }
}
