package io.offhook.config;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of a section, as its keys describe them; for the function that makes a record of them. */
public final class ConfigValues {
    private final ConfigPlace place;
    private final ConfigFaults faults;
    private final Map<ConfigKey<?>, Object> values = new HashMap<>();
    private final Map<ConfigKey<?>, ConfigPlace> places = new HashMap<>();
    private final Set<ConfigKey<?>> given = new HashSet<>();

    ConfigValues(ConfigPlace place, ConfigFaults faults) {
        this.place = place;
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
     * @param <T> of the key
     */
    public <T> T get(ConfigKey<T> key) {
        T value = find(key);
        if (value == null) {
            throw new IllegalArgumentException("key " + key.name() + " is not of this section, or may be missing");
        }
        return value;
    }

    /**
     * The value of a key that may be missing; null where it is, or is faulty.
     *
     * @param <T> of the key
     */
    @SuppressWarnings("unchecked") // put there by its key's own type
    public <T> @Nullable T find(ConfigKey<T> key) {
        return (T) values.get(key);
    }

    /** Whether a key is there, be its value right or not: not where its default holds. */
    public boolean isGiven(ConfigKey<?> key) {
        return given.contains(key);
    }

    /** Whether a key's value, or something in it, is faulty: what depends on it need not be told as well. */
    public boolean isFaulty(ConfigKey<?> key) {
        return faults.has(place(key).path());
    }

    /** Where the section begins. */
    public ConfigPlace place() {
        return place;
    }

    /** Where a key's value stands, or, where it is missing, the section. */
    public ConfigPlace place(ConfigKey<?> key) {
        return places.getOrDefault(key, place.key(key.name()));
    }

    /** Tells of values that are right one by one, and make no sense together. */
    public void fault(ConfigKey<?> key, String text) {
        faults.add(place(key), text);
    }
}
