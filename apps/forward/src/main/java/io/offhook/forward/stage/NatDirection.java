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
import java.util.ArrayList;
import java.util.List;

/** What the two stages of NAT, {@link NatDestinationStageType} and {@link NatSourceStageType}, have in common. */
enum NatDirection {
    /** Destinations of what comes from outside. */
    DESTINATION("nat-destination", "Translates destinations of what comes from outside, by `nat`; before `route`."),
    /** Sources of what goes outside. */
    SOURCE("nat-source", "Translates sources of what goes outside, by `nat`; behind `route`.");

    private static final ConfigKey<List<Placed<String>>> OUTSIDE = ConfigKey.required(
            "outside", ConfigTypes.list(ForwardTypes.PORT_NAME, Forwarder.MAX_PORTS), "The ports that are outside.");

    private final String name;
    private final String description;

    NatDirection(String name, String description) {
        this.name = name;
        this.description = description;
    }

    ConfigSchema<NatConfig> schema() {
        return ConfigSchema.of(name, description, values -> new NatConfig(values.get(OUTSIDE)), OUTSIDE);
    }

    void check(NatConfig config, StageChecks checks) {
        checks.known(config.outside());
        boolean isDecided = checks.isDecidedBefore();
        if (this == DESTINATION && isDecided) {
            checks.fault("nat-destination stands behind the stage that looks at destinations: put it before");
        }
        if (this == SOURCE && !isDecided) {
            checks.fault("nat-source stands before bridge and route, where nothing goes outside yet");
        }
        if (checks.config().nat().isEmpty() && !checks.isFaulty("nat")) {
            checks.fault("there are no translations: nat is empty");
        }
        checkTags(config, checks);
    }

    /** A packet with a tag is none of IPv4 to NAT, which lets it pass as it is. */
    private void checkTags(NatConfig config, StageChecks checks) {
        for (StageConfig<?> stage : checks.before()) {
            if (stage.keys() instanceof VlanPushStageType.Config push
                    && share(this == DESTINATION ? push.from() : push.to(), config.outside())) {
                checks.fault(name + " stands behind vlan-push, and translates no tagged packets");
                break;
            }
        }
        for (StageConfig<?> stage : checks.after()) {
            if (this == DESTINATION
                    && stage.keys() instanceof VlanPopStageType.Config pop
                    && pop.isStrict()
                    && share(pop.from(), config.outside())) {
                checks.fault(name + " stands before vlan-pop, and translates no tagged packets");
                break;
            }
        }
    }

    /** Whether a port is in both. */
    private static boolean share(List<Placed<String>> one, List<Placed<String>> other) {
        return one.stream().anyMatch(port -> other.stream().map(Placed::value).anyMatch(port.value()::equals));
    }

    StageInstances<NatConfig> prepare(NatConfig config, StageContext context) {
        return new Instances(this == DESTINATION, config, context);
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

        /** The translations are not its keys: they may differ though these do not. */
        @Override
        public List<Runnable> exchange(NatConfig before, NatConfig after) {
            NatTable to = table();
            return stages.stream()
                    .map(stage -> (Runnable) () -> stage.exchange(to))
                    .toList();
        }
    }
}
