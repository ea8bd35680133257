package io.offhook.research.handover;

import io.offhook.research.LatencyHistogram;
import io.offhook.research.handover.HandOver.Way;
import io.offhook.research.handover.PacketLook.Views;
import java.lang.foreign.Arena;

/**
 * The process in which one way of handing over is measured, so that its code is compiled for nothing else. Prints a line
 * per result, with tabs: {@code throughput LOOK PACKETS_PER_S}, {@code loss LOOK RATE PERCENT}, and {@code hold LOOK RATE}
 * with median, 99 %, 99.9 % and longest in ns, and the number of samples.
 */
final class HandoverRun {
    static final String HEADER = "header";
    static final String PAYLOAD = "payload";

    private static final int BATCH = 1024;

    private final CaptureSlots slots;
    private final HandOver handOver;
    private final String look;
    private final long[] sumBefore = new long[CaptureSlots.COUNT + 1];
    private final LatencyHistogram hold = new LatencyHistogram();
    private long expected;

    private HandoverRun(CaptureSlots slots, HandOver handOver, String look) {
        this.slots = slots;
        this.handOver = handOver;
        this.look = look;
        PacketLook views = new Views();
        for (int i = 0; i < CaptureSlots.COUNT; i++) {
            long value = views.look(slots.memory(), slots.offset(i), slots.length(i), look.equals(PAYLOAD));
            if (value == 0) {
                throw new IllegalStateException("packet " + i + " says nothing");
            }
            sumBefore[i + 1] = sumBefore[i] + value;
        }
    }

    /**
     * @param args way, consumers, how long to warm up in ms, rounds, how long a round takes in ms, and the rates in
     *     packets/s
     */
    public static void main(String[] args) {
        Way way = Way.valueOf(args[0]);
        int consumers = Integer.parseInt(args[1]);
        long warmUpMs = Long.parseLong(args[2]);
        int rounds = Integer.parseInt(args[3]);
        long roundMs = Long.parseLong(args[4]);
        try (Arena arena = Arena.ofShared()) {
            CaptureSlots slots = new CaptureSlots(arena);
            for (String look : new String[] {HEADER, PAYLOAD}) {
                try (HandOver handOver = HandOver.of(way, consumers, look.equals(PAYLOAD), arena)) {
                    HandoverRun run = new HandoverRun(slots, handOver, look);
                    run.warmUp(warmUpMs);
                    for (int i = 0; i < rounds; i++) {
                        System.out.println("throughput\t" + look + "\t" + run.throughput(roundMs));
                    }
                    for (int i = 5; i < args.length; i++) {
                        run.paced(rounds, roundMs, Integer.parseInt(args[i]));
                    }
                }
            }
        }
    }

    /** Both kinds of rounds, because they are compiled separately. */
    private void warmUp(long ms) {
        long endNs = System.nanoTime() + ms * 1_000_000;
        do {
            throughput(20);
            lossPercent(20, 1_000_000);
        } while (System.nanoTime() < endNs);
        hold.clear();
    }

    /** Packets per second if one is always waiting. */
    private double throughput(long ms) {
        long startNs = System.nanoTime();
        long endNs = startNs + ms * 1_000_000;
        long packet = 0;
        while (System.nanoTime() < endNs) {
            for (int i = 0; i < BATCH; i++, packet++) {
                handOver.take(slots.memory(), slots.offset(packet), slots.length(packet));
            }
        }
        handOver.drain();
        long ns = System.nanoTime() - startNs;
        check(packet);
        return packet * 1e9 / ns;
    }

    private void paced(int rounds, long ms, int rate) {
        hold.clear();
        for (int i = 0; i < rounds; i++) {
            System.out.println("loss\t" + look + "\t" + rate + "\t" + lossPercent(ms, rate));
        }
        long[] figures = {hold.quantile(0.5), hold.quantile(0.99), hold.quantile(0.999), hold.longest(), hold.count()};
        StringBuilder line =
                new StringBuilder("hold\t").append(look).append('\t').append(rate);
        for (long figure : figures) {
            line.append('\t').append(figure);
        }
        System.out.println(line);
    }

    /** Processes packets as they arrive for a while; the clock is read once per packet. */
    private double lossPercent(long ms, int rate) {
        long nowNs = System.nanoTime();
        long endNs = nowNs + ms * 1_000_000;
        slots.start(nowNs, rate);
        boolean waiting = slots.isWaiting(nowNs);
        while (nowNs < endNs) {
            if (!waiting) {
                Thread.onSpinWait();
                nowNs = System.nanoTime();
                waiting = slots.isWaiting(nowNs);
                continue;
            }
            long packet = slots.first();
            handOver.take(slots.memory(), slots.offset(packet), slots.length(packet));
            long freeNs = System.nanoTime();
            hold.record(freeNs - nowNs);
            // packets that arrived meanwhile found the slot in use
            slots.isWaiting(freeNs);
            slots.release();
            waiting = slots.isWaiting(freeNs);
            nowNs = freeNs;
        }
        handOver.drain();
        check(slots.first());
        return 100.0 * slots.lost() / Math.max(slots.lost() + slots.arrived(), 1);
    }

    /** Checks that the sum over the packets of a round, from the first slot on, is right. */
    private void check(long packets) {
        expected += packets / CaptureSlots.COUNT * sumBefore[CaptureSlots.COUNT]
                + sumBefore[(int) (packets % CaptureSlots.COUNT)];
        if (handOver.sum() != expected) {
            throw new IllegalStateException("the packets said " + expected + ", not " + handOver.sum());
        }
    }
}
