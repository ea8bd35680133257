package io.offhook.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a section, and the function that turns their values into an object.
 *
 * @param <T> the Java type of the section, usually a record
 */
public final class ConfigSchema<T> extends ConfigType<T> {
    private final String name;
    private final String description;
    private final Function<ConfigValues, T> factory;
    private final Map<String, ConfigKey<?>> keys = new LinkedHashMap<>();

    private ConfigSchema(String name, String description, Function<ConfigValues, T> factory, List<ConfigKey<?>> keys) {
        this.name = name;
        this.description = description;
        this.factory = factory;
        for (ConfigKey<?> key : keys) {
            if (this.keys.put(key.name(), key) != null) {
                throw new IllegalArgumentException("key " + key.name() + " occurs twice in section " + name);
            }
        }
    }

    /**
     * Describes a section.
     *
     * @param name the name of the section; in a choice, the name of the kind
     * @param description what the section is, as a sentence
     * @param factory creates the object; called only if all required values are present
     * @param keys the keys, in the order of the documentation
     * @param <T> the Java type of the section
     */
    public static <T> ConfigSchema<T> of(
            String name, String description, Function<ConfigValues, T> factory, ConfigKey<?>... keys) {
        return new ConfigSchema<>(name, description, factory, List.of(keys));
    }

    /**
     * The same keys, with another Java type.
     *
     * @param finisher converts the object of this schema, given the place where the section begins
     * @param <R> the Java type of the section
     */
    public <R> ConfigSchema<R> with(BiFunction<? super T, ConfigPlace, R> finisher) {
        return new ConfigSchema<>(
                name,
                description,
                values -> finisher.apply(factory.apply(values), values.place()),
                List.copyOf(keys.values()));
    }

    /**
     * The differences between two sections of this schema, in the order of the keys. A value that only moved in its file,
     * or is written in another unit, is not a difference.
     *
     * @param before the section that was read earlier
     * @param after the section that was read later
     */
    public List<ConfigDifference> differences(ConfigSection before, ConfigSection after) {
        return ConfigComparison.of(this, before, after);
    }

    /** The name of the section. */
    public String name() {
        return name;
    }

    /** What the section is, as a sentence. */
    public String description() {
        return description;
    }

    /** The keys, in the order of the documentation. */
    public List<ConfigKey<?>> keys() {
        return List.copyOf(keys.values());
    }

    @Override
    public String label() {
        return "section";
    }

    @Override
    @Nullable
    T bind(ConfigNode node, String path, ConfigFaults faults) {
        ConfigNode.Mapping mapping;
        if (node instanceof ConfigNode.Mapping given) {
            mapping = given;
        } else if (node instanceof ConfigNode.Scalar scalar && scalar.isAbsent()) {
            mapping = ConfigNode.Mapping.empty(node.mark());
        } else {
            faults.add(node.mark().at(path), "is " + kind(node) + " and should be keys with values");
            return null;
        }
        String known = keys.isEmpty() ? "there are no keys here" : "known here: " + String.join(", ", keys.keySet());
        for (Map.Entry<String, ConfigNode.Entry> entry : mapping.entries().entrySet()) {
            if (!keys.containsKey(entry.getKey())) {
                faults.add(
                        entry.getValue().keyMark().at(child(path, entry.getKey())),
                        NearestName.unknown(entry.getKey(), keys.keySet(), known));
            }
        }
        ConfigValues values = new ConfigValues(new ConfigSection(mapping, path), faults);
        boolean isComplete = true;
        for (ConfigKey<?> key : keys.values()) {
            isComplete &= bind(key, mapping, path, values, faults);
        }
        return isComplete ? factory.apply(values) : null;
    }

    private static String child(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** @return whether there is a value, or none is required */
    private static <V> boolean bind(
            ConfigKey<V> key, ConfigNode.Mapping mapping, String path, ConfigValues values, ConfigFaults faults) {
        String at = child(path, key.name());
        ConfigNode.Entry entry = mapping.entries().get(key.name());
        if (entry == null && key.isRequired()) {
            faults.add(mapping.mark().at(at), "is missing; it is: " + key.type().label());
            return false;
        }
        if (entry == null && !key.isSection()) {
            values.put(key, key.otherwise(), mapping.mark().at(at));
            return true;
        }
        if (entry != null) {
            values.give(key);
        }
        ConfigNode node = entry == null ? ConfigNode.Mapping.empty(mapping.mark()) : entry.value();
        V bound = key.type().bind(node, at, faults);
        values.put(key, bound == null ? key.otherwise() : bound, node.mark().at(at));
        return values.has(key) || !key.isRequired() && !key.isSection();
    }
}
