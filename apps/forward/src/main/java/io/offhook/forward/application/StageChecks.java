package io.offhook.forward.application;

import io.offhook.config.ConfigFaults;
import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigTypes.Placed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The view that a stage has of the configuration when it checks itself, and its way to report faults. */
public final class StageChecks {
    private final ForwardConfig config;
    private final ConfigFaults faults;
    private final int index;

    /** @param index the index of the stage in the list */
    StageChecks(ForwardConfig config, ConfigFaults faults, int index) {
        this.config = config;
        this.faults = faults;
        this.index = index;
    }

    /** The configuration, as far as it could be read. */
    public ForwardConfig config() {
        return config;
    }

    /** The place of the stage in the file. */
    public ConfigPlace place() {
        return config.stages().get(index).place();
    }

    /** The stages before it. */
    public List<StageConfig<?>> before() {
        return config.stages().subList(0, index);
    }

    /** The stages after it. */
    public List<StageConfig<?>> after() {
        return config.stages().subList(index + 1, config.stages().size());
    }

    /** Whether an earlier stage chooses outputs. */
    public boolean isDecidedBefore() {
        return before().stream().anyMatch(stage -> stage.has(StageRole.DECIDES));
    }

    /** Reports a fault of the stage. */
    public void fault(String text) {
        fault(place(), text);
    }

    /** Reports a fault at a place within the stage. */
    public void fault(ConfigPlace place, String text) {
        faults.add(place, text);
    }

    /** Whether a value at or below a path of keys is faulty; what refers to it then needs no fault of its own. */
    public boolean isFaulty(String path) {
        return faults.has(path);
    }

    /** Reports names of ports that do not exist, and names given twice. */
    public void known(List<Placed<String>> names) {
        known(config, faults, names);
    }

    /** Reports a name of a port that does not exist. @return whether it exists */
    public boolean known(Placed<String> name) {
        return known(config, faults, name);
    }

    /**
     * Reports each item whose key equals that of an earlier item.
     *
     * @param key the property that must be unique
     * @param place the place of an item
     * @param what a name for the key, for the message
     * @param <T> the type of the items
     */
    public <T> void unique(
            List<T> items, Function<? super T, ?> key, Function<? super T, ConfigPlace> place, String what) {
        unique(faults, items, key, place, what);
    }

    static void known(ForwardConfig config, ConfigFaults faults, List<Placed<String>> names) {
        for (Placed<String> name : names) {
            known(config, faults, name);
        }
        unique(faults, names, Placed::value, Placed::place, "port");
    }

    private static boolean known(ForwardConfig config, ConfigFaults faults, Placed<String> name) {
        boolean isKnown = config.ports().stream().anyMatch(port -> port.name().equals(name.value()));
        if (!isKnown && !faults.has("ports")) {
            List<String> names = config.ports().stream()
                    .map(ForwardConfig.PortConfig::name)
                    .distinct()
                    .toList();
            faults.add(name.place(), "there is no port " + name.value() + "; there are " + String.join(", ", names));
        }
        return isKnown;
    }

    static <T> void unique(
            ConfigFaults faults,
            List<T> items,
            Function<? super T, ?> key,
            Function<? super T, ConfigPlace> place,
            String what) {
        Map<Object, ConfigPlace> seen = new HashMap<>();
        for (T item : items) {
            Object of = key.apply(item);
            ConfigPlace before = seen.putIfAbsent(of, place.apply(item));
            if (before != null) {
                faults.add(place.apply(item), what + " " + of + " is used twice; line " + before.line() + " has it");
            }
        }
    }
}
