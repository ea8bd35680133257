package io.offhook.bench.lanes;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.Pipeline;
import io.offhook.analysis.Shards;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * {@code ScalingModel FILE}: measures all parts of all rounds on one lane, then simulates 1 to 64 lanes that process the
 * same parts. Each lane takes the next remaining part; at the end of a phase all wait for the last. The model compares
 * three ways of finding frames and cutting rounds. It ignores that memory gets slower when all cores access it at once.
 */
public final class ScalingModel {
    /** Runs before the measured one, until everything is compiled. */
    private static final int WARM_UPS = 4;

    private static final int[] LANES = {1, 2, 4, 8, 16, 32, 64};
    /** The time in which a lane notices that the last one has ended a phase, or that its predecessor's place is known. */
    private static final long BARRIER_NS = 5_000;

    private static final long HANDOVER_NS = 300;
    private static final int PHASES = 5;

    private final List<RoundTimes> rounds;

    private ScalingModel(List<RoundTimes> rounds) {
        this.rounds = rounds;
    }

    /** @param args the capture, a plain pcap file */
    public static void main(String[] args) {
        List<RoundTimes> rounds = List.of();
        for (int i = 0; i <= WARM_UPS; i++) {
            rounds = measured(args[0]);
        }
        new ScalingModel(rounds).print();
        System.out.println("measured, whole runs in one process, best of 5:");
        for (int lanes = 1; lanes <= Runtime.getRuntime().availableProcessors(); lanes++) {
            System.out.printf(Locale.ROOT, "%5d lanes %9.1f ms%n", lanes, best(args[0], lanes) / 1e6);
        }
    }

    private static List<RoundTimes> measured(String file) {
        try (RoundClock clock = new RoundClock(CaptureFiles.open(file))) {
            Pipeline.of(1).traffic(clock).run(clock);
            return clock.rounds();
        }
    }

    private static long best(String file, int lanes) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            long begin = System.nanoTime();
            try (PacketSource source = CaptureFiles.open(file)) {
                Analysis.run(source, AnalysisOptions.defaults().withLanes(lanes));
            }
            best = Math.min(best, System.nanoTime() - begin);
        }
        return best;
    }

    private void print() {
        long scan = 0;
        long decode = 0;
        long streams = 0;
        long sip = 0;
        long rtp = 0;
        long alone = 0;
        for (RoundTimes round : rounds) {
            scan += RoundTimes.sum(round.scan);
            decode += RoundTimes.sum(round.decode);
            streams += round.streams;
            sip += RoundTimes.sum(round.sip);
            rtp += RoundTimes.sum(round.rtp);
            alone += round.alone;
        }
        System.out.printf(
                Locale.ROOT,
                "%d rounds on one lane, ms: find frames %.1f, decode %.1f, TCP %.1f, SIP %.1f, RTP %.1f, alone %.1f%n",
                rounds.size(),
                scan / 1e6,
                decode / 1e6,
                streams / 1e6,
                sip / 1e6,
                rtp / 1e6,
                alone / 1e6);
        System.out.println("model, ms (times faster than one lane):");
        System.out.println("lanes     one finds frames    stretches of their own    and four times the parts");
        for (int lanes : LANES) {
            System.out.printf(Locale.ROOT, "%5d", lanes);
            for (Way way : Way.values()) {
                double ms = simulate(lanes, way) / 1e6;
                System.out.printf(Locale.ROOT, " %12.1f (%5.1f)    ", ms, simulate(1, way) / 1e6 / ms);
            }
            System.out.println();
        }
    }

    private enum Way {
        /** Lanes take turns at the source, as in earlier versions. */
        IN_TURN,
        /** Each lane finds the frames of a stretch, and waits until the end of the previous stretch is known. */
        STRETCHES,
        /** As if rounds had four times as many batches and shards, at no cost. */
        MORE_PARTS
    }

    private long simulate(int lanes, Way way) {
        int more = way == Way.MORE_PARTS ? 4 : 1;
        long total = 0;
        for (RoundTimes round : rounds) {
            total += frames(round, lanes, way, more);
            total += shared(even(round.streams, Shards.SIP * more), lanes);
            total += shared(divided(round.sip, more), lanes);
            total += shared(divided(round.rtp, more), lanes);
            total += round.alone + (lanes > 1 ? PHASES * BARRIER_NS : 0);
        }
        return total;
    }

    /** Each lane finds the frames of the next batch, and decodes them. */
    private static long frames(RoundTimes round, int lanes, Way way, int more) {
        long[] scan = divided(round.scan, more);
        long[] decode = divided(round.decode, more);
        long[] free = new long[lanes];
        long known = 0; // when it is known where the batch before ended
        for (int i = 0; i < scan.length; i++) {
            int lane = first(free);
            long begin = way == Way.IN_TURN ? Math.max(free[lane], known) : free[lane];
            known = Math.max(begin + scan[i], known + (lanes > 1 ? HANDOVER_NS : 0));
            free[lane] = known + decode[i];
        }
        return last(free);
    }

    private static long shared(long[] parts, int lanes) {
        long[] free = new long[lanes];
        for (long part : parts) {
            free[first(free)] += part;
        }
        return last(free);
    }

    private static long[] even(long whole, int parts) {
        long[] all = new long[parts];
        Arrays.fill(all, whole / parts);
        return all;
    }

    private static long[] divided(long[] parts, int by) {
        long[] all = new long[parts.length * by];
        for (int i = 0; i < all.length; i++) {
            all[i] = parts[i / by] / by;
        }
        return all;
    }

    private static int first(long[] free) {
        int first = 0;
        for (int i = 1; i < free.length; i++) {
            first = free[i] < free[first] ? i : first;
        }
        return first;
    }

    private static long last(long[] free) {
        long last = 0;
        for (long at : free) {
            last = Math.max(last, at);
        }
        return last;
    }
}
