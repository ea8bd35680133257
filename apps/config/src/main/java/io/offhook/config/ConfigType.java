package io.offhook.config;

import org.jspecify.annotations.Nullable;

/**
 * The type of a value, and its conversion to a Java object. {@link ConfigTypes} has the types;
 * {@link ConfigTypes#scalar} creates further ones.
 *
 * @param <T> the Java type of the value
 */
public abstract sealed class ConfigType<T> permits ScalarType, ListType, MapType, ChoiceType, PlacedType, ConfigSchema {
    ConfigType() {}

    /** The type as in the table of keys: {@code integer, 1 to 64}. */
    public abstract String label();

    /** Converts a node; null if it is invalid, in which case a fault was added. */
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
