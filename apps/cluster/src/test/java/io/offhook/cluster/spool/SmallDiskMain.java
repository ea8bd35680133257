package io.offhook.cluster.spool;

import io.offhook.cluster.event.Fault;
import io.offhook.cluster.event.Octets;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A probe whose disk becomes full: prints {@code ok} and figures, or what is wrong. */
final class SmallDiskMain {
    private static final int PARTITIONS = 4;
    private static final int REFUSALS = 100;

    private SmallDiskMain() {}

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException(what);
        }
    }

    /** @param args the folder */
    public static void main(String[] args) {
        try {
            System.out.println(run(Path.of(args[0])));
        } catch (IOException | RuntimeException e) {
            System.out.println(e + " at " + e.getStackTrace()[0]);
        }
    }

    private static Fault fault(int number) {
        return new Fault("failedPackets", "x".repeat(1000), number, Octets.EMPTY);
    }

    private static String run(Path folder) throws IOException {
        SpoolConfig config = new SpoolConfig(folder.resolve("spool"), 1 << 30, 1 << 20);
        int sent = 0;
        int kept = 0;
        int announced;
        List<SpoolLoss> losses;
        try (Spool spool = Spool.open(config)) {
            EventOutbox outbox = new EventOutbox(spool, "probe", 77, PARTITIONS);
            while (spool.counts().refused() < REFUSALS) {
                kept += outbox.sendTo(sent % PARTITIONS, 1000 + sent, fault(sent)) == SpoolStatus.KEPT ? 1 : 0;
                sent++;
            }
            // what is shorter than the events may fit behind the last one
            announced = outbox.announce(5000);
            losses = spool.losses();
            require(kept + REFUSALS == sent, kept + " kept of " + sent);
            require(losses.stream().mapToLong(SpoolLoss::count).sum() == REFUSALS, "not all are listed: " + losses);
            require(losses.size() == PARTITIONS, "ranges: " + losses);
            require(spool.counts().unwritten() == 0, "the state could not be written");
        }
        // nothing has been freed: what the next process finds is the same
        try (Spool spool = Spool.open(config)) {
            require(Set.copyOf(spool.losses()).equals(Set.copyOf(losses)), "other losses: " + spool.losses());
            EventOutbox outbox = new EventOutbox(spool, "probe", 78, PARTITIONS);
            require(outbox.sendTo(0, 9, fault(0)) == SpoolStatus.REFUSED, "there was room for a segment");
            List<Spool.Entry> entries = spool.read(sent, Integer.MAX_VALUE);
            require(entries.size() == kept + announced, entries.size() + " of " + kept + " are there");
            for (int i = 0; i < kept; i++) {
                require(entries.get(i).event().atNs() == 1000 + i, "in another order");
            }
            entries.subList(0, kept / 2).forEach(entry -> spool.acknowledge(entry.position()));
            // with the one that was refused above
            require(outbox.announce(5000) == PARTITIONS + 1, "not all were announced");
            require(outbox.sendTo(1, 10, fault(1)) == SpoolStatus.KEPT, "no room where there is some");
            List<Spool.Entry> rest = new ArrayList<>(spool.read(sent, Integer.MAX_VALUE));
            require(rest.size() == PARTITIONS + 2, "announcements: " + rest);
            entries.subList(kept / 2, entries.size()).forEach(entry -> spool.acknowledge(entry.position()));
            rest.forEach(entry -> spool.acknowledge(entry.position()));
            require(spool.losses().isEmpty(), "announced, and still listed");
        }
        // filled to the last octet by somebody else
        try (RandomAccessFile filler =
                new RandomAccessFile(folder.resolve("filler").toFile(), "rw")) {
            byte[] zeros = new byte[4096];
            while (true) {
                filler.write(zeros);
            }
        } catch (IOException full) {
            try (Spool spool = Spool.open(config)) {
                for (int i = 0; i < REFUSALS; i++) {
                    spool.append(SpoolTest.event(0, 79, i + 1));
                }
                require(spool.counts().refused() > 0, "there is room");
                return "ok " + kept + " kept";
            }
        }
    }
}
