package io.offhook.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.peers.JavaProcess;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A writer that is killed by SIGKILL at moments that nobody chose, again and again on the same file. */
@Timeout(300)
class KilledWriterTest {
    private static final int ROUNDS = 4;

    @TempDir
    private Path folder;

    @Test
    void whatWasStoredIsThereOnceAndWhole() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Path file = folder.resolve("calls.duckdb");
        int stored = -1;
        for (int round = 0; round < ROUNDS; round++) {
            // a batch that was not acknowledged may be there all the same: its number is not used again
            stored = killAfter(file, stored + 2, 1 + random.nextInt(20), random.nextInt(30));
            assertThat(stored).as("seed " + seed).isNotNegative();
            check(file, stored, "seed " + seed + ", round " + round);
        }
    }

    /** @return the number of the last batch that is known to be stored */
    private static int killAfter(Path file, int first, int batches, int afterMs) throws Exception {
        Process process = new ProcessBuilder(JavaProcess.command(
                        List.of("-Xmx256m", "--enable-native-access=ALL-UNNAMED"),
                        KilledWriterMain.class,
                        file.toString(),
                        Integer.toString(first)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int last = -1;
        try (BufferedReader lines = process.inputReader()) {
            for (int i = 0; i < batches; i++) {
                last = Integer.parseInt(lines.readLine());
            }
            TimeUnit.MILLISECONDS.sleep(afterMs); // into the middle of a batch
            process.toHandle().destroyForcibly(); // its output can still be read
            process.waitFor();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                last = Integer.parseInt(line);
            }
        }
        return last;
    }

    private static void check(Path file, int stored, String what) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file);
                Statement statement = connection.createStatement()) {
            try (ResultSet result = statement.executeQuery("""
                    SELECT max(split_part(call_id, '/', 2)::INTEGER), count(*), count(DISTINCT call_id),
                      count(DISTINCT split_part(call_id, '/', 2)), (SELECT count(DISTINCT call) FROM streams),
                      count(*) FILTER (streams > 0)
                    FROM calls""")) {
                result.next();
                assertThat(result.getInt(1)).as(what).isGreaterThanOrEqualTo(stored);
                assertThat(result.getInt(3)).as(what).isEqualTo(result.getInt(2));
                assertThat(result.getInt(2)).as(what).isEqualTo(SampleCalls.COUNT * result.getInt(4));
                assertThat(result.getInt(5)).as(what).isEqualTo(result.getInt(6));
            }
        }
    }
}
