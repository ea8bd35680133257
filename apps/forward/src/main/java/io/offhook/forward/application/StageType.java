package io.offhook.forward.application;

import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes.Placed;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A type of stage that a configuration can name. {@link java.util.ServiceLoader} finds Offhook's own and those of
 * users: a module provides it in its {@code module-info}, a jar on the class path in {@code META-INF/services}. It has
 * no state; running stages belong to the {@link StageInstances} that it creates for each application.
 *
 * @param <C> the type of the values, a record as a rule
 */
public interface StageType<C> {
    /**
     * Its name, keys and their documentation; the same object at each call. A key that is {@code whileRunning()} may
     * change without a restart: {@link StageInstances#exchange} installs the new value.
     */
    ConfigSchema<C> schema();

    /** The roles of such a stage; none by default. */
    default Set<StageRole> roles() {
        return Set.of();
    }

    /** The ports that the {@linkplain #roles roles} apply to; an empty list means all ports of the application. */
    default List<Placed<String>> ports(C config) {
        return List.of();
    }

    /** The MAC addresses of stations that its keys name, 48 bits each: some packets of a rehearsal are for them. */
    default List<Long> stations(C config) {
        return List.of();
    }

    /** Reports what makes no sense though each value is right: names of ports, the place among the stages. */
    default void check(C config, StageChecks checks) {}

    /** Reports what this machine lacks. Not called when a file is only checked or is reloaded. */
    default void checkMachine(C config, StageChecks checks) {}

    /** Creates what its lanes share. The ports are not open yet. */
    StageInstances<C> prepare(C config, StageContext context);

    /**
     * As {@link #prepare}, for a rehearsal with synthetic packets, which must not be visible outside: no file, no
     * packet, no message. Nothing is shared with the stage that runs later. A stage that returns no instances, as by
     * default, is left out of the rehearsal.
     */
    default Optional<StageInstances<C>> rehearse(C config, StageContext context) {
        return Optional.empty();
    }
}
