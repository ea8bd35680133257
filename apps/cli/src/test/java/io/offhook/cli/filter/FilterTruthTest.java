package io.offhook.cli.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.cli.Offhook;
import io.offhook.filter.BpfInterpreter;
import io.offhook.filter.BpfProgram;
import io.offhook.filter.FilterCompiler;
import io.offhook.filter.FilterException;
import io.offhook.filter.PacketFilter;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Filters over the captures beside the project, held against what libpcap says of them. Skipped where they are not. */
class FilterTruthTest {
    private static final Path SHARED =
            Path.of("../../../shared").toAbsolutePath().normalize();
    private static final Path EXPRESSIONS = SHARED.resolve("filters/expressions.txt");

    /** libpcap's rows, by capture and expression. */
    private static final Map<String, Map<String, String[]>> truth = new TreeMap<>();

    /** Both ways to run an expression for a link type. */
    private record Ways(PacketFilter compiled, PacketFilter interpreted) {}

    @BeforeAll
    static void readTruth() throws IOException {
        Path file = SHARED.resolve("filters/truth.tsv");
        assumeTrue(Files.exists(file), "no filters at " + file);
        List<String> lines = Files.readAllLines(file);
        for (String line : lines.subList(1, lines.size())) {
            String[] row = line.split("\t", -1);
            truth.computeIfAbsent(row[0], _ -> new HashMap<>()).put(row[2], row);
        }
    }

    private static String path(String capture) {
        return SHARED.resolve("captures").resolve(capture).toString();
    }

    @Test
    void agreesWithLibpcap() {
        List<String> args = new ArrayList<>(List.of("match", EXPRESSIONS.toString()));
        truth.keySet().forEach(capture -> args.add(path(capture)));
        List<String> differences = new ArrayList<>();
        int rows = 0;
        String captures = path("") + "/";
        for (String line :
                Offhook.run(args.toArray(String[]::new)).out().lines().skip(1).toList()) {
            String[] ours = line.split("\t", -1);
            String[] theirs =
                    truth.getOrDefault(ours[0].replace(captures, ""), Map.of()).get(ours[2]);
            if (theirs == null) {
                throw new AssertionError("libpcap was not asked: " + line);
            }
            rows++;
            boolean isAlike = theirs[4].equals("error")
                    ? ours[4].equals("error") || theirs[5].contains("rejects all") && ours[4].equals("0")
                    : List.of(ours).subList(3, 6).equals(List.of(theirs).subList(3, 6));
            if (!isAlike) {
                differences.add(line + " where libpcap has " + String.join(" ", theirs));
            }
        }
        assertThat(differences).isEmpty();
        assertThat(rows).isEqualTo(truth.values().stream().mapToInt(Map::size).sum());
    }

    /** On each frame, whatever it holds, bytecode says what the interpreter says. */
    @Test
    void compiledFiltersAgreeWithTheInterpreter() throws IOException {
        Map<Integer, List<Ways>> ways = new HashMap<>();
        FrameBatch batch = new FrameBatch(256);
        List<String> differences = new ArrayList<>();
        long wanted = 0;
        for (String capture : truth.keySet()) {
            try (PacketSource source = CaptureFiles.open(path(capture))) {
                while (source.next(batch)) {
                    for (int i = 0; i < batch.count(); i++) {
                        for (Ways way : ways.computeIfAbsent(batch.linkType(i), FilterTruthTest::waysFor)) {
                            int interpreted = match(way.interpreted(), batch, i);
                            if (match(way.compiled(), batch, i) != interpreted) {
                                differences.add(capture + " frame " + batch.number(i));
                            }
                            wanted += interpreted == 0 ? 0 : 1;
                        }
                    }
                }
            }
        }
        assertThat(differences).isEmpty();
        assertThat(wanted).isGreaterThan(100_000);
    }

    private static int match(PacketFilter filter, FrameBatch batch, int i) {
        return filter.match(batch.segmentOf(i), batch.offset(i), batch.capturedLength(i), batch.wireLength(i));
    }

    private static List<Ways> waysFor(int linkType) {
        List<Ways> ways = new ArrayList<>();
        for (String expression : truth.values().iterator().next().keySet()) {
            try {
                BpfProgram program = FilterCompiler.compile(expression, linkType, FilterCompiler.DEFAULT_SNAP_LENGTH);
                ways.add(new Ways(PacketFilter.of(program), new BpfInterpreter(program)));
            } catch (FilterException e) {
                // this link type cannot answer it, as the other test holds against libpcap
            }
        }
        return ways;
    }
}
