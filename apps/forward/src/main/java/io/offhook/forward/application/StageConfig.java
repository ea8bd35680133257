package io.offhook.forward.application;

import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigTypes.Placed;
import java.util.List;

/**
 * A stage as a configuration describes it.
 *
 * @param type its kind
 * @param keys what its keys became
 * @param place where it stands
 * @param <C> what its keys become
 */
public record StageConfig<C>(StageType<C> type, C keys, ConfigPlace place) {
    /** As the configuration calls its kind. */
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

    /** Whether names of ports are about one: none is about all. */
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
