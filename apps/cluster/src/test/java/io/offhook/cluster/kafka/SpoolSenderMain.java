package io.offhook.cluster.kafka;

import io.offhook.cluster.event.Fault;
import io.offhook.cluster.event.Octets;
import io.offhook.cluster.spool.EventOutbox;
import io.offhook.cluster.spool.Spool;
import io.offhook.cluster.spool.SpoolConfig;
import io.offhook.cluster.spool.SpoolStatus;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;

/**
 * A probe that has nothing to say but faults: prints {@code kept PARTITION SEQUENCE .} for each event, and {@code done} when all have
 * arrived.
 */
final class SpoolSenderMain {
    static final String TOPIC = "offhook.probe.p1";
    static final int PARTITIONS = 4;

    private SpoolSenderMain() {}

    /** @param args folder of the spool, servers, incarnation, events */
    public static void main(String[] args) throws Exception {
        int events = Integer.parseInt(args[3]);
        try (Spool spool = Spool.open(new SpoolConfig(Path.of(args[0]), 1 << 28, 64 << 10));
                SpoolSender sender = new SpoolSender(
                        spool,
                        () -> ProducerSettings.producer(ProducerSettings.of(args[1], new Properties())),
                        TOPIC,
                        PARTITIONS)) {
            EventOutbox outbox = new EventOutbox(spool, "p1", Long.parseLong(args[2]), PARTITIONS);
            long[] sequences = new long[PARTITIONS];
            for (int i = 0; i < events; i++) {
                int partition = i * 7 % 11 % PARTITIONS;
                if (outbox.sendTo(partition, i, new Fault("failedPackets", "x".repeat(i % 300), i, Octets.EMPTY))
                        != SpoolStatus.KEPT) {
                    throw new IllegalStateException("refused");
                }
                sequences[partition]++;
                System.out.println("kept " + partition + " " + sequences[partition] + " .");
                if (i % 10 == 0) {
                    sender.work(System.nanoTime());
                }
                if (i % 100 == 0) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
            while (spool.counts().events() > 0) {
                if (sender.work(System.nanoTime()) == 0) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
            System.out.println("done");
        }
    }
}
