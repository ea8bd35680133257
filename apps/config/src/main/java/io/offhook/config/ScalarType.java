package io.offhook.config;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Text with a meaning: a number, an address. */
final class ScalarType<T> extends ConfigType<T> {
    private final String label;
    private final Function<String, T> parser;

    ScalarType(String label, Function<String, T> parser) {
        this.label = label;
        this.parser = parser;
    }

    @Override
    public String label() {
        return label;
    }

    T parse(String text) {
        return parser.apply(text);
    }

    @Override
    @Nullable
    T bind(ConfigNode node, String path, ConfigFaults faults) {
        if (!(node instanceof ConfigNode.Scalar scalar) || scalar.isAbsent()) {
            faults.add(node.mark().at(path), "is " + kind(node) + " and should be: " + label);
            return null;
        }
        try {
            return parser.apply(scalar.text());
        } catch (IllegalArgumentException e) {
            faults.add(node.mark().at(path), String.valueOf(e.getMessage()));
            return null;
        }
    }
}
