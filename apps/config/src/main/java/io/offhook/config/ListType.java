package io.offhook.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list of values of one type. */
final class ListType<T> extends ConfigType<List<T>> {
    private final ConfigType<T> item;
    private final int max;

    ListType(ConfigType<T> item, int max) {
        this.item = item;
        this.max = max;
    }

    @Override
    public String label() {
        return "list of: " + item.label();
    }

    /** The valid items; faults are added for the others. */
    @Override
    @Nullable
    List<T> bind(ConfigNode node, String path, ConfigFaults faults) {
        if (!(node instanceof ConfigNode.Sequence sequence)) {
            faults.add(node.mark().at(path), "is " + kind(node) + " and should be a list");
            return null;
        }
        int count = sequence.items().size();
        if (count > max) {
            faults.add(node.mark().at(path), "has " + count + " items; the limit is " + max);
            return null;
        }
        List<T> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            T bound = item.bind(sequence.items().get(i), path + "[" + i + "]", faults);
            if (bound != null) {
                items.add(bound);
            }
        }
        return List.copyOf(items);
    }

    ConfigType<T> item() {
        return item;
    }
}
