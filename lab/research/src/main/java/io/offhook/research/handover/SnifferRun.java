package io.offhook.research.handover;

import io.offhook.research.LatencyHistogram;
import io.offhook.research.handover.HandOver.Way;
import java.lang.foreign.Arena;

/**
 * The process in which one design of a sniffer is measured. Prints a line per result, with tabs: {@code throughput
 * PACKETS_PER_S}, {@code loss RATE PERCENT RTP_LOST}, and {@code hold RATE} with median, 99 %, 99.9 % and longest in ns, and
 * how many.
 */
final class SnifferRun {
    private final SnifferTrace trace;
    private final SnifferSlots slots;
    private final HandOver handOver;
    private final LatencyHistogram hold = new LatencyHistogram();
    private long expected;

    /** The designs of a sniffer. */
    enum Design {
        EACH("asked in place, anew for each header"),
        INDEX("asked in place, of the walk's index"),
        ONCE("asked in place, once"),
        SIFTED("asked once, RTP copied to a second thread"),
        ARRAY_QUEUE("all copied, ArrayBlockingQueue"),
        DISRUPTOR("all copied, Disruptor 4"),
        RING("all copied, our ring");

        final String words;

        Design(String words) {
            this.words = words;
        }

        HandOver handOver(Arena arena) {
            return switch (this) {
                case EACH -> HandOver.inPlace(new SnifferLook.Each(), false);
                case INDEX -> HandOver.inPlace(new SnifferLook.Index(), false);
                case ONCE -> HandOver.inPlace(new SnifferLook.Once(), false);
                case SIFTED -> new SiftingHandOver(arena);
                case ARRAY_QUEUE -> HandOver.copying(Way.ARRAY_QUEUE, 1, SnifferLook.Once::new, false, arena);
                case DISRUPTOR -> HandOver.copying(Way.DISRUPTOR, 1, SnifferLook.Once::new, false, arena);
                case RING -> HandOver.copying(Way.RING, 1, SnifferLook.Once::new, false, arena);
            };
        }
    }

    SnifferRun(SnifferTrace trace, HandOver handOver) {
        this.trace = trace;
        this.handOver = handOver;
        slots = new SnifferSlots(trace);
    }

    /** @param args design, how long to warm up in ms, rounds, and the rates in packets/s */
    public static void main(String[] args) {
        Design design = Design.valueOf(args[0]);
        long warmUpMs = Long.parseLong(args[1]);
        int rounds = Integer.parseInt(args[2]);
        try (Arena arena = Arena.ofShared()) {
            SnifferTrace trace = new SnifferTrace(arena);
            try (HandOver handOver = design.handOver(arena)) {
                SnifferRun run = new SnifferRun(trace, handOver);
                run.warmUp(warmUpMs);
                for (int i = 0; i < rounds; i++) {
                    System.out.println("throughput\t" + run.throughput());
                }
                for (int i = 3; i < args.length; i++) {
                    run.paced(rounds, Integer.parseInt(args[i]));
                }
            }
        }
    }

    /** Both kinds of rounds, because they are compiled separately. */
    private void warmUp(long ms) {
        long endNs = System.nanoTime() + ms * 1_000_000;
        do {
            throughput();
            comeBy(5_000_000);
        } while (System.nanoTime() < endNs);
        hold.clear();
    }

    /** Packets per second if one is always waiting, over the whole trace. */
    double throughput() {
        long startNs = System.nanoTime();
        for (int i = 0; i < SnifferTrace.PACKETS; i++) {
            handOver.take(trace.memory(), trace.offset(i), trace.length(i));
        }
        handOver.drain();
        long ns = System.nanoTime() - startNs;
        check(0);
        return SnifferTrace.PACKETS * 1e9 / ns;
    }

    private void paced(int rounds, int rate) {
        hold.clear();
        for (int i = 0; i < rounds; i++) {
            comeBy(rate);
            double percent = 100.0 * slots.lost() / SnifferTrace.PACKETS;
            System.out.println("loss\t" + rate + "\t" + percent + "\t" + SnifferLook.packets(slots.lostSaid()));
        }
        System.out.println("hold\t" + rate + "\t" + hold.quantile(0.5) + "\t" + hold.quantile(0.99) + "\t"
                + hold.quantile(0.999) + "\t" + hold.longest() + "\t" + hold.count());
    }

    /** The whole trace arrives at a given rate; the clock is read once per packet. */
    void comeBy(double rate) {
        long nowNs = System.nanoTime();
        slots.start(nowNs, rate);
        boolean waiting = slots.isWaiting(nowNs);
        while (waiting || !slots.isOver()) {
            if (!waiting) {
                Thread.onSpinWait();
                nowNs = System.nanoTime();
                waiting = slots.isWaiting(nowNs);
                continue;
            }
            int packet = slots.first();
            handOver.take(trace.memory(), trace.offset(packet), trace.length(packet));
            long freeNs = System.nanoTime();
            hold.record(freeNs - nowNs);
            // packets that arrived meanwhile found the slot in use
            slots.isWaiting(freeNs);
            slots.release();
            waiting = slots.isWaiting(freeNs);
            nowNs = freeNs;
        }
        handOver.drain();
        check(slots.lostSaid());
    }

    SnifferSlots slots() {
        return slots;
    }

    /** Checks that a round found all 1,500 packets of RTP, with their numbers, except lost ones. */
    private void check(long lostSaid) {
        long all = trace.said(0, SnifferTrace.PACKETS);
        if (SnifferLook.packets(all) != SnifferTrace.RTP) {
            throw new IllegalStateException("the trace has " + SnifferLook.packets(all) + " packets of RTP");
        }
        long before = expected;
        expected += all - lostSaid;
        if (handOver.sum() != expected) {
            throw new IllegalStateException("of " + SnifferLook.packets(all - lostSaid) + " packets of RTP "
                    + SnifferLook.packets(handOver.sum() - before) + " were found, or not the right ones");
        }
    }
}
