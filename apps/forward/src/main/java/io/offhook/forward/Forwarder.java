package io.offhook.forward;

import io.offhook.live.IdleStrategy;
import io.offhook.live.LanePlacement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A packet application: ports, lanes that read from them, and the list of stages that each lane runs.
 *
 * <pre>{@code
 * try (Forwarder forwarder = new Forwarder.Builder()
 *         .port(lan).port(wan)
 *         .lane(2, 0, 1)                       // on processor 2, reading from both
 *         .stages(() -> List.of(new OnlyUdp(), new BridgeStage(...)))
 *         .open()) {
 *     forwarder.start();
 *     ...
 *     forwarder.stop();
 * }
 * }</pre>
 *
 * <p>Ports are numbered in the order they were added. One thread controls it; any thread may read the statistics.
 */
public final class Forwarder implements AutoCloseable {
    /** The most ports: the outputs of a packet are the bits of a long. */
    public static final int MAX_PORTS = 64;

    /** How long stopping waits for the lanes by default, in milliseconds. */
    public static final long STOP_MS = 5_000;

    /** The system's clock, one object for all: code that has met it only is compiled for it. */
    public static final LongSupplier NANO_TIME = System::nanoTime;

    private final List<Port> ports;
    private final List<Lane> lanes = new ArrayList<>();
    private final LanePlacement placement = LanePlacement.anywhere();
    private final LongSupplier clock;
    private final ForwardControl control = new ForwardControl();
    private final long stopMs;
    private List<Thread> threads = List.of();
    /** The ports that receive are the first so many. */
    private int started;

    private boolean arePortsStopped;
    private boolean closed;

    /** Configures a forwarder. */
    public static final class Builder {
        private record LaneSpec(int core, List<Integer> ports) {
            int[] numbers() {
                return ports.stream().mapToInt(Integer::intValue).toArray();
            }
        }

        private final List<Port> ports = new ArrayList<>();
        private final List<LaneSpec> lanes = new ArrayList<>();
        private Supplier<List<Stage>> stages = List::of;
        private IdleStrategy idle = IdleStrategy.PARK;
        private LongSupplier clock = NANO_TIME;
        private int buffers = 1024;
        private Supplier<LaneScope> scope = () -> () -> {};
        private long stopMs = STOP_MS;

        /** Creates a builder without ports, lanes or stages. */
        public Builder() {}

        /** Adds a port, which the forwarder opens and closes. */
        public Builder port(Port port) {
            if (ports.size() == MAX_PORTS) {
                throw new IllegalArgumentException("a forwarder has at most " + MAX_PORTS + " ports");
            }
            ports.add(port);
            return this;
        }

        /**
         * Adds a lane.
         *
         * @param core the processor that it is pinned to; -1 for any
         * @param portNumbers the ports that it reads from
         */
        public Builder lane(int core, int... portNumbers) {
            lanes.add(new LaneSpec(core, Arrays.stream(portNumbers).boxed().toList()));
            return this;
        }

        /** Sets the factory of the stages, called once per lane before any lane runs. */
        public Builder stages(Supplier<List<Stage>> stages) {
            this.stages = stages;
            return this;
        }

        /** What lanes do while no packets arrive. */
        public Builder idle(IdleStrategy idle) {
            this.idle = idle;
            return this;
        }

        /** The number of buffers of each lane for packets that are created, copied or held, at least 1. */
        public Builder buffers(int buffers) {
            this.buffers = buffers;
            return this;
        }

        /** Replaces the system's monotonic clock, in nanoseconds; for tests. */
        public Builder clock(LongSupplier clock) {
            this.clock = clock;
            return this;
        }

        /** Sets what each lane's thread holds while it runs, such as its registration with DPDK. */
        public Builder scope(Supplier<LaneScope> scope) {
            this.scope = scope;
            return this;
        }

        /** How long {@link Forwarder#stop} waits for the lanes, in milliseconds; for tests. */
        public Builder stopMs(long ms) {
            stopMs = ms;
            return this;
        }

        /** Opens the ports. */
        public Forwarder open() {
            return new Forwarder(this);
        }
    }

    private Forwarder(Builder builder) {
        ports = List.copyOf(builder.ports);
        clock = builder.clock;
        stopMs = builder.stopMs;
        try {
            open(builder);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void open(Builder builder) {
        int[] readers = new int[ports.size()];
        int longest = 0;
        for (Builder.LaneSpec lane : builder.lanes) {
            for (int port : lane.ports()) {
                readers[port]++;
            }
        }
        for (int i = 0; i < readers.length; i++) {
            ports.get(i).open(readers[i], builder.lanes.size());
            longest = Math.max(longest, ports.get(i).mtu());
        }
        int[] opened = new int[ports.size()];
        for (int i = 0; i < builder.lanes.size(); i++) {
            Builder.LaneSpec spec = builder.lanes.get(i);
            int[] numbers = spec.numbers();
            ReceiveQueue[] queues = new ReceiveQueue[numbers.length];
            for (int q = 0; q < queues.length; q++) {
                int port = numbers[q];
                queues[q] = ports.get(port).receiveQueue(opened[port]++);
            }
            List<Stage> stages = builder.stages.get();
            LanePlacement.Place place = placement.reserveOn("forward-" + i, spec.core());
            // last, as what fails after it would leak its memory
            FramePool pool = new FramePool(builder.buffers, longest + EthernetFrames.MAX_HEADER);
            lanes.add(new Lane(
                    i, place, ports, numbers, queues, stages, pool, builder.idle, builder.clock, builder.scope));
        }
    }

    /** Starts a thread for each lane, and once they run, the ports. */
    public void start() {
        start(() -> {});
    }

    /**
     * As {@link #start()}, with something to do in between.
     *
     * @param whenLanesRun run by the calling thread when the lanes run and nothing is received yet
     */
    public void start(Runnable whenLanesRun) {
        if (!threads.isEmpty()) {
            throw new IllegalStateException("the forwarder was started already");
        }
        threads = Lane.start(lanes, control);
        control.awaitBegun(lanes.size());
        whenLanesRun.run();
        startPorts();
    }

    private void startPorts() {
        for (; started < ports.size(); started++) {
            ports.get(started).start();
        }
    }

    /** Runs each lane once on the calling thread, if the forwarder was not started. @return the packets received */
    public int cycle() {
        if (!threads.isEmpty()) {
            throw new IllegalStateException("the forwarder was started and runs on its own threads");
        }
        startPorts();
        int packets = 0;
        for (int i = 0; i < lanes.size(); i++) {
            packets += lanes.get(i).cycle();
        }
        return packets;
    }

    /**
     * Replaces tables of stages, those of a lane together, between two of its bursts.
     *
     * @param tables of each lane, by its number, as {@link Lane#exchange} has them
     */
    public void exchange(List<List<Optional<Runnable>>> tables) {
        for (int i = 0; i < lanes.size(); i++) {
            lanes.get(i).exchange(tables.get(i));
        }
    }

    /** Whether its lanes run, or may be started: false after {@link #stop} and after a lane failed. */
    public boolean isRunning() {
        return !control.isStopping();
    }

    /**
     * Stops the ports, then the lanes, each once nothing is left for it, and waits for them, five seconds at the most.
     *
     * @throws IllegalStateException if a lane failed, with the cause, or did not end in time
     * @throws RuntimeException what a port throws that cannot stop; the others and the lanes are stopped
     */
    public void stop() {
        try {
            if (!arePortsStopped) {
                arePortsStopped = true;
                each(ports.subList(0, started), Port::stop);
            }
        } finally {
            control.stop();
            awaitLanes();
        }
        Throwable failure = control.failure();
        if (failure != null) {
            throw new IllegalStateException("a lane has failed: " + failure, failure);
        }
        List<String> stalled =
                threads.stream().filter(Thread::isAlive).map(Thread::getName).toList();
        if (!stalled.isEmpty()) {
            throw new IllegalStateException(String.join(", ", stalled) + " did not end within " + stopMs
                    + " ms: a stage or port is blocked; ports and memory stay open until it ends");
        }
    }

    /** Does it for all, whatever one of them throws; that is thrown in the end. */
    private static void each(List<Port> ports, Consumer<Port> what) {
        RuntimeException failure = null;
        for (Port port : ports) {
            try {
                what.accept(port);
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void awaitLanes() {
        long endNs = System.nanoTime() + stopMs * 1_000_000;
        boolean isInterrupted = false;
        for (Thread thread : threads) {
            long leftNs = endNs - System.nanoTime();
            while (leftNs > 0 && thread.isAlive()) {
                try {
                    thread.join(1 + leftNs / 1_000_000);
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
                leftNs = endNs - System.nanoTime();
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether no lane runs, so that what they use can be released. */
    public boolean isQuiet() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    /** Where its lanes run, as observed by {@link LanePlacement#sample}. */
    public LanePlacement placement() {
        return placement;
    }

    /** What became of the packets so far. */
    public ForwardStatistics statistics() {
        ForwardStatistics.Builder total = new ForwardStatistics.Builder(ports);
        for (Lane lane : lanes) {
            lane.addTo(total);
        }
        return total.build(clock.getAsLong());
    }

    /**
     * Stops the lanes, closes the ports and releases the buffers. If a lane did not end, all of that stays open until
     * this is called again.
     *
     * @throws IllegalStateException as {@link #stop}; a second call after a successful close does nothing
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        try {
            stop();
        } finally {
            closed = isQuiet();
            if (closed) {
                try {
                    each(ports, Port::close);
                } finally {
                    lanes.forEach(Lane::close);
                }
            }
        }
    }
}
