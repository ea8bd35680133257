package io.offhook.forward.application;

import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigTypes.Placed;
import java.util.List;

/**
 * A stage as described by a configuration.
 *
 * @param type its type
 * @param keys the values of its keys
 * @param place its place in the file
 * @param <C> the type of the values
 */
public record StageConfig<C>(StageType<C> type, C keys, ConfigPlace place) {
    /** The name of its type in the configuration. */
    public String name() {
        return type.schema().name();
    }

    /** Whether it has a role. */
    public boolean has(StageRole role) {
        return type.roles().contains(role);
    }

    /** Whether it has a role at a port. */
    public boolean has(StageRole role, String port) {
        return has(role) && isAbout(type.ports(keys), port);
    }

    /** Whether a list of port names includes a port; an empty list includes all. */
    public static boolean isAbout(List<Placed<String>> names, String port) {
        return names.isEmpty() || names.stream().anyMatch(name -> name.value().equals(port));
    }

    List<Long> stations() {
        return type.stations(keys);
    }

    void check(StageChecks checks) {
        type.check(keys, checks);
    }

    void checkMachine(StageChecks checks) {
        type.checkMachine(keys, checks);
    }
}
