package io.offhook.forward.application;

import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigType;
import io.offhook.config.ConfigTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** The available types of stages. */
final class StageTypes {
    private StageTypes() {}

    /** A stage of any type that {@link ServiceLoader} finds. */
    static ConfigType<StageConfig<?>> any() {
        List<ConfigSchema<? extends StageConfig<?>>> kinds = new ArrayList<>();
        for (StageType<?> type : ServiceLoader.load(StageType.class)) {
            kinds.add(kind(type));
        }
        return ConfigTypes.choice(kinds);
    }

    private static <C> ConfigSchema<StageConfig<C>> kind(StageType<C> type) {
        return type.schema().with((keys, place) -> new StageConfig<>(type, keys, place));
    }
}
