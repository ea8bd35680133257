package io.offhook.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a section, and what becomes of them.
 *
 * @param <T> what the section becomes, a record as a rule
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
                throw new IllegalArgumentException("key " + key.name() + " twice in " + name);
            }
        }
    }

    /**
     * Describes a section.
     *
     * @param name of the section, and of the kind where it is one of a choice
     * @param description what it is, in a sentence
     * @param factory makes the value; all that is required is there when it is called
     * @param keys in the order of the documentation
     * @param <T> what it becomes
     */
    public static <T> ConfigSchema<T> of(
            String name, String description, Function<ConfigValues, T> factory, ConfigKey<?>... keys) {
        return new ConfigSchema<>(name, description, factory, List.of(keys));
    }

    /** As it was made. */
    public String name() {
        return name;
    }

    /** What it is, in a sentence. */
    public String description() {
        return description;
    }

    /** In the order of the documentation. */
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
        ConfigValues values = new ConfigValues(mapping.mark().at(path), faults);
        boolean isComplete = true;
        for (ConfigKey<?> key : keys.values()) {
            isComplete &= bind(key, mapping, path, values, faults);
        }
        return isComplete ? factory.apply(values) : null;
    }

    private static String child(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** @return whether there is a value, or none is needed */
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
