package io.offhook.forward.application;

import io.offhook.forward.EthernetFrames;
import io.offhook.forward.Forwarder;
import io.offhook.forward.FramePool;
import io.offhook.live.Rehearsal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Runs the loop of the lanes with the configured stages on packets in memory until the JVM has compiled it, so that the
 * first packets from the wire do not meet interpreted code. {@link Rehearsal.Pace} decides how long, as for a capture.
 * A rehearsal has its own ports in memory, stages, tables and counters; it leaves nothing behind and is not visible
 * outside.
 *
 * <p>Stages whose {@link StageType#rehearse} returns no instances are left out. The work of backends, reading rings and
 * sending, is not rehearsed.
 *
 * @param packets the packets received
 * @param forwarded the packets with an output
 * @param tookNs its duration in nanoseconds
 * @param isSteady whether it ended because it became no faster, not because its time was over
 */
public record ForwardRehearsal(long packets, long forwarded, long tookNs, boolean isSteady) {
    private static final int LANES = 3;
    private static final int FRAMES = 1024;

    /** Rehearses on the calling thread, for {@link Rehearsal#MAX_NS} at most. */
    public static ForwardRehearsal of(ForwardConfig config) {
        return of(config, Rehearsal.MAX_NS, System::nanoTime);
    }

    /**
     * Rehearses on the calling thread.
     *
     * @param mostNs the longest duration in nanoseconds
     * @param clock the clock of the stages and of the duration
     */
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
                return run(forwarder, new Rehearsal.Pace(clock, mostNs));
            }
        }
    }

    /**
     * Creates three lanes that read from all ports, with queues of three classes; {@link RehearsalPort} has the reason.
     */
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

    private static ForwardRehearsal run(Forwarder forwarder, Rehearsal.Pace pace) {
        long packets = 0;
        do {
            packets += forwarder.cycle();
        } while (!pace.isOver(packets));
        long forwarded = forwarder.statistics().counts().forwarded();
        return new ForwardRehearsal(packets, forwarded, pace.tookNs(), pace.isSteady());
    }
}
