package io.offhook.forward.application;

import io.offhook.forward.Port;
import io.offhook.forward.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The stages of an application, and the context that they are created in. */
final class RunningStages implements StageContext, AutoCloseable {
    private final List<? extends Port> ports;
    private final LongSupplier clock;
    private final List<RunningStage<?>> stages = new ArrayList<>();
    private ForwardConfig config;

    /** @param ports in the order of the configuration; not open yet */
    private RunningStages(ForwardConfig config, List<? extends Port> ports, LongSupplier clock) {
        this.config = config;
        this.ports = ports;
        this.clock = clock;
    }

    static RunningStages of(ForwardConfig config, List<? extends Port> ports, LongSupplier clock) {
        RunningStages all = new RunningStages(config, ports, clock);
        try {
            config.stages().forEach(stage -> all.stages.add(RunningStage.of(stage, all)));
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
        return all;
    }

    /** The stages that take part in a rehearsal. */
    static RunningStages rehearsing(ForwardConfig config, List<? extends Port> ports, LongSupplier clock) {
        RunningStages all = new RunningStages(config, ports, clock);
        try {
            config.stages().forEach(stage -> all.stages.addAll(RunningStage.rehearsing(stage, all)));
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
        return all;
    }

    List<Stage> ofALane() {
        List<Stage> made = new ArrayList<>();
        stages.forEach(stage -> made.add(stage.ofALane()));
        return made;
    }

    /**
     * Takes another configuration of the same stages.
     *
     * @return for each lane, in order, what its stages have to run
     */
    List<List<Optional<Runnable>>> exchange(ForwardConfig other) {
        config = other;
        List<List<Optional<Runnable>>> ofLanes = new ArrayList<>();
        config.lanes().forEach(_ -> ofLanes.add(new ArrayList<>()));
        for (int i = 0; i < stages.size(); i++) {
            List<Runnable> exchanges = stages.get(i).exchange(other.stages().get(i));
            for (int lane = 0; lane < ofLanes.size(); lane++) {
                ofLanes.get(lane).add(exchanges.isEmpty() ? Optional.empty() : Optional.of(exchanges.get(lane)));
            }
        }
        return ofLanes;
    }

    List<StageFigure> figures() {
        return stages.stream().flatMap(stage -> stage.figures().stream()).toList();
    }

    @Override
    public void close() {
        stages.forEach(RunningStage::close);
    }

    @Override
    public ForwardConfig config() {
        return config;
    }

    @Override
    public long nowNs() {
        return clock.getAsLong();
    }

    @Override
    public int port(String name) {
        for (int i = 0; i < config.ports().size(); i++) {
            if (config.ports().get(i).name().equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException("there is no port " + name);
    }

    @Override
    public long[] linkAddresses() {
        return ports.stream().mapToLong(Port::linkAddress).toArray();
    }

    @Override
    public int[] mtus() {
        return ports.stream().mapToInt(Port::mtu).toArray();
    }
}
