package io.offhook.analysis.kept;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps packets on a small disk, which is full for a while, and prints how many were given, written and lost, how many are
 * read, and the failure while it was full.
 */
final class FullDiskMain {
    private static final int FRAME = 10_000;
    private static final int BALLAST = 16 << 20;

    private FullDiskMain() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        KeepSettings settings = new KeepSettings(folder.resolve("kept"), 1L << 30);
        Path ballast = Files.write(folder.resolve("ballast"), new byte[BALLAST]);
        int given = 0;
        KeptCounts counts;
        String failure = "";
        try (KeptMessages messages = new KeptMessages(settings, FRAME)) {
            do {
                messages.add(50);
                given += 50;
                counts = messages.settled();
                failure = counts.failure() == null ? failure : counts.failure();
            } while (counts.lost() < 200);
            Files.delete(ballast);
            do {
                messages.add(50);
                given += 50;
                counts = messages.settled();
            } while (counts.failure() != null);
            messages.add(50);
            given += 50;
            counts = messages.settled();
        }
        int read = 0;
        try (KeptPackets kept = KeptPackets.open(settings)) {
            for (int number = 1; number <= given; number++) {
                read += KeptMessages.has(kept, number) ? 1 : 0;
            }
        }
        System.out.println(given + " " + counts.packets() + " " + counts.lost() + " " + read + " " + failure);
    }
}
