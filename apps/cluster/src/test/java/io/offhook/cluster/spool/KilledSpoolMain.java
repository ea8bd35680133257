package io.offhook.cluster.spool;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * Writes into a spool until it is killed. Each line that it prints ends with a dot: what was lost earlier, what it reads of earlier
 * processes, {@code ready}, and then what it appended, and what it is about to acknowledge.
 */
final class KilledSpoolMain {
    static final int PARTITIONS = 3;

    private KilledSpoolMain() {}

    /** @param args folder, limit of the spool, incarnation, seed */
    public static void main(String[] args) throws Exception {
        long incarnation = Long.parseLong(args[2]);
        Random random = new Random(Long.parseLong(args[3]));
        try (Spool spool = Spool.open(new SpoolConfig(Path.of(args[0]), Long.parseLong(args[1]), 16_384))) {
            for (SpoolLoss loss : spool.losses()) {
                System.out.println("lost " + loss.events().partition() + " "
                        + loss.events().incarnation() + " " + loss.events().from() + " "
                        + loss.events().until() + " .");
            }
            List<Spool.Entry> entries = spool.read(1_000_000, Integer.MAX_VALUE);
            entries.forEach(entry -> print("read", entry.event()));
            System.out.println("ready .");
            acknowledge(spool, random, entries);
            long[] sequences = new long[PARTITIONS];
            while (true) {
                int partition = random.nextInt(PARTITIONS);
                sequences[partition]++;
                SpooledEvent event = SpoolTest.event(partition, incarnation, sequences[partition]);
                if (spool.append(event) == SpoolStatus.KEPT) {
                    print("kept", event);
                }
                if (random.nextInt(10) == 0) {
                    acknowledge(spool, random, spool.read(1 + random.nextInt(20), Integer.MAX_VALUE));
                }
            }
        }
    }

    /** Some, not all, so that there are always holes. */
    private static void acknowledge(Spool spool, Random random, List<Spool.Entry> entries) {
        for (Spool.Entry entry : entries) {
            if (random.nextInt(50) != 0) {
                print("arrived", entry.event());
                spool.acknowledge(entry.position());
            }
        }
        if (random.nextInt(10) == 0) {
            spool.rewind();
        }
    }

    private static void print(String what, SpooledEvent event) {
        if (!event.equals(SpoolTest.event(event.partition(), event.incarnation(), event.sequence()))) {
            throw new IllegalStateException("another event: " + event);
        }
        System.out.println(what + " " + event.partition() + " " + event.incarnation() + " " + event.sequence() + " .");
    }
}
