package io.offhook.store;

import io.offhook.calls.CallReport;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes to a small disk, which is full for a while, and prints how many calls were given, written, lost and are there, and how
 * many failures there were, once the database itself has all losses.
 */
final class FullDiskMain {
    private static final WriterSettings SMALL = new WriterSettings(1 << 20, 1000);

    private FullDiskMain() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        List<CallReport> calls = SampleCalls.all();
        try (CallStore store = CallStore.open(folder.resolve("calls.duckdb"), StoreSettings.standard())) {
            int given = 0;
            try (CallWriter writer = CallWriter.start(store, SMALL)) {
                given += give(writer, calls, given);
                writer.flush(60_000);
                Path ballast = folder.resolve("ballast");
                fill(ballast);
                while (writer.counts().failedWrites() < 2) {
                    given += give(writer, calls, given);
                    Thread.onSpinWait();
                }
                while (writer.counts().lost().calls() == 0) {
                    given += give(writer, calls, given);
                }
                Files.delete(ballast);
                while (writer.counts().lastFailure() != null) {
                    Thread.onSpinWait();
                }
                given += give(writer, calls, given);
                writer.flush(60_000);
                long lost = writer.counts().lost().calls();
                while (reported(store) != lost) {
                    Thread.onSpinWait();
                }
                WriterCounts counts = writer.counts();
                System.out.println(given + " " + counts.written().calls() + " "
                        + counts.lost().calls() + " "
                        + Rows.of(store, "SELECT count(*) FROM calls").getFirst() + " "
                        + counts.failedWrites());
            }
        }
    }

    private static long reported(CallStore store) throws Exception {
        return Long.parseLong(
                Rows.of(store, "SELECT coalesce(sum(count), 0)::BIGINT FROM drops WHERE cause = 'callsLost'")
                        .getFirst());
    }

    private static int give(CallWriter writer, List<CallReport> calls, int from) {
        List<CallReport> renamed = new ArrayList<>();
        for (CallReport call : calls) {
            renamed.add(SampleCalls.renamed(call, "/" + from));
        }
        writer.calls(renamed, "eth0");
        return calls.size();
    }

    private static void fill(Path ballast) {
        byte[] octets = new byte[64 << 10];
        try (OutputStream out = Files.newOutputStream(ballast)) {
            while (true) {
                out.write(octets);
            }
        } catch (IOException _) {
            // full
        }
    }
}
