package io.offhook.forward.application;

import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes.Placed;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A kind of stage that a configuration can name. {@link java.util.ServiceLoader} finds Offhook's own and those of users: a
 * module provides it in its {@code module-info}, a jar on the class path in {@code META-INF/services}. It has no state; what
 * runs is in the {@link StageInstances} that it makes for each application.
 *
 * @param <C> what its keys become, a record as a rule
 */
public interface StageType<C> {
    /**
     * Its name, its keys and their documentation, the same object at each call. A key that is {@code whileRunning()} may change
     * without a new start: {@link StageInstances#exchange} takes it.
     */
    ConfigSchema<C> schema();

    /** What such a stage does beyond looking at packets; nothing by default. */
    default Set<StageRole> roles() {
        return Set.of();
    }

    /** The ports that the {@linkplain #roles roles} are about; all of the application where the list is empty. */
    default List<Placed<String>> ports(C config) {
        return List.of();
    }

    /** The MAC addresses of stations that its keys name, 48 bits each: some packets of a rehearsal are for them. */
    default List<Long> stations(C config) {
        return List.of();
    }

    /** Reports what makes no sense though each value is right: names of ports, the place among the stages. */
    default void check(C config, StageChecks checks) {}

    /** Reports what this machine lacks; not where a file is only checked, and not when it is read again. */
    default void checkMachine(C config, StageChecks checks) {}

    /** Makes what the lanes share of it. The ports are not open yet. */
    StageInstances<C> prepare(C config, StageContext context);

    /**
     * As {@link #prepare}, for a run with packets made up, of which nothing may be seen outside: no file, no packet, no message.
     * It shares nothing with what runs later. A stage that has no such instances is left out of that run, as by default.
     */
    default Optional<StageInstances<C>> rehearse(C config, StageContext context) {
        return Optional.empty();
    }
}
