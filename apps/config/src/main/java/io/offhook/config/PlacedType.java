package io.offhook.config;

import org.jspecify.annotations.Nullable;

/** A value that keeps its place. */
final class PlacedType<T> extends ConfigType<ConfigTypes.Placed<T>> {
    private final ConfigType<T> type;

    PlacedType(ConfigType<T> type) {
        this.type = type;
    }

    ConfigType<T> type() {
        return type;
    }

    @Override
    public String label() {
        return type.label();
    }

    @Override
    ConfigTypes.@Nullable Placed<T> bind(ConfigNode node, String path, ConfigFaults faults) {
        T bound = type.bind(node, path, faults);
        return bound == null
                ? null
                : new ConfigTypes.Placed<>(bound, node.mark().at(path));
    }
}
