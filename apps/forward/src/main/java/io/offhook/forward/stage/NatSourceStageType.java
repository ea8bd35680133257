package io.offhook.forward.stage;

import io.offhook.config.ConfigSchema;
import io.offhook.forward.application.StageChecks;
import io.offhook.forward.application.StageContext;
import io.offhook.forward.application.StageInstances;
import io.offhook.forward.application.StageRole;
import io.offhook.forward.application.StageType;
import java.util.Optional;
import java.util.Set;

/** {@code nat-source} of a configuration: {@link NatStage}. */
public final class NatSourceStageType implements StageType<NatConfig> {
    private static final ConfigSchema<NatConfig> SCHEMA = NatDirection.SOURCE.schema();

    /** For {@link java.util.ServiceLoader}. */
    public NatSourceStageType() {}

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
        NatDirection.SOURCE.check(config, checks);
    }

    @Override
    public StageInstances<NatConfig> prepare(NatConfig config, StageContext context) {
        return NatDirection.SOURCE.prepare(config, context);
    }

    @Override
    public Optional<StageInstances<NatConfig>> rehearse(NatConfig config, StageContext context) {
        return Optional.of(prepare(config, context));
    }
}
