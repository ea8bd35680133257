package io.offhook.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.library.Checkout;
import io.offhook.testkit.traffic.Scenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What commands write for the samples and for all scenarios of the testkit is what they wrote before. A change that is
 * meant is kept by running this with {@code -Doffhook.golden=keep}; which lines change is then to be seen in the commit.
 */
class GoldenOutputTest {
    private static final Path KEPT = Path.of("src/test/resources/io/offhook/cli/golden.tsv");
    private static final Path OUTPUTS = Path.of("target/golden");

    @Test
    void commandsWriteWhatTheyWroteBefore(@TempDir Path folder) throws IOException {
        List<String> lines = new ArrayList<>();
        Path samples = Checkout.ROOT.resolve("samples");
        GoldenOutputs.lines(samples, GoldenOutputs.files(samples), OUTPUTS.resolve("samples"))
                .forEach(line -> lines.add(line.toString()));
        lines.addAll(scenarios(folder));
        if ("keep".equals(System.getProperty("offhook.golden"))) {
            Files.write(KEPT, lines);
        }
        assertThat(lines)
                .as("%s; the outputs of this build are in %s", KEPT, OUTPUTS.toAbsolutePath())
                .containsExactlyElementsOf(Files.readAllLines(KEPT));
    }

    /** A line a command over all scenarios: a few thousand lines would be read by nobody. */
    private static List<String> scenarios(Path folder) throws IOException {
        List<Path> captures = new ArrayList<>();
        for (String name : Scenarios.all().keySet()) {
            captures.add(Scenarios.traffic(name, 1).capture().writeTo(folder.resolve(name + ".pcap")));
        }
        assertThat(captures).hasSizeGreaterThan(20);
        Map<String, List<GoldenOutputs.Line>> byCommand =
                GoldenOutputs.lines(folder, captures, OUTPUTS.resolve("scenarios")).stream()
                        .sorted(Comparator.comparing(GoldenOutputs.Line::capture))
                        .collect(Collectors.groupingBy(GoldenOutputs.Line::command, TreeMap::new, Collectors.toList()));
        List<String> lines = new ArrayList<>();
        byCommand.forEach((command, of) -> {
            String all = of.stream().map(GoldenOutputs.Line::toString).collect(Collectors.joining("\n"));
            lines.add(command + "\tscenarios\t" + of.size() + "\t" + GoldenOutputs.hash(all.getBytes(UTF_8)));
        });
        return lines;
    }
}
