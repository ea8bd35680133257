package io.offhook.forward;

import io.offhook.live.IdleStrategy;
import io.offhook.live.LanePlacement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
 * <p>Ports are numbered in the order they were added. One thread controls it; statistics may be asked for by any.
 */
public final class Forwarder implements AutoCloseable {
    /** The most ports: outputs of a packet are bits of a long. */
    public static final int MAX_PORTS = 64;

    /** How long stopping waits for the lanes unless told otherwise, in milliseconds. */
    public static final long STOP_MS = 5_000;

    private final List<Port> ports;
    private final List<Lane> lanes = new ArrayList<>();
    private final LanePlacement placement = LanePlacement.anywhere();
    private final LongSupplier clock;
    private final ForwardControl control = new ForwardControl();
    private final long stopMs;
    private List<Thread> threads = List.of();
    private boolean closed;

    /** Describes one. */
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
        private LongSupplier clock = System::nanoTime;
        private int buffers = 1024;
        private Supplier<LaneScope> scope = () -> () -> {};
        private long stopMs = STOP_MS;

        /** Nothing yet. */
        public Builder() {}

        /** One more port, which the forwarder opens and closes. */
        public Builder port(Port port) {
            if (ports.size() == MAX_PORTS) {
                throw new IllegalArgumentException("there may be " + MAX_PORTS + " ports");
            }
            ports.add(port);
            return this;
        }

        /**
         * One more lane.
         *
         * @param core the processor that it is pinned to; -1 for none
         * @param portNumbers the ports that it reads from
         */
        public Builder lane(int core, int... portNumbers) {
            lanes.add(new LaneSpec(core, Arrays.stream(portNumbers).boxed().toList()));
            return this;
        }

        /** What makes each lane its stages; it is called once a lane, before any runs. */
        public Builder stages(Supplier<List<Stage>> stages) {
            this.stages = stages;
            return this;
        }

        /** What lanes do while no packet comes. */
        public Builder idle(IdleStrategy idle) {
            this.idle = idle;
            return this;
        }

        /** Buffers of each lane for packets that are made, copied or held: 1 or more. */
        public Builder buffers(int buffers) {
            this.buffers = buffers;
            return this;
        }

        /** Another clock than the system's, in nanoseconds; for tests. */
        public Builder clock(LongSupplier clock) {
            this.clock = clock;
            return this;
        }

        /** What each lane's thread begins with, as a backend asks for: DPDK for one that it knows. */
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
            FramePool pool = new FramePool(builder.buffers, longest + EthernetFrames.MAX_HEADER); // last: it is memory
            lanes.add(new Lane(
                    i, place, ports, numbers, queues, stages, pool, builder.idle, builder.clock, builder.scope));
        }
    }

    /** Starts a thread for each lane. */
    public void start() {
        if (!threads.isEmpty()) {
            throw new IllegalStateException("the forwarder was started already");
        }
        threads = Lane.start(lanes, control);
    }

    /** Runs each lane once on the calling thread, for one that was not started; @return how many packets came */
    public int cycle() {
        if (!threads.isEmpty()) {
            throw new IllegalStateException("the forwarder runs on threads of its own");
        }
        int packets = 0;
        for (int i = 0; i < lanes.size(); i++) {
            packets += lanes.get(i).cycle();
        }
        return packets;
    }

    /**
     * Has stages of each lane take other tables between two bursts of that lane, all of them together.
     *
     * @param tables of each lane, by its number, as {@link Lane#exchange} has them
     */
    public void exchange(List<List<Optional<Runnable>>> tables) {
        for (int i = 0; i < lanes.size(); i++) {
            lanes.get(i).exchange(tables.get(i));
        }
    }

    /** Whether its lanes run, or would: false after {@link #stop} and when a lane has failed. */
    public boolean isRunning() {
        return !control.isStopping();
    }

    /**
     * Ends the lanes, each after the burst at hand, and waits for them, five seconds at the most.
     *
     * @throws IllegalStateException where one had failed, with the cause, or has not ended
     */
    public void stop() {
        control.stop();
        awaitLanes();
        Throwable failure = control.failure();
        if (failure != null) {
            throw new IllegalStateException("a lane has failed: " + failure, failure);
        }
        List<String> stalled =
                threads.stream().filter(Thread::isAlive).map(Thread::getName).toList();
        if (!stalled.isEmpty()) {
            throw new IllegalStateException(String.join(", ", stalled) + " did not end within " + stopMs
                    + " ms: a stage or a port holds it up, and it keeps ports and memory until it ends");
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

    /** Whether no lane runs: what they use may be given back. */
    public boolean isQuiet() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    /** Where its lanes run; {@link LanePlacement#sample} looks. */
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
     * Stops the lanes, closes ports and gives buffers back; of a lane that has not ended they stay open, until this is called
     * again.
     *
     * @throws IllegalStateException as {@link #stop}, once it is closed no more
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
                ports.forEach(Port::close);
                lanes.forEach(Lane::close);
            }
        }
    }
}
