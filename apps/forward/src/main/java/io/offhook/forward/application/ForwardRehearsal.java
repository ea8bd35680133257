package io.offhook.forward.application;

import io.offhook.forward.Burst;
import io.offhook.forward.EthernetFrames;
import io.offhook.forward.Forwarder;
import io.offhook.forward.FramePool;
import io.offhook.linux.LinuxException;
import io.offhook.live.Rehearsal;
import io.offhook.packet.buffer.BorrowingThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Runs the lanes' own loop through the configured stages, on packets in memory, until the Java machine has compiled it:
 * so the first packets from the wire do not meet code that is still interpreted. How long is decided as for a capture,
 * by {@link Rehearsal.Pace}. A rehearsal has ports, stages, tables and counters of its own; nothing of it remains in what
 * runs later, and nothing of it is visible outside.
 *
 * <p>A stage whose {@link StageType#rehearse} returns no instances is left out. A backend's code that reads rings and sends
 * is rehearsed as far as its {@link PortBackend#rehearse} has ports for that.
 *
 * @param packets the packets received
 * @param forwarded the packets with an output
 * @param tookNs its duration in nanoseconds
 * @param isSteady whether it ended because it became no faster, not because its time was over
 */
public record ForwardRehearsal(long packets, long forwarded, long tookNs, boolean isSteady) {
    /**
     * They begin one after the other: what a lane does once, at its first packets, is then seen while code is being observed,
     * and not for the first time on the wire.
     */
    private static final int LANES = 6;

    private static final int FIRST_ROUNDS = 40;
    /** Packets of most rounds: what is done once a burst is to be compiled as well. */
    private static final int FEW = 8;
    /** Of some rounds: more than a burst takes. */
    private static final int MANY = 3 * Burst.MAX_RECEIVED / 2;

    private static final int FRAMES = 1024;

    /** Rehearses on the calling thread, for {@link Rehearsal#MAX_NS} at most. */
    public static ForwardRehearsal of(ForwardConfig config) {
        return of(config, Rehearsal.MAX_NS, Forwarder.NANO_TIME);
    }

    /**
     * Rehearses on the calling thread.
     *
     * @param mostNs the longest duration in nanoseconds
     * @param clock the clock of the stages and of the duration
     */
    static ForwardRehearsal of(ForwardConfig config, long mostNs, LongSupplier clock) {
        try {
            return new Run(config, clock, true).run(mostNs);
        } catch (LinuxException e) {
            // what is missing will be reported when the ports are opened
            return new Run(config, clock, false).run(mostNs);
        }
    }

    /** One of them, with what it has opened. */
    private static final class Run {
        private final ForwardConfig config;
        private final LongSupplier clock;
        private final boolean hasOwnPorts;
        private final List<RehearsedPort> ports = new ArrayList<>();
        private final List<List<byte[]>> packets;
        private int rounds;
        private final int[] next;

        /** @param hasOwnPorts whether backends have a say in what the ports are */
        Run(ForwardConfig config, LongSupplier clock, boolean hasOwnPorts) {
            this.config = config;
            this.clock = clock;
            this.hasOwnPorts = hasOwnPorts;
            packets = RehearsalPackets.of(config);
            next = new int[packets.size()];
        }

        ForwardRehearsal run(long mostNs) {
            try (FramePool pool = new FramePool(FRAMES, RehearsedPort.MTU + EthernetFrames.MAX_HEADER);
                    PortRequest.Common common = new PortRequest.Common()) {
                for (int i = 0; i < packets.size(); i++) {
                    ports.add(port(i, pool, common));
                }
                try (RunningStages stages = RunningStages.rehearsing(config, ports, clock);
                        Forwarder forwarder = forwarder(stages)) {
                    return run(forwarder, new Rehearsal.Pace(clock, mostNs));
                }
            }
        }

        private RehearsedPort port(int i, FramePool pool, PortRequest.Common common) {
            ForwardConfig.PortConfig port = config.ports().get(i);
            long linkAddress = RehearsalPackets.linkAddress(i);
            RehearsedPort own =
                    hasOwnPorts ? port.backend().rehearse(new PortRequest(config, port, common), linkAddress) : null;
            return own == null ? new RehearsalPort(port.name(), linkAddress, pool) : own;
        }

        /** Lanes each of which reads from all ports. */
        private Forwarder forwarder(RunningStages stages) {
            Forwarder.Builder builder = new Forwarder.Builder()
                    .buffers(Math.min(FRAMES, config.run().buffers()))
                    .clock(clock)
                    .stages(stages::ofALane);
            ports.forEach(builder::port);
            int[] numbers = IntStream.range(0, ports.size()).toArray();
            for (int i = 0; i < LANES; i++) {
                builder.lane(-1, numbers);
            }
            return builder.open();
        }

        private ForwardRehearsal run(Forwarder forwarder, Rehearsal.Pace pace) {
            long received = 0;
            do {
                for (int port = 0; port < packets.size(); port++) {
                    ports.get(port).complete();
                    put(port, rounds % begun());
                }
                received += rounds % (4 * FIRST_ROUNDS) == 0 ? cycleOnAnotherThread(forwarder) : forwarder.cycle();
                rounds++;
            } while (!pace.isOver(received));
            long forwarded = forwarder.statistics().counts().forwarded();
            return new ForwardRehearsal(received, forwarded, pace.tookNs(), pace.isSteady());
        }

        /** What a thread does once, such as making room for errno, is to be seen as well. */
        private static int cycleOnAnotherThread(Forwarder forwarder) {
            FutureTask<Integer> cycle = new FutureTask<>(forwarder::cycle);
            BorrowingThreads.join(Thread.ofPlatform().start(cycle));
            return cycle.resultNow();
        }

        /** How many lanes have begun: each one at twice as many rounds as the one before. */
        private int begun() {
            return Math.min(LANES, 32 - Integer.numberOfLeadingZeros(1 + rounds / FIRST_ROUNDS));
        }

        /** What waits at a port, little and much in turn. Each lane's packets are of other hosts, which are met for the first time. */
        private void put(int port, int lane) {
            List<byte[]> all = packets.get(port);
            int count = 1 + rounds * 7 % (rounds % 8 == 0 ? MANY : FEW);
            boolean hasRoom = !all.isEmpty();
            for (int n = 0; n < count && hasRoom; n++) {
                byte[] packet = all.get(next[port]);
                packet[EthernetFrames.SOURCE + 3] = (byte) lane;
                hasRoom = ports.get(port).put(lane, packet);
                next[port] = next[port] + 1 == all.size() ? 0 : next[port] + 1;
            }
        }
    }
}
