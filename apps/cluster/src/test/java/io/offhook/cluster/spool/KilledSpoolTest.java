package io.offhook.cluster.spool;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.peers.JavaProcess;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A writer that is killed by SIGKILL at moments that nobody chose, again and again on the same spool. */
@Timeout(900)
class KilledSpoolTest {
    private static final int ROUNDS = 6;

    @TempDir
    Path folder;

    private record EventNumber(int partition, long incarnation, long sequence) {}

    private record Range(int partition, long incarnation, long from, long until) {
        boolean has(EventNumber number) {
            return number.partition() == partition
                    && number.incarnation() == incarnation
                    && from <= number.sequence()
                    && number.sequence() <= until;
        }
    }

    /** All that was appended, in order, and may still be in the spool. */
    private final Set<EventNumber> kept = new LinkedHashSet<>();

    private final Set<EventNumber> arrived = new HashSet<>();

    /** What a process printed before it was ready. */
    private record Inherited(List<EventNumber> read, List<Range> lost) {}

    @ParameterizedTest
    @ValueSource(longs = {1 << 28, 100_000})
    void whatWasKeptIsReadAgainInOrderUnlessItArrivedOrIsListedAsLost(long limit) throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 1; round <= ROUNDS; round++) {
            String where = "seed " + seed + ", limit " + limit + ", round " + round;
            check(killAfter(limit, round, random), limit, where);
        }
        assertThat(arrived).as("seed " + seed).isNotEmpty();
    }

    private Inherited killAfter(long limit, int incarnation, Random random) throws Exception {
        int lines = 50 + random.nextInt(3000);
        Process process = new ProcessBuilder(JavaProcess.command(
                        List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-ea"),
                        KilledSpoolMain.class,
                        folder.toString(),
                        Long.toString(limit),
                        Integer.toString(incarnation),
                        Long.toString(random.nextLong())))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Inherited inherited = new Inherited(new ArrayList<>(), new ArrayList<>());
        boolean isReady = false;
        try (BufferedReader out = process.inputReader()) {
            int count = 0;
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                String[] words = line.split(" ", -1);
                boolean isWhole = words[words.length - 1].equals(".");
                if (isWhole) {
                    isReady |= words[0].equals("ready");
                    note(words, inherited);
                }
                count += isReady ? 1 : 0;
                if (count == lines) {
                    process.toHandle().destroyForcibly(); // its output can still be read
                }
            }
        }
        assertThat(process.waitFor()).as("killed").isEqualTo(137);
        assertThat(isReady).isTrue();
        return inherited;
    }

    private void note(String[] words, Inherited inherited) {
        switch (words[0]) {
            case "lost" ->
                inherited
                        .lost()
                        .add(new Range(
                                Integer.parseInt(words[1]),
                                Long.parseLong(words[2]),
                                Long.parseLong(words[3]),
                                Long.parseLong(words[4])));
            case "read" -> inherited.read().add(number(words));
            case "kept" -> keptNow.add(number(words));
            case "arrived" -> arrivedNow.add(number(words));
            default -> assertThat(words[0]).isEqualTo("ready");
        }
    }

    /** Of the process that was killed last: what the next one is compared with does not have them. */
    private final List<EventNumber> keptNow = new ArrayList<>();

    private final List<EventNumber> arrivedNow = new ArrayList<>();

    private static EventNumber number(String[] words) {
        return new EventNumber(Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
    }

    private void check(Inherited inherited, long limit, String where) {
        Set<EventNumber> read = new LinkedHashSet<>(inherited.read());
        assertThat(read).as(where + ": each once").hasSameSizeAs(inherited.read());
        for (EventNumber number : kept) {
            boolean isAccountedFor = read.contains(number)
                    || arrived.contains(number)
                    || inherited.lost().stream().anyMatch(range -> range.has(number));
            assertThat(isAccountedFor).as(where + ": " + number).isTrue();
        }
        if (limit > 1 << 20) {
            assertThat(inherited.lost()).as(where).isEmpty();
        }
        // in the order in which they were appended; the last one of a process may not have been printed
        Map<EventNumber, Integer> places = new LinkedHashMap<>();
        kept.forEach(number -> places.put(number, places.size()));
        List<Integer> order = inherited.read().stream()
                .filter(places::containsKey)
                .map(places::get)
                .toList();
        assertThat(order).as(where).isSorted();
        assertThat(read.size() - order.size())
                .as(where + ": appended, and killed before it was printed")
                .isLessThanOrEqualTo(ROUNDS);
        kept.clear();
        kept.addAll(inherited.read());
        kept.addAll(keptNow);
        keptNow.clear();
        arrived.addAll(arrivedNow);
        arrivedNow.clear();
    }
}
