package io.offhook.forward.application;

import io.offhook.forward.Stage;
import java.util.List;

/** A stage of an application: its configuration and its instances. */
final class RunningStage<C> {
    private StageConfig<C> config;
    private final StageInstances<C> instances;

    RunningStage(StageConfig<C> config, StageInstances<C> instances) {
        this.config = config;
        this.instances = instances;
    }

    static <C> RunningStage<C> of(StageConfig<C> config, StageContext context) {
        return new RunningStage<>(config, config.type().prepare(config.keys(), context));
    }

    /** For a rehearsal; empty if the stage takes no part in it. */
    static <C> List<RunningStage<C>> rehearsing(StageConfig<C> config, StageContext context) {
        return config
                .type()
                .rehearse(config.keys(), context)
                .map(instances -> new RunningStage<>(config, instances))
                .stream()
                .toList();
    }

    Stage ofALane() {
        return instances.ofALane();
    }

    /** @param other a configuration of the same type */
    List<Runnable> exchange(StageConfig<?> other) {
        if (!other.type().equals(config.type())) {
            throw new IllegalArgumentException(config.name() + " cannot become " + other.name());
        }
        @SuppressWarnings("unchecked") // of the same type
        StageConfig<C> after = (StageConfig<C>) other;
        C before = config.keys();
        config = after;
        return instances.exchange(before, after.keys());
    }

    List<StageFigure> figures() {
        return instances.figures();
    }

    void close() {
        instances.close();
    }
}
