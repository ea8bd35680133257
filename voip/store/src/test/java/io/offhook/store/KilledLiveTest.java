package io.offhook.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.peers.JavaProcess;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A live writer, beside which old days are moved to files, is killed by SIGKILL again and again on the same database. */
@Timeout(300)
class KilledLiveTest {
    private static final int ROUNDS = 3;

    @TempDir
    private Path folder;

    @Test
    void whatWasWrittenIsThereAndNothingIsThereTwice() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Path file = folder.resolve("calls.duckdb");
        int next = 0;
        int moved = 0;
        for (int round = 0; round < ROUNDS || moved == 0; round++) {
            String what = "seed " + seed + ", round " + round;
            int last = killAfter(file, next, 1 + random.nextInt(4), random.nextInt(150));
            assertThat(last).as(what).isNotNegative();
            try (CallStore store = CallStore.open(file, StoreSettings.standard())) {
                assertThat(Rows.of(
                                store,
                                "SELECT count(*) - count(DISTINCT call_id), count(*) % 12, (SELECT count(*) - count(DISTINCT id)"
                                        + " FROM streams), (SELECT count(*) FROM call_documents) - count(*), (SELECT count(*)"
                                        + " FROM streams) - sum(streams) FROM calls"))
                        .as(what)
                        .containsExactly("0|0|0|0|0");
                assertThat(Rows.of(
                                store,
                                "SELECT range FROM range(" + next + ", " + (last + 1) + ") WHERE range NOT IN"
                                        + " (SELECT split_part(call_id, '/', 2)::BIGINT FROM calls)"))
                        .as(what)
                        .isEmpty();
                assertThat(store.missingFiles()).as(what).isZero();
                moved += Rows.of(store, "SELECT 1 FROM archived_files").size();
            }
            next = last + 2; // a batch that was not reported may be there all the same
        }
        assertThat(moved).isPositive();
    }

    /** @return the last batch that was reported as written */
    private static int killAfter(Path file, int first, int batches, int afterMs) throws Exception {
        Process process = new ProcessBuilder(JavaProcess.command(
                        List.of("-Xmx256m", "--enable-native-access=ALL-UNNAMED"),
                        KilledLiveMain.class,
                        file.toString(),
                        Integer.toString(first)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int last = -1;
        try (BufferedReader lines = process.inputReader()) {
            for (int i = 0; i < batches; i++) {
                last = Integer.parseInt(lines.readLine());
            }
            TimeUnit.MILLISECONDS.sleep(afterMs); // into the middle of something
            process.toHandle().destroyForcibly(); // its output can still be read
            process.waitFor();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                last = Integer.parseInt(line);
            }
        }
        return last;
    }
}
