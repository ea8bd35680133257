package io.offhook.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values under names that the file chooses, in the order of the file. */
final class MapType<T> extends ConfigType<Map<String, T>> {
    private final ConfigType<T> value;
    private final int max;

    MapType(ConfigType<T> value, int max) {
        this.value = value;
        this.max = max;
    }

    @Override
    public String label() {
        return "names, each with: " + value.label();
    }

    @Override
    @Nullable
    Map<String, T> bind(ConfigNode node, String path, ConfigFaults faults) {
        if (!(node instanceof ConfigNode.Mapping mapping)) {
            faults.add(node.mark().at(path), "is " + kind(node) + " and should be names, each with a value");
            return null;
        }
        if (mapping.entries().size() > max) {
            faults.add(node.mark().at(path), "has " + mapping.entries().size() + " names; the limit is " + max);
            return null;
        }
        Map<String, T> values = new LinkedHashMap<>();
        for (Map.Entry<String, ConfigNode.Entry> entry : mapping.entries().entrySet()) {
            T bound = value.bind(entry.getValue().value(), path + "." + entry.getKey(), faults);
            if (bound != null) {
                values.put(entry.getKey(), bound);
            }
        }
        return Collections.unmodifiableMap(values);
    }

    ConfigType<T> value() {
        return value;
    }
}
