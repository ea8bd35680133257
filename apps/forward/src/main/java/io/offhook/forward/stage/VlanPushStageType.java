package io.offhook.forward.stage;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.forward.application.ForwardTypes;
import io.offhook.forward.application.StageChecks;
import io.offhook.forward.application.StageContext;
import io.offhook.forward.application.StageInstances;
import io.offhook.forward.application.StageType;
import io.offhook.packet.link.VlanTag;
import java.util.List;
import java.util.Optional;

/** {@code vlan-push} of a configuration: {@link VlanPushStage}. */
public final class VlanPushStageType implements StageType<VlanPushStageType.Config> {
    /**
     * The values of its keys.
     *
     * @param from the receiving ports
     * @param to the output ports
     * @param id the VLAN
     * @param priority 0 to 7
     * @param isService whether the tag is that of a service provider
     */
    public record Config(List<Placed<String>> from, List<Placed<String>> to, int id, int priority, boolean isService) {}

    /** The same key of all stages that handle tags. */
    static final ConfigKey<List<Placed<String>>> FROM =
            ForwardTypes.ports("from", "Packets that come from these ports.");

    /** The same key of all stages that handle tags. */
    static final ConfigKey<List<Placed<String>>> TO = ForwardTypes.ports("to", "Packets that go to these ports.");

    private static final ConfigKey<Integer> ID = ConfigKey.required("id", ConfigTypes.integer(1, 4094), "The VLAN.");
    private static final ConfigKey<Integer> PRIORITY =
            ConfigKey.of("priority", ConfigTypes.integer(0, 7), "0", "The priority code point.");
    private static final ConfigKey<Boolean> SERVICE =
            ConfigKey.of("service", ConfigTypes.bool(), "false", "A service provider's tag (802.1ad), type 0x88a8.");
    private static final ConfigSchema<Config> SCHEMA = ConfigSchema.of(
            "vlan-push",
            "Adds an outermost VLAN tag.",
            values -> new Config(
                    values.get(FROM), values.get(TO), values.get(ID), values.get(PRIORITY), values.get(SERVICE)),
            FROM,
            TO,
            ID,
            PRIORITY,
            SERVICE);

    /** For {@link java.util.ServiceLoader}. */
    public VlanPushStageType() {}

    @Override
    public ConfigSchema<Config> schema() {
        return SCHEMA;
    }

    @Override
    public void check(Config config, StageChecks checks) {
        check(config.from(), config.to(), checks);
    }

    /** Checks that the stage can have an effect. */
    static void check(List<Placed<String>> from, List<Placed<String>> to, StageChecks checks) {
        checks.known(from);
        checks.known(to);
        if (from.isEmpty() && to.isEmpty()) {
            checks.fault("does nothing: set from or to");
        }
        if (!to.isEmpty() && !checks.isDecidedBefore()) {
            checks.fault("stands before bridge and route, where packets have no output yet");
        }
    }

    @Override
    public StageInstances<Config> prepare(Config config, StageContext context) {
        long from = context.ports(config.from());
        long to = context.ports(config.to());
        int type = config.isService() ? VlanTag.SERVICE : VlanTag.CUSTOMER;
        return () -> new VlanPushStage(from, to, type, config.id(), config.priority());
    }

    @Override
    public Optional<StageInstances<Config>> rehearse(Config config, StageContext context) {
        return Optional.of(prepare(config, context));
    }
}
