package io.offhook.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One of several kinds, each with its own keys: {@code kind: {keys}}, or {@code kind} alone. */
final class ChoiceType<T> extends ConfigType<T> {
    private final Map<String, ConfigSchema<? extends T>> kinds = new LinkedHashMap<>();

    ChoiceType(List<ConfigSchema<? extends T>> kinds) {
        for (ConfigSchema<? extends T> kind : kinds) {
            if (this.kinds.put(kind.name(), kind) != null) {
                throw new IllegalArgumentException("two kinds are named " + kind.name());
            }
        }
    }

    @Override
    public String label() {
        return "one of " + String.join(", ", kinds.keySet());
    }

    List<ConfigSchema<? extends T>> kinds() {
        return List.copyOf(kinds.values());
    }

    /** The kind with a name. */
    ConfigSchema<? extends T> kind(String name) {
        ConfigSchema<? extends T> kind = kinds.get(name);
        if (kind == null) {
            throw new IllegalArgumentException(name + " is not one of " + kinds.keySet());
        }
        return kind;
    }

    @Override
    @Nullable
    T bind(ConfigNode node, String path, ConfigFaults faults) {
        String name;
        ConfigNode body;
        if (node instanceof ConfigNode.Scalar scalar && !scalar.isAbsent()) {
            name = scalar.text();
            body = ConfigNode.Mapping.empty(node.mark());
        } else if (node instanceof ConfigNode.Mapping mapping
                && mapping.entries().size() == 1) {
            name = mapping.entries().keySet().iterator().next();
            body = mapping.entries().values().iterator().next().value();
        } else {
            faults.add(node.mark().at(path), "is " + kind(node) + " and should be " + label() + ", with its keys");
            return null;
        }
        ConfigSchema<? extends T> kind = kinds.get(name);
        if (kind == null) {
            faults.add(node.mark().at(path), NearestName.unknown(name, kinds.keySet(), label()));
            return null;
        }
        return kind.bind(body, path + "." + name, faults);
    }
}
