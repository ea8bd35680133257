package io.offhook.forward.stage;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.forward.Forwarder;
import io.offhook.forward.Stage;
import io.offhook.forward.application.ForwardConfig;
import io.offhook.forward.application.ForwardTypes;
import io.offhook.forward.application.StageChecks;
import io.offhook.forward.application.StageConfig;
import io.offhook.forward.application.StageContext;
import io.offhook.forward.application.StageInstances;
import io.offhook.forward.application.StageRole;
import io.offhook.forward.application.StageType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The common part of the two NAT stages of a configuration, which run a {@link NatStage} each. */
abstract sealed class NatStageType implements StageType<NatConfig> permits NatDestinationStageType, NatSourceStageType {
    private static final ConfigKey<List<Placed<String>>> OUTSIDE = ConfigKey.required(
            "outside", ConfigTypes.list(ForwardTypes.PORT_NAME, Forwarder.MAX_PORTS), "The outside ports.");

    private final boolean isDestination;
    private final ConfigSchema<NatConfig> schema;

    NatStageType(boolean isDestination, String name, String description) {
        this.isDestination = isDestination;
        schema = ConfigSchema.of(name, description, values -> new NatConfig(values.get(OUTSIDE)), OUTSIDE);
    }

    @Override
    public final ConfigSchema<NatConfig> schema() {
        return schema;
    }

    @Override
    public final Set<StageRole> roles() {
        return Set.of(StageRole.TRANSLATES);
    }

    @Override
    public final void check(NatConfig config, StageChecks checks) {
        checks.known(config.outside());
        boolean isDecided = checks.isDecidedBefore();
        if (isDestination && isDecided) {
            checks.fault("nat-destination stands after the stage that reads destinations: put it before that");
        }
        if (!isDestination && !isDecided) {
            checks.fault("nat-source stands before bridge and route, where packets have no output yet");
        }
        if (checks.config().nat().isEmpty() && !checks.isFaulty("nat")) {
            checks.fault("there are no translations: nat is empty");
        }
        checkTags(config, checks);
    }

    /** NAT does not recognise tagged packets as IPv4 and passes them unchanged. */
    private void checkTags(NatConfig config, StageChecks checks) {
        for (StageConfig<?> stage : checks.before()) {
            if (stage.keys() instanceof VlanPushStageType.Config push
                    && share(isDestination ? push.from() : push.to(), config.outside())) {
                checks.fault(schema.name() + " stands after vlan-push, but does not translate tagged packets");
                break;
            }
        }
        for (StageConfig<?> stage : checks.after()) {
            if (isDestination
                    && stage.keys() instanceof VlanPopStageType.Config pop
                    && pop.isStrict()
                    && share(pop.from(), config.outside())) {
                checks.fault(schema.name() + " stands before vlan-pop, but does not translate tagged packets");
                break;
            }
        }
    }

    /** Whether a port is in both. */
    private static boolean share(List<Placed<String>> one, List<Placed<String>> other) {
        return one.stream().anyMatch(port -> other.stream().map(Placed::value).anyMatch(port.value()::equals));
    }

    @Override
    public final StageInstances<NatConfig> prepare(NatConfig config, StageContext context) {
        return new Instances(isDestination, config, context);
    }

    @Override
    public final Optional<StageInstances<NatConfig>> rehearse(NatConfig config, StageContext context) {
        return Optional.of(prepare(config, context));
    }

    private static final class Instances implements StageInstances<NatConfig> {
        private final boolean isDestination;
        private final long outside;
        private final StageContext context;
        private final NatTable table;
        private final List<NatStage> stages = new ArrayList<>();

        Instances(boolean isDestination, NatConfig config, StageContext context) {
            this.isDestination = isDestination;
            this.context = context;
            outside = context.ports(config.outside());
            table = table();
        }

        private NatTable table() {
            return NatTable.of(context.config().nat().stream()
                    .map(ForwardConfig.TranslationConfig::translation)
                    .toList());
        }

        @Override
        public Stage ofALane() {
            NatStage stage = new NatStage(isDestination, outside, table);
            stages.add(stage);
            return stage;
        }

        /** Also called if its keys are equal, as the translations may differ. */
        @Override
        public List<Runnable> exchange(NatConfig before, NatConfig after) {
            NatTable to = table();
            return stages.stream()
                    .map(stage -> (Runnable) () -> stage.exchange(to))
                    .toList();
        }
    }
}
