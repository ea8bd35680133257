package io.offhook.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No memory is lost over ten million packets, neither of the heap nor native. Level is what has no slope: the median of the
 * slopes between all pairs of checkpoints after the first third (Theil and Sen), so that one step, of a table that grows to
 * its limit or of the compiler, does not count and a steady leak of a byte for every twenty packets does.
 */
class MemoryTest {
    /** Bytes a packet: half a megabyte over ten million. */
    private static final double LEVEL = 0.05;
    /** Of the whole process: the compiler's work and the C library's are in it. */
    private static final double LEVEL_RESIDENT = 1;

    private static final long PACKETS = 10_000_000;
    private static final long PACKETS_WITH_LEAK = 2_400_000;

    @TempDir
    private Path folder;

    /** A column each: what a checkpoint saw. */
    private record Memory(List<long[]> checkpoints, Map<String, Long> counts) {
        private static final int HEAP = 1;
        private static final int NATIVE = 2;
        private static final int RESIDENT = 3;
        private static final int CLASSES = 4;

        /** Bytes a packet. */
        double slope(int column) {
            List<long[]> rows = checkpoints.subList(checkpoints.size() / 3, checkpoints.size());
            List<Double> slopes = new ArrayList<>();
            for (int i = 0; i < rows.size(); i++) {
                for (int j = i + 1; j < rows.size(); j++) {
                    long[] a = rows.get(i);
                    long[] b = rows.get(j);
                    slopes.add((double) (b[column] - a[column]) / (b[0] - a[0]));
                }
            }
            double[] sorted =
                    slopes.stream().mapToDouble(slope -> slope).sorted().toArray();
            return sorted[sorted.length / 2];
        }

        String table() {
            StringBuilder table = new StringBuilder("packets, heap, native, resident, classes:\n");
            checkpoints.forEach(row -> table.append(Arrays.toString(row)).append('\n'));
            return table.toString();
        }
    }

    private Memory run(long packets, int checkpoints, ManyPackets.Leak leak) throws IOException, InterruptedException {
        Path said = folder.resolve("said");
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms128m",
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:+AlwaysPreTouch",
                "-XX:NativeMemoryTracking=summary",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ManyPackets.class.getName(),
                folder.toString(),
                Long.toString(packets),
                Integer.toString(checkpoints),
                leak.name());
        builder.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        // one arena of the C library, whose free memory then does not depend on which thread took it
        builder.environment().put("MALLOC_ARENA_MAX", "1");
        Process process =
                builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
        boolean isDone = process.waitFor(600, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        assertThat(isDone).as("ended within 10 minutes").isTrue();
        assertThat(process.exitValue()).as(Files.readString(said)).isZero();
        assertThat(said).isEmptyFile();
        return read(Files.readAllLines(folder.resolve("report")));
    }

    private static Memory read(List<String> report) {
        List<long[]> checkpoints = new ArrayList<>();
        Map<String, Long> counts = new LinkedHashMap<>();
        for (String line : report) {
            String[] columns = line.split("\t", -1);
            if (columns[0].equals("checkpoint")) {
                checkpoints.add(Arrays.stream(columns)
                        .skip(1)
                        .mapToLong(Long::parseLong)
                        .toArray());
            } else {
                counts.put(columns[1], Long.valueOf(columns[2]));
            }
        }
        return new Memory(checkpoints, counts);
    }

    @Test
    void staysLevelOverTenMillionPackets() throws Exception {
        Memory memory = run(PACKETS, 25, ManyPackets.Leak.NONE);

        assertThat(memory.checkpoints()).hasSize(25);
        assertThat(memory.slope(Memory.HEAP)).as("heap; %s", memory.table()).isLessThan(LEVEL);
        assertThat(memory.slope(Memory.NATIVE)).as("native; %s", memory.table()).isLessThan(LEVEL);
        assertThat(memory.slope(Memory.RESIDENT))
                .as("resident; %s", memory.table())
                .isLessThan(LEVEL_RESIDENT);
        assertThat(memory.slope(Memory.CLASSES) * PACKETS)
                .as("classes, of which each filter is one; %s", memory.table())
                .isLessThan(5);
        assertThat(memory.checkpoints().getLast()[Memory.HEAP]).isPositive();
        assertThat(memory.checkpoints().getLast()[Memory.NATIVE]).isPositive();
        // what could leak has been there
        assertThat(memory.counts().get("flowPackets")).isEqualTo(PACKETS);
        for (String counter : List.of(
                "flows",
                "flowsIdle",
                "flowsEvicted",
                "fragmentDatagramsCompleted",
                "fragmentDatagramsTimedOut",
                "tcpSegmentsOutOfOrder",
                "tcpGaps",
                "tcpStreamsFinished",
                "tcpStreamsIdle",
                "streamsEnded",
                "matched")) {
            assertThat(memory.counts().get(counter)).as(counter).isGreaterThan(5000);
        }
    }

    /** So that the above can fail. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void findsWhoForgetsToGiveBack(ManyPackets.Leak leak) throws Exception {
        Memory memory = run(PACKETS_WITH_LEAK, 6, leak);

        int column = leak == ManyPackets.Leak.NATIVE ? Memory.NATIVE : Memory.HEAP;
        assertThat(memory.slope(column)).as(memory.table()).isGreaterThan(2 * LEVEL);
    }
}
