package io.offhook.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key of a section: what it may hold, what it is without, and what it means.
 *
 * @param <T> what its value becomes
 */
public final class ConfigKey<T> {
    private final String name;
    private final ConfigType<T> type;
    private final String description;
    private final boolean isRequired;
    private final boolean isSection;
    private final @Nullable T otherwise;
    private final String otherwiseText;

    private ConfigKey(
            String name,
            ConfigType<T> type,
            String description,
            boolean isRequired,
            boolean isSection,
            @Nullable T otherwise,
            String otherwiseText) {
        this.name = name;
        this.type = type;
        this.description = description;
        this.isRequired = isRequired;
        this.isSection = isSection;
        this.otherwise = otherwise;
        this.otherwiseText = otherwiseText;
    }

    /**
     * One that has to be there.
     *
     * @param <T> what its value becomes
     */
    public static <T> ConfigKey<T> required(String name, ConfigType<T> type, String description) {
        return new ConfigKey<>(name, type, description, true, false, null, "required");
    }

    /**
     * One that may be missing: {@link ConfigValues#find} gives null then.
     *
     * @param <T> what its value becomes
     */
    public static <T> ConfigKey<T> optional(String name, ConfigType<T> type, String description) {
        return new ConfigKey<>(name, type, description, false, false, null, "");
    }

    /**
     * One with a default.
     *
     * @param text the default, as it would stand in the file; a scalar
     * @param <T> what its value becomes
     */
    public static <T> ConfigKey<T> of(String name, ConfigType<T> type, String text, String description) {
        if (!(type instanceof ScalarType<T> scalar)) {
            throw new IllegalArgumentException("key " + name + " is no scalar, and cannot have a default");
        }
        return new ConfigKey<>(name, type, description, false, false, scalar.parse(text), text);
    }

    /**
     * A list, empty where it is missing.
     *
     * @param <T> what each item becomes
     */
    public static <T> ConfigKey<List<T>> repeated(String name, ConfigType<T> item, int max, String description) {
        return new ConfigKey<>(name, ConfigTypes.list(item, max), description, false, false, List.of(), "none");
    }

    /**
     * Keys of their own below this one, each with its default where it is missing.
     *
     * @param <T> what they become together
     */
    public static <T> ConfigKey<T> section(String name, ConfigSchema<T> schema, String description) {
        return new ConfigKey<>(name, schema, description, false, true, null, "");
    }

    /** As it stands in the file. */
    public String name() {
        return name;
    }

    /** What its value has to be. */
    public ConfigType<T> type() {
        return type;
    }

    /** What it means, in a sentence. */
    public String description() {
        return description;
    }

    /** The default as text; {@code required} where there is none and one is needed. */
    public String defaultText() {
        return otherwiseText;
    }

    boolean isRequired() {
        return isRequired;
    }

    boolean isSection() {
        return isSection;
    }

    @Nullable
    T otherwise() {
        return otherwise;
    }
}
