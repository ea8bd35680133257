package io.offhook.forward;

import io.offhook.linux.CpuAffinity;
import io.offhook.linux.lanes.LaneMeter;
import io.offhook.linux.raw.Poller;
import io.offhook.live.IdleStrategy;
import io.offhook.live.LanePlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A thread that receives bursts, passes them through its stages, and sends them. */
public final class Lane {
    private static final long TICK_NS = 1_000_000;
    private static final int IDLE_CYCLES = 64;
    private static final int WAKES = 8;
    private static final long DRAIN_NS = 100_000_000;

    private final int index;
    private final LanePlacement.Place place;
    private final int[] receivePorts;
    private final ReceiveQueue[] receiveQueues;
    private final SendQueue[] sendQueues;
    private final int[] maxLengths;
    private final Stage[] stages;
    private final StageCounts[] counts;
    private final FramePool pool;
    private final Burst burst;
    private final IdleStrategy idle;
    private final LongSupplier clock;
    private final Supplier<LaneScope> scope;
    private final int[] indexes = new int[Burst.CAPACITY];
    /** Tables to take before the next burst; null if there are none. */
    private final AtomicReference<@Nullable List<Optional<Runnable>>> exchange = new AtomicReference<>();

    private long lastTickNs;
    /** What other processes see of it; null where nothing is published. */
    private @Nullable LaneMeter meter;

    /** Whether the meter has it that there is no work. */
    private boolean isIdle;

    // counters, written by the lane
    private final long[] received;
    private final long[] sent;
    private final long[] sendDrops;
    private final long[] tooLong;
    private long undecided;
    private long forwarded;
    private long outputs;
    private long busyNs;
    private long bursts;
    private volatile int ranOn = -1;

    /**
     * A lane.
     *
     * @param place where it is to run
     * @param ports all of the application
     * @param receivePorts the numbers of the ports that it reads from
     * @param receiveQueues the queues of these ports, in the same order
     */
    Lane(
            int index,
            LanePlacement.Place place,
            List<Port> ports,
            int[] receivePorts,
            ReceiveQueue[] receiveQueues,
            List<Stage> stages,
            FramePool pool,
            IdleStrategy idle,
            LongSupplier clock,
            Supplier<LaneScope> scope) {
        this.index = index;
        this.place = place;
        this.receivePorts = receivePorts;
        this.receiveQueues = receiveQueues;
        this.stages = stages.toArray(Stage[]::new);
        this.pool = pool;
        this.idle = idle;
        this.clock = clock;
        this.scope = scope;
        burst = new Burst(pool);
        lastTickNs = clock.getAsLong();
        int count = ports.size();
        sendQueues = new SendQueue[count];
        maxLengths = new int[count];
        for (int i = 0; i < count; i++) {
            sendQueues[i] = ports.get(i).sendQueue(index);
            maxLengths[i] = ports.get(i).mtu() + EthernetFrames.MAX_HEADER;
        }
        received = new long[count];
        sent = new long[count];
        sendDrops = new long[count];
        tooLong = new long[count];
        counts = new StageCounts[stages.size()];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new StageCounts(stages.get(i).name(), stages.get(i).dropCauses());
        }
    }

    /** Serves each receive queue once, and the timers. @return the packets received */
    int cycle() {
        if (exchange.get() != null) {
            takeTables();
        }
        int packets = 0;
        for (int q = 0; q < receiveQueues.length; q++) {
            burst.begin(clock.getAsLong());
            int count = receiveQueues[q].receive(burst, receivePorts[q]);
            if (count > 0) {
                if (isIdle) {
                    works(burst.nowNs());
                }
                packets += count;
                received[receivePorts[q]] += count;
                bursts++;
                run(false);
                busyNs += clock.getAsLong() - burst.nowNs();
            }
        }
        long now = clock.getAsLong();
        if (now - lastTickNs >= TICK_NS) {
            lastTickNs = now;
            burst.begin(now);
            run(true);
        }
        if (meter != null) {
            publish(meter, now, packets);
        }
        return packets;
    }

    private void works(long nowNs) {
        isIdle = false;
        if (meter != null) {
            meter.works(nowNs);
        }
    }

    private void publish(LaneMeter meter, long nowNs, int packets) {
        if (packets > 0) {
            long lost = 0;
            for (long ofPort : sendDrops) {
                lost += ofPort;
            }
            meter.drops(lost);
            meter.polled(nowNs, packets);
        } else if (!isIdle) {
            isIdle = true;
            meter.waits(nowNs);
        }
    }

    /**
     * Replaces tables of its stages, all of them together, between two bursts. Any thread.
     *
     * @param tables for each stage, in order, what installs a table prepared before; the lane runs it. It supersedes
     *     one that the lane has not taken yet; an empty one does not
     */
    void exchange(List<Optional<Runnable>> tables) {
        exchange.updateAndGet(before -> {
            List<Optional<Runnable>> all = new ArrayList<>();
            for (int i = 0; i < tables.size(); i++) {
                Optional<Runnable> notTaken = before == null ? Optional.empty() : before.get(i);
                all.add(tables.get(i).or(() -> notTaken));
            }
            return all;
        });
    }

    private void takeTables() {
        List<Optional<Runnable>> tables = exchange.getAndSet(null);
        if (tables != null) {
            tables.forEach(ofStage -> ofStage.ifPresent(Runnable::run));
        }
    }

    private void run(boolean isTick) {
        for (int s = 0; s < stages.length; s++) {
            burst.enter(counts[s]);
            if (burst.count() > 0) {
                stages[s].process(burst);
            }
            if (isTick) {
                stages[s].tick(burst);
            }
            burst.compact();
        }
        send();
        burst.end();
    }

    private void send() {
        long all = 0;
        int count = burst.count();
        for (int i = 0; i < count; i++) {
            long ports = burst.outputs(i);
            all |= ports;
            if (ports == 0) {
                undecided++;
            } else {
                forwarded++;
                outputs += Long.bitCount(ports);
            }
        }
        while (all != 0) {
            int port = Long.numberOfTrailingZeros(all);
            all &= all - 1;
            send(port, count);
        }
    }

    private void send(int port, int count) {
        int wanted = 0;
        for (int i = 0; i < count; i++) {
            if ((burst.outputs(i) >>> port & 1) != 0) {
                if (burst.length(i) > maxLengths[port]) {
                    tooLong[port]++;
                    burst.done(i, port);
                } else {
                    indexes[wanted++] = i;
                }
            }
        }
        if (wanted > 0) {
            int done = sendQueues[port].send(burst, indexes, wanted);
            sent[port] += done;
            sendDrops[port] += wanted - done;
            for (int n = 0; n < wanted; n++) {
                burst.done(indexes[n], port);
            }
        }
    }

    /** Runs until it has to stop. */
    void run(ForwardControl control) {
        place.enter();
        meter = LaneMeter.current();
        ranOn = CpuAffinity.current();
        int rounds = 0;
        try (LaneScope _ = scope.get();
                Poller poller = poller()) {
            cycle();
            control.begun();
            while (!control.isStopping()) {
                rounds = cycle() > 0 ? 0 : rest(rounds, poller);
            }
            drain();
        } finally {
            place.leave();
        }
    }

    /** What came before the ports were stopped; of ports that cannot be stopped, not for ever. */
    private void drain() {
        long startNs = System.nanoTime();
        while (cycle() > 0 && System.nanoTime() - startNs < DRAIN_NS) {
            // the next burst
        }
    }

    /** A parked lane is woken by its packets, where its ports can be waited for. */
    private int rest(int rounds, @Nullable Poller poller) {
        if (poller == null || rounds < IDLE_CYCLES) {
            return idle.idle(rounds);
        }
        if (!poller.await(1)) {
            return IDLE_CYCLES;
        }
        // an interface that is down is always ready, but has no packets
        if (rounds > IDLE_CYCLES + WAKES) {
            LockSupport.parkNanos(TICK_NS);
            return rounds;
        }
        return rounds + 1;
    }

    /** A poller of all its queues; null if one has no descriptor. */
    private @Nullable Poller poller() {
        if (idle != IdleStrategy.PARK || receiveQueues.length == 0) {
            return null;
        }
        int[] descriptors = new int[receiveQueues.length];
        for (int i = 0; i < descriptors.length; i++) {
            descriptors[i] = receiveQueues[i].descriptor();
            if (descriptors[i] < 0) {
                return null;
            }
        }
        return new Poller(descriptors);
    }

    void close() {
        pool.close();
    }

    void addTo(ForwardStatistics.Builder total) {
        for (int i = 0; i < received.length; i++) {
            total.port(i, received[i], sent[i], sendDrops[i], tooLong[i], sendQueues[i].copies());
        }
        for (int i = 0; i < counts.length; i++) {
            total.stage(i, counts[i]);
        }
        long packets = 0;
        for (long ofPort : received) {
            packets += ofPort;
        }
        total.lane(new ForwardStatistics.LaneCounts(index, ranOn, packets, bursts, busyNs));
        total.add(undecided, forwarded, outputs, burst.made());
    }

    /** Starts a thread for each lane. @return the threads */
    static List<Thread> start(List<Lane> lanes, ForwardControl control) {
        List<Thread> threads = new ArrayList<>();
        for (Lane lane : lanes) {
            threads.add(
                    Thread.ofPlatform().name("forward-" + lane.index).daemon().start(() -> {
                        try {
                            lane.run(control);
                        } catch (RuntimeException | Error e) {
                            control.fail(e);
                        }
                    }));
        }
        return threads;
    }
}
