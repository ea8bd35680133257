package io.offhook.forward.stage;

import io.offhook.config.ConfigSchema;
import io.offhook.forward.application.StageChecks;
import io.offhook.forward.application.StageContext;
import io.offhook.forward.application.StageInstances;
import io.offhook.forward.application.StageType;
import java.util.Optional;

/** {@code decode} of a configuration: {@link DecodeStage}. */
public final class DecodeStageType implements StageType<DecodeStageType.Config> {
    /** No keys. */
    public record Config() {}

    private static final ConfigSchema<Config> SCHEMA = ConfigSchema.of(
            "decode",
            "Decodes the layers of each packet once and drops broken headers. First in the list.",
            _ -> new Config());

    /** For {@link java.util.ServiceLoader}. */
    public DecodeStageType() {}

    @Override
    public ConfigSchema<Config> schema() {
        return SCHEMA;
    }

    @Override
    public void check(Config config, StageChecks checks) {
        if (!checks.before().isEmpty()) {
            checks.fault("decode comes after other stages, but decodes for those after it: put it first");
        }
    }

    @Override
    public StageInstances<Config> prepare(Config config, StageContext context) {
        return DecodeStage::new;
    }

    @Override
    public Optional<StageInstances<Config>> rehearse(Config config, StageContext context) {
        return Optional.of(prepare(config, context));
    }
}
