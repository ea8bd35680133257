package io.offhook.forward.application;

import io.offhook.forward.EthernetFrames;
import io.offhook.forward.Forwarder;
import io.offhook.forward.FramePool;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Runs the lanes' own loop through the configured stages on packets that are made up, until the Java machine has compiled it:
 * so the first packets of the wire do not meet code that is still interpreted. Everything is of its own, ports in memory,
 * stages, tables, counters; nothing of it is in what runs later, and nothing is seen outside.
 *
 * <p>A stage whose {@link StageType#rehearse} has no instances is left out. What only a backend does, reading a ring and
 * sending, is not rehearsed.
 *
 * @param packets that came in
 * @param forwarded packets that had a port to go to at the end
 * @param tookNs how long it took, in nanoseconds
 * @param isSteady whether it ended since it became no faster; else since its time was over
 */
public record ForwardRehearsal(long packets, long forwarded, long tookNs, boolean isSteady) {
    /** The longest that it should take: 1.5 s. */
    public static final long MAX_NS = 1_500_000_000L;

    private static final int LANES = 3;
    private static final int FRAMES = 1024;
    private static final long WINDOW_NS = 25_000_000L;
    /** Windows without a better one, after which it is steady. */
    private static final int STEADY_WINDOWS = 8;
    /** A window that takes less than this part of the best one's time is better. */
    private static final double BETTER = 0.95;
    /** Before that, the second compiler has not seen enough. */
    private static final long LEAST_PACKETS = 200_000;

    /**
     * Rehearses, on the calling thread.
     *
     * @param mostNs how long it may take, in nanoseconds
     */
    public static ForwardRehearsal of(ForwardConfig config, long mostNs) {
        return of(config, mostNs, System::nanoTime);
    }

    /** @param clock of the stages and of the time that it takes */
    static ForwardRehearsal of(ForwardConfig config, long mostNs, LongSupplier clock) {
        List<RehearsalPort> ports = new ArrayList<>();
        try (FramePool pool = new FramePool(FRAMES, RehearsalPort.MTU + EthernetFrames.MAX_HEADER)) {
            List<List<byte[]>> packets = RehearsalPackets.of(config);
            for (int i = 0; i < packets.size(); i++) {
                String name = config.ports().get(i).name();
                ports.add(new RehearsalPort(name, RehearsalPackets.linkAddress(i), pool, packets.get(i)));
            }
            try (RunningStages stages = RunningStages.rehearsing(config, ports, clock);
                    Forwarder forwarder = forwarder(config, ports, stages, clock)) {
                return run(forwarder, mostNs, clock);
            }
        }
    }

    /** Three lanes, each of which reads from all ports: queues of three kinds, as {@link RehearsalPort} explains. */
    private static Forwarder forwarder(
            ForwardConfig config, List<RehearsalPort> ports, RunningStages stages, LongSupplier clock) {
        Forwarder.Builder builder = new Forwarder.Builder()
                .buffers(Math.min(FRAMES, config.run().buffers()))
                .clock(clock)
                .stages(stages::ofALane);
        int[] numbers = new int[ports.size()];
        for (int i = 0; i < numbers.length; i++) {
            builder.port(ports.get(i));
            numbers[i] = i;
        }
        for (int i = 0; i < LANES; i++) {
            builder.lane(-1, numbers);
        }
        return builder.open();
    }

    private static ForwardRehearsal run(Forwarder forwarder, long mostNs, LongSupplier clock) {
        long startNs = clock.getAsLong();
        long packets = 0;
        long windowPackets = 0;
        long windowNs = startNs;
        double best = Double.MAX_VALUE;
        int notBetter = 0;
        while (true) {
            int cycle = forwarder.cycle();
            packets += cycle;
            windowPackets += cycle;
            long nowNs = clock.getAsLong();
            if (nowNs - windowNs >= WINDOW_NS) {
                double each = (nowNs - windowNs) / (double) Math.max(1, windowPackets);
                notBetter = each < best * BETTER ? 0 : notBetter + 1;
                best = Math.min(best, each);
                windowNs = nowNs;
                windowPackets = 0;
            }
            boolean isSteady = notBetter >= STEADY_WINDOWS && packets >= LEAST_PACKETS;
            if (isSteady || nowNs - startNs >= mostNs) {
                return new ForwardRehearsal(
                        packets, forwarder.statistics().counts().forwarded(), nowNs - startNs, isSteady);
            }
        }
    }
}
