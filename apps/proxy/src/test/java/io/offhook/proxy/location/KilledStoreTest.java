package io.offhook.proxy.location;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Binding;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A registrar that is killed by SIGKILL at moments that nobody chose, again and again on the same files. */
class KilledStoreTest {
    private static final int ROUNDS = 4;

    @TempDir
    Path directory;

    @Test
    void nothingThatWasAcknowledgedIsLostAtSigkill() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Map<String, Long> acknowledged = new HashMap<>();
        long last = 0;
        for (int round = 0; round < ROUNDS; round++) {
            last = killAfter(500 + random.nextInt(2500), last, acknowledged);
            check(acknowledged, "seed " + seed + ", round " + round);
        }
        assertThat(acknowledged).hasSize(KilledStoreMain.USERS);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .as("snapshots were written meanwhile")
                    .anyMatch(name -> name.endsWith(".snapshot"));
        }
    }

    /** @return the highest number that may have been used */
    private long killAfter(int lines, long last, Map<String, Long> acknowledged)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledStoreMain.class.getName(),
                        directory.toString(),
                        String.valueOf(last))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long highest = last;
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            int count = 0;
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                String[] words = line.split(" ", -1);
                if (words.length == 2 && words[0].startsWith("user-")) {
                    // the last line may be cut, and then says a smaller number
                    highest = Math.max(highest, Long.parseLong(words[1]));
                    acknowledged.merge(words[0], Long.parseLong(words[1]), Math::max);
                } else {
                    assertThat(line).startsWith("user-");
                }
                if (++count == lines) {
                    process.toHandle().destroyForcibly(); // the process itself would close the pipe too
                }
            }
        }
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("killed").isEqualTo(137);
        return highest + 10_000;
    }

    private void check(Map<String, Long> acknowledged, String where) throws Exception {
        LocationConfig config = new LocationConfig(directory, SyncMode.NEVER, 1 << 16, 1000, 1000, null);
        try (MemoryLocationStore store = MemoryLocationStore.open(config, InstantSource.system())) {
            for (Map.Entry<String, Long> each : acknowledged.entrySet()) {
                List<Binding> bindings = Registrations.find(
                        store, new AddressOfRecord(each.getKey(), "example.com"), System.currentTimeMillis());
                assertThat(bindings).as(where + ", " + each).hasSize(1);
                assertThat(bindings.getFirst().cseq()).as(where).isGreaterThanOrEqualTo(each.getValue());
            }
        }
    }
}
