package io.offhook.forward.application;

import io.offhook.config.ConfigFaults;
import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigTypes.Placed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What a stage can look at to check itself, and where it reports faults. */
public final class StageChecks {
    private final ForwardConfig config;
    private final ConfigFaults faults;
    private final int index;

    /** @param index of the stage in the list */
    StageChecks(ForwardConfig config, ConfigFaults faults, int index) {
        this.config = config;
        this.faults = faults;
        this.index = index;
    }

    /** All that could be read. */
    public ForwardConfig config() {
        return config;
    }

    /** Where the stage stands. */
    public ConfigPlace place() {
        return config.stages().get(index).place();
    }

    /** The stages before it. */
    public List<StageConfig<?>> before() {
        return config.stages().subList(0, index);
    }

    /** The stages behind it. */
    public List<StageConfig<?>> after() {
        return config.stages().subList(index + 1, config.stages().size());
    }

    /** Whether a stage before it says where packets go. */
    public boolean isDecidedBefore() {
        return before().stream().anyMatch(stage -> stage.has(StageRole.DECIDES));
    }

    /** Reports a fault of the stage. */
    public void fault(String text) {
        fault(place(), text);
    }

    /** Reports a fault of something in it. */
    public void fault(ConfigPlace place, String text) {
        faults.add(place, text);
    }

    /** Whether something at or below a path of keys is faulty: what refers to it need not be reported as well. */
    public boolean isFaulty(String path) {
        return faults.has(path);
    }

    /** Reports names that no port has, and those that are there twice. */
    public void known(List<Placed<String>> names) {
        known(config, faults, names);
    }

    /** Reports a name that no port has; @return whether one has it */
    public boolean known(Placed<String> name) {
        return known(config, faults, name);
    }

    /**
     * Reports each item that is like one before it.
     *
     * @param key what has to be another for each
     * @param place of an item
     * @param what the key is, for the message
     * @param <T> of the items
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
