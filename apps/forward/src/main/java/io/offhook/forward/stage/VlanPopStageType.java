package io.offhook.forward.stage;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.forward.application.StageChecks;
import io.offhook.forward.application.StageContext;
import io.offhook.forward.application.StageInstances;
import io.offhook.forward.application.StageType;
import java.util.List;
import java.util.Optional;

/** {@code vlan-pop} of a configuration: {@link VlanPopStage}. */
public final class VlanPopStageType implements StageType<VlanPopStageType.Config> {
    /**
     * The values of its keys.
     *
     * @param from the receiving ports
     * @param to the output ports
     * @param id the VLAN; 0 for any
     * @param isStrict whether packets without such a tag are dropped
     */
    public record Config(List<Placed<String>> from, List<Placed<String>> to, int id, boolean isStrict) {}

    private static final ConfigKey<List<Placed<String>>> FROM = VlanPushStageType.FROM;
    private static final ConfigKey<List<Placed<String>>> TO = VlanPushStageType.TO;
    private static final ConfigKey<Integer> ID =
            ConfigKey.of("id", ConfigTypes.integer(0, 4094), "0", "The VLAN; 0 for any.");
    private static final ConfigKey<Boolean> STRICT =
            ConfigKey.of("strict", ConfigTypes.bool(), "false", "Drops packets without such a tag.");
    private static final ConfigSchema<Config> SCHEMA = ConfigSchema.of(
            "vlan-pop",
            "Removes the outermost VLAN tag.",
            values -> new Config(values.get(FROM), values.get(TO), values.get(ID), values.get(STRICT)),
            FROM,
            TO,
            ID,
            STRICT);

    /** For {@link java.util.ServiceLoader}. */
    public VlanPopStageType() {}

    @Override
    public ConfigSchema<Config> schema() {
        return SCHEMA;
    }

    @Override
    public void check(Config config, StageChecks checks) {
        VlanPushStageType.check(config.from(), config.to(), checks);
    }

    @Override
    public StageInstances<Config> prepare(Config config, StageContext context) {
        long from = context.ports(config.from());
        long to = context.ports(config.to());
        return () -> new VlanPopStage(from, to, config.id(), config.isStrict());
    }

    @Override
    public Optional<StageInstances<Config>> rehearse(Config config, StageContext context) {
        return Optional.of(prepare(config, context));
    }
}
