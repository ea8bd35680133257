package io.offhook.config;

import org.jspecify.annotations.Nullable;

/**
 * What a value has to be, and how it becomes a Java object. {@link ConfigTypes} has them; one of one's own is made by
 * {@link ConfigTypes#scalar}.
 *
 * @param <T> what it becomes
 */
public abstract sealed class ConfigType<T> permits ScalarType, ListType, MapType, ChoiceType, PlacedType, ConfigSchema {
    ConfigType() {}

    /** As the table of keys has it: {@code integer, 1 to 64}. */
    public abstract String label();

    /** What a node is; null where it is none, which is told then. */
    abstract @Nullable T bind(ConfigNode node, String path, ConfigFaults faults);

    static String kind(ConfigNode node) {
        return switch (node) {
            case ConfigNode.Mapping _ -> "keys with values";
            case ConfigNode.Sequence _ -> "a list";
            case ConfigNode.Scalar scalar when scalar.isAbsent() -> "nothing";
            case ConfigNode.Scalar scalar -> "\"" + scalar.text() + "\"";
        };
    }
}
