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
    /** By what rates are limited. */
    public enum LimitBy {
        /** All packets of a port together. */
        PORT,
        /** Those of each source prefix. */
        SOURCE
    }

    /**
     * What its keys become.
     *
     * @param ports that packets come from; all where it is empty
     * @param rate for each
     * @param burstNs what may come at once: as much as the rate gives in that time, nanoseconds
     * @param by what is limited
     * @param ipv4Prefix bits of the source that tell IPv4 packets apart
     * @param ipv6Prefix likewise of IPv6
     * @param tableSize sources at a time
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
    private static final ConfigKey<Rate> RATE = ConfigKey.required("rate", ConfigTypes.rate(), "What passes at most.");
    private static final ConfigKey<Long> BURST = ConfigKey.of(
            "burst",
            ConfigTypes.durationNs(100_000, 60 * SECOND_NS),
            "100ms",
            "What may come at once: as much as the rate gives in that time, and one packet at least.");
    private static final ConfigKey<LimitBy> BY = ConfigKey.of(
            "by", ConfigTypes.oneOf(LimitBy.class), "port", "Whether each port has that rate, or each source.");
    private static final ConfigKey<Integer> IPV4_PREFIX = ConfigKey.of(
            "ipv4-prefix", ConfigTypes.integer(0, 32), "32", "Bits of an IPv4 address that make a source.");
    private static final ConfigKey<Integer> IPV6_PREFIX = ConfigKey.of(
            "ipv6-prefix", ConfigTypes.integer(0, 128), "64", "Bits of an IPv6 address that make a source.");
    private static final ConfigKey<Integer> TABLE_SIZE = BridgeStageType.TABLE_SIZE;
    private static final ConfigSchema<Config> SCHEMA = ConfigSchema.of(
            "rate-limit",
            "Drops what comes faster than a rate, of packets or bits (Ethernet without check sequence).",
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
                    values.fault(key, "is about sources: it needs by: source");
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

    /** As fast as it can, for what it drops goes no further: the stages behind it would not be met. */
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
