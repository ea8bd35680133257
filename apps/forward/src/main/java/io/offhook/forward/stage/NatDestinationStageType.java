package io.offhook.forward.stage;

import io.offhook.config.ConfigSchema;
import io.offhook.forward.application.StageChecks;
import io.offhook.forward.application.StageContext;
import io.offhook.forward.application.StageInstances;
import io.offhook.forward.application.StageRole;
import io.offhook.forward.application.StageType;
import java.util.Optional;
import java.util.Set;

/** {@code nat-destination} of a configuration: {@link NatStage}. */
public final class NatDestinationStageType implements StageType<NatConfig> {
    private static final ConfigSchema<NatConfig> SCHEMA = NatDirection.DESTINATION.schema();

    /** For {@link java.util.ServiceLoader}. */
    public NatDestinationStageType() {}

    @Override
    public ConfigSchema<NatConfig> schema() {
        return SCHEMA;
    }

    @Override
    public Set<StageRole> roles() {
        return Set.of(StageRole.TRANSLATES);
    }

    @Override
    public void check(NatConfig config, StageChecks checks) {
        NatDirection.DESTINATION.check(config, checks);
    }

    @Override
    public StageInstances<NatConfig> prepare(NatConfig config, StageContext context) {
        return NatDirection.DESTINATION.prepare(config, context);
    }

    @Override
    public Optional<StageInstances<NatConfig>> rehearse(NatConfig config, StageContext context) {
        return Optional.of(prepare(config, context));
    }
}
