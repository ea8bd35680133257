package io.offhook.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key of a section: its type, its default and its meaning.
 *
 * @param <T> the Java type of its value
 */
public final class ConfigKey<T> {
    /** The value that applies if the key is absent. */
    private record Without<T>(
            boolean isRequired, boolean isSection, @Nullable T value, String text) {}

    private final String name;
    private final ConfigType<T> type;
    private final String description;
    private final Without<T> without;
    private final boolean mayChange;

    private ConfigKey(String name, ConfigType<T> type, String description, Without<T> without, boolean mayChange) {
        this.name = name;
        this.type = type;
        this.description = description;
        this.without = without;
        this.mayChange = mayChange;
    }

    /**
     * Creates a key that must be present.
     *
     * @param name the key in the file
     * @param type the type of its value
     * @param description its meaning, as a sentence
     * @param <T> the Java type of its value
     */
    public static <T> ConfigKey<T> required(String name, ConfigType<T> type, String description) {
        return new ConfigKey<>(name, type, description, new Without<>(true, false, null, "required"), false);
    }

    /**
     * Creates a key that may be absent, in which case {@link ConfigValues#find} returns null.
     *
     * @param name the key in the file
     * @param type the type of its value
     * @param description its meaning, as a sentence
     * @param <T> the Java type of its value
     */
    public static <T> ConfigKey<T> optional(String name, ConfigType<T> type, String description) {
        return new ConfigKey<>(name, type, description, new Without<>(false, false, null, ""), false);
    }

    /**
     * Creates a key with a default.
     *
     * @param name the key in the file
     * @param type the type of its value, a scalar
     * @param text the default, as it would be written in the file
     * @param description its meaning, as a sentence
     * @param <T> the Java type of its value
     * @throws IllegalArgumentException if the type is not a scalar
     */
    public static <T> ConfigKey<T> of(String name, ConfigType<T> type, String text, String description) {
        if (!(type instanceof ScalarType<T> scalar)) {
            throw new IllegalArgumentException("key " + name + " is not a scalar and cannot have a default");
        }
        return new ConfigKey<>(name, type, description, new Without<>(false, false, scalar.parse(text), text), false);
    }

    /**
     * Creates a key with a list, which is empty if the key is absent.
     *
     * @param name the key in the file
     * @param item the type of the items
     * @param max the most items
     * @param description its meaning, as a sentence
     * @param <T> the Java type of the items
     */
    public static <T> ConfigKey<List<T>> repeated(String name, ConfigType<T> item, int max, String description) {
        return new ConfigKey<>(
                name, ConfigTypes.list(item, max), description, new Without<>(false, false, List.of(), "none"), false);
    }

    /**
     * Creates a key with a section of further keys. If it is absent, the section has the defaults of its keys.
     *
     * @param name the key in the file
     * @param schema the section
     * @param description its meaning, as a sentence
     * @param <T> the Java type of the section
     */
    public static <T> ConfigKey<T> section(String name, ConfigSchema<T> schema, String description) {
        return new ConfigKey<>(name, schema, description, new Without<>(false, true, null, ""), false);
    }

    /** The same key with a value that, including everything below it, may change while the program runs. */
    public ConfigKey<T> whileRunning() {
        return new ConfigKey<>(name, type, description, without, true);
    }

    /** The key as written in the file. */
    public String name() {
        return name;
    }

    /** The type of the value. */
    public ConfigType<T> type() {
        return type;
    }

    /** The meaning of the key, as a sentence. */
    public String description() {
        return description;
    }

    /** The default as text; {@code required} if the key must be present. */
    public String defaultText() {
        return without.text();
    }

    /** Whether its value may change while the program runs. */
    public boolean mayChange() {
        return mayChange;
    }

    boolean isRequired() {
        return without.isRequired();
    }

    boolean isSection() {
        return without.isSection();
    }

    @Nullable
    T otherwise() {
        return without.value();
    }

    /** The value of the key in a section, or its default; null if there is neither. */
    @Nullable
    ConfigNode in(ConfigNode.Mapping section) {
        ConfigNode.Entry entry = section.entries().get(name);
        if (entry != null) {
            return entry.value();
        }
        return switch (type) {
            case ConfigSchema<?> _ -> ConfigNode.Mapping.empty(section.mark());
            case ListType<?> _ when without.value() != null -> new ConfigNode.Sequence(List.of(), section.mark(), 1);
            case ScalarType<?> _
            when without.value() != null -> new ConfigNode.Scalar(without.text(), false, section.mark());
            default -> null;
        };
    }
}
