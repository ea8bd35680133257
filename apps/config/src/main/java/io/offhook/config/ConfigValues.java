package io.offhook.config;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of a section by key, for the function that creates its object. */
public final class ConfigValues {
    private final ConfigSection section;
    private final ConfigFaults faults;
    private final Map<ConfigKey<?>, Object> values = new HashMap<>();
    private final Map<ConfigKey<?>, ConfigPlace> places = new HashMap<>();
    private final Set<ConfigKey<?>> given = new HashSet<>();

    ConfigValues(ConfigSection section, ConfigFaults faults) {
        this.section = section;
        this.faults = faults;
    }

    void put(ConfigKey<?> key, @Nullable Object value, ConfigPlace where) {
        if (value != null) {
            values.put(key, value);
        }
        places.put(key, where);
    }

    void give(ConfigKey<?> key) {
        given.add(key);
    }

    boolean has(ConfigKey<?> key) {
        return values.containsKey(key);
    }

    /**
     * The value of a key that is required or has a default.
     *
     * @param key a key of this section
     * @param <T> the Java type of the value
     * @throws IllegalArgumentException if the key is not in this section, or may be absent
     */
    public <T> T get(ConfigKey<T> key) {
        T value = find(key);
        if (value == null) {
            throw new IllegalArgumentException("key " + key.name() + " is not in this section, or may be absent");
        }
        return value;
    }

    /**
     * The value of a key that may be absent; null if it is absent or faulty.
     *
     * @param key a key of this section
     * @param <T> the Java type of the value
     */
    @SuppressWarnings("unchecked") // stored by the key's own type
    public <T> @Nullable T find(ConfigKey<T> key) {
        return (T) values.get(key);
    }

    /** Whether a key is present, valid or not; false if its default applies. */
    public boolean isGiven(ConfigKey<?> key) {
        return given.contains(key);
    }

    /** Whether a key's value, or a part of it, is faulty; values that depend on it then need no fault of their own. */
    public boolean isFaulty(ConfigKey<?> key) {
        return faults.has(place(key).path());
    }

    /** Where the section begins. */
    public ConfigPlace place() {
        return section.place();
    }

    /** The section as it was read, to be kept and compared with a later one. */
    public ConfigSection section() {
        return section;
    }

    /** Where a key's value is; the place of the section if the key is absent. */
    public ConfigPlace place(ConfigKey<?> key) {
        return places.getOrDefault(key, section.place().key(key.name()));
    }

    /** Reports a fault of values that are valid individually but not together. */
    public void fault(ConfigKey<?> key, String text) {
        faults.add(place(key), text);
    }
}
