package io.offhook.research.threads;

import io.offhook.research.LatencyHistogram;

/**
 * The process in which one channel is measured. Prints two lines per placement, with tabs: {@code hop PLACEMENT} with
 * median, 99 %, 99.9 % and longest hop in ns and the number of round trips, and {@code throughput PLACEMENT} with
 * messages/s of each round.
 */
final class HopRun {
    private static final int LAST = 127;
    private static final int VALUES = 126;
    private static final int BETWEEN_CLOCKS = 16;
    private static final long SLOW_NS = 10_000;

    private final Hop.Way way;
    private final Placement placement;
    private int wrong;

    HopRun(Hop.Way way, Placement placement) {
        this.way = way;
        this.placement = placement;
    }

    /** @param args channel, time to warm up in ms, time to measure in ms, number of rounds, placements */
    public static void main(String[] args) throws InterruptedException {
        Hop.Way way = Hop.Way.valueOf(args[0]);
        long warmUpMs = Long.parseLong(args[1]);
        long ms = Long.parseLong(args[2]);
        int rounds = Integer.parseInt(args[3]);
        for (int i = 4; i < args.length; i++) {
            Placement placement = Placement.of(args[i]);
            HopRun run = new HopRun(way, placement);
            // a new thread for each, so that nothing stays pinned
            run.roundTrips(warmUpMs);
            LatencyHistogram hops = run.roundTrips(ms);
            long[] figures = {
                hops.quantile(0.5), hops.quantile(0.99), hops.quantile(0.999), hops.longest(), hops.count()
            };
            StringBuilder line = new StringBuilder("hop\t").append(placement.words());
            for (long figure : figures) {
                line.append('\t').append(figure);
            }
            System.out.println(line);
            run.throughput(warmUpMs);
            line = new StringBuilder("throughput\t").append(placement.words());
            for (int round = 0; round < rounds; round++) {
                line.append('\t').append(run.throughput(ms / rounds));
            }
            System.out.println(line);
        }
    }

    /** The work of the two threads. */
    private interface Role {
        void run() throws InterruptedException;
    }

    private void both(Role first, Role second) throws InterruptedException {
        Thread one = Thread.ofPlatform().daemon().start(() -> pinned(0, first));
        Thread other = Thread.ofPlatform().daemon().start(() -> pinned(1, second));
        one.join();
        other.join();
        if (wrong != 0) {
            throw new IllegalStateException(wrong + " messages came wrongly");
        }
    }

    private void pinned(int thread, Role role) {
        try {
            placement.pin(thread);
            role.run();
        } catch (InterruptedException | RuntimeException e) {
            // the other thread would wait for ever
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    /** Round trips, one after the other: a hop is half of one. */
    LatencyHistogram roundTrips(long ms) throws InterruptedException {
        Hop there = way.make();
        Hop back = way.make();
        LatencyHistogram hops = new LatencyHistogram();
        both(
                () -> {
                    long nowNs = System.nanoTime();
                    long endNs = nowNs + ms * 1_000_000;
                    for (int value = 1; nowNs < endNs; value = value % VALUES + 1) {
                        there.send(value);
                        wrong += back.receive() == value ? 0 : 1;
                        long thenNs = nowNs;
                        nowNs = System.nanoTime();
                        hops.record((nowNs - thenNs) / 2);
                    }
                    there.send(LAST);
                },
                () -> {
                    for (int value = there.receive(); value != LAST; value = there.receive()) {
                        back.send(value);
                    }
                });
        return hops;
    }

    /** One direction, as many messages as possible. */
    double throughput(long ms) throws InterruptedException {
        Hop hop = way.make();
        long[] result = new long[2];
        both(
                () -> {
                    long startNs = System.nanoTime();
                    long endNs = startNs + ms * 1_000_000;
                    int value = 1;
                    int batch = 1;
                    for (long nowNs = startNs; nowNs < endNs; ) {
                        for (int i = 0; i < batch; i++, value = value % VALUES + 1) {
                            hop.send(value);
                        }
                        // if a message takes a time slice or more, the clock is read more often
                        long thenNs = nowNs;
                        nowNs = System.nanoTime();
                        batch = nowNs - thenNs > SLOW_NS ? 1 : Math.min(2 * batch, BETWEEN_CLOCKS);
                    }
                    hop.send(LAST);
                    result[0] = startNs;
                },
                () -> {
                    long count = 0;
                    int expected = 1;
                    for (int value = hop.receive(); value != LAST; value = hop.receive()) {
                        wrong += value == expected ? 0 : 1;
                        expected = expected % VALUES + 1;
                        count++;
                    }
                    result[1] = count;
                });
        return result[1] * 1e9 / (System.nanoTime() - result[0]);
    }
}
