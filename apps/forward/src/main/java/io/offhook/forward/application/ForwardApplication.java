package io.offhook.forward.application;

import io.offhook.config.ConfigDifference;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.forward.Forwarder;
import io.offhook.forward.Port;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Forwarder} as a {@link ForwardConfig} describes it, whose tables (filter rules, routes, neighbours, addresses of a
 * bridge, translations) can be exchanged while it runs, without losing a packet. One thread controls it.
 */
public final class ForwardApplication implements AutoCloseable {
    private final List<Port> ports = new ArrayList<>();
    private final PortRequest.Common common = new PortRequest.Common();
    private final RunningStages stages;
    private final Forwarder forwarder;
    private final List<String> warnings;
    private ForwardConfig config;
    private boolean closed;

    /** Opens ports and files; {@link #forwarder()} is still to be started. */
    public static ForwardApplication open(ForwardConfig config) {
        return new ForwardApplication(config, null, Forwarder.NANO_TIME, Forwarder.STOP_MS);
    }

    /**
     * With ports of another kind; for tests.
     *
     * @param clock in nanoseconds
     * @param stopMs how long lanes are waited for at the end, in milliseconds
     */
    static ForwardApplication open(
            ForwardConfig config, Function<ForwardConfig.PortConfig, Port> ports, LongSupplier clock, long stopMs) {
        return new ForwardApplication(config, ports, clock, stopMs);
    }

    private ForwardApplication(
            ForwardConfig config,
            @Nullable Function<ForwardConfig.PortConfig, Port> toPort,
            LongSupplier clock,
            long stopMs) {
        this.config = config;
        RunningStages made = null;
        try {
            for (ForwardConfig.PortConfig port : config.ports()) {
                ports.add(
                        toPort == null
                                ? port.backend().open(new PortRequest(config, port, common))
                                : toPort.apply(port));
            }
            made = RunningStages.of(config, ports, clock);
            stages = made;
            forwarder = forwarder(config, ports, stages)
                    .clock(clock)
                    .stopMs(stopMs)
                    .scope(common::enter)
                    .open();
            warnings = toPort == null ? PortWarnings.of(config, ports) : List.of();
        } catch (RuntimeException e) {
            ports.forEach(Port::close);
            if (made != null) {
                made.close();
            }
            common.close();
            throw e;
        }
    }

    /** Ports, lanes and stages as they are described. */
    static Forwarder.Builder forwarder(ForwardConfig config, List<? extends Port> ports, RunningStages stages) {
        Forwarder.Builder builder = new Forwarder.Builder()
                .idle(config.run().idle())
                .buffers(config.run().buffers())
                .stages(stages::ofALane);
        ports.forEach(builder::port);
        for (ForwardConfig.LaneConfig lane : config.lanes()) {
            int[] numbers = lane.ports().stream()
                    .map(Placed::value)
                    .mapToInt(stages::port)
                    .toArray();
            builder.lane(lane.core(), numbers);
        }
        return builder;
    }

    /** What it was made of, or took last. */
    public ForwardConfig config() {
        return config;
    }

    /** What of the ports and their interfaces is not as it should be, with what mends it: as they were opened. */
    public List<String> warnings() {
        return warnings;
    }

    /** What runs. */
    public Forwarder forwarder() {
        return forwarder;
    }

    /** Counts of rules, sizes of tables, files, in the order of the stages; also when it is closed. */
    public List<StageFigure> figures() {
        return stages.figures();
    }

    /**
     * Takes the tables of another configuration. Each lane takes those of its stages between two bursts, all of them together;
     * addresses of a bridge, which its lanes share, are taken at once.
     *
     * @return what differs beyond what may change while it runs: then nothing was taken, as it needs a new start
     */
    public List<ConfigDifference> reload(ForwardConfig other) {
        List<ConfigDifference> differences = ForwardConfig.schema().differences(config.read(), other.read()).stream()
                .filter(difference -> !difference.mayChange())
                .toList();
        if (differences.isEmpty()) {
            config = other;
            forwarder.exchange(stages.exchange(other));
        }
        return differences;
    }

    /**
     * Stops the lanes, and closes ports and files; as {@link Forwarder#close}.
     *
     * @throws IllegalStateException where a lane has failed, or has not ended
     */
    @Override
    public void close() {
        try {
            forwarder.close();
        } finally {
            if (!closed && forwarder.isQuiet()) {
                closed = true;
                stages.close();
                common.close();
            }
        }
    }
}
