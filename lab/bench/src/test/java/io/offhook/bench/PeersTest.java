package io.offhook.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.offhook.testkit.peers.Program;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison with other libraries: its scripts, and those of its programs that need none of these. */
class PeersTest {
    private static final String SAMPLE = "../../samples/calls.pcap";

    @TempDir
    private Path folder;

    @Test
    void refusesFiguresWhoseCountsAreWrong() throws Exception {
        assumeFalse(isMissing("python3"), "no python3");
        ProcessBuilder tests = new ProcessBuilder("python3", "-m", "unittest", "test_figures");
        tests.directory(new File("peers"));
        tests.environment().putAll(Map.of("PYTHONDONTWRITEBYTECODE", "1"));
        assertThat(run(tests)).endsWith("OK\n");
    }

    @Test
    void countsTheSameInCAndInJava() throws Exception {
        List<String> offhook = offhook();
        List<String> all = offhook("all");
        assertThat(offhook).hasSize(2).containsOnly(offhook.getFirst()).isEqualTo(all);
        assertThat(offhook.getFirst()).startsWith("4501 ");
        assumeFalse(isMissing("cc"), "no C compiler");
        for (String name : new String[] {"mapped", "listed"}) {
            String program = folder.resolve(name).toString();
            run(new ProcessBuilder("cc", "-O3", "-Wall", "-Werror", "-o", program, "peers/c/" + name + ".c"));
            assertThat(counts(new ProcessBuilder(program, SAMPLE, "2", "1000000")))
                    .isEqualTo(offhook);
            assertThat(counts(new ProcessBuilder(program, SAMPLE, "1", "10")).getFirst())
                    .startsWith("10 ");
        }
    }

    @Test
    void readsAsManyPacketsAsItIsTold() throws Exception {
        assertThat(counts(java("10")).getFirst()).startsWith("10 ");
    }

    private static List<String> offhook(String... more) throws Exception {
        return counts(java("1000000", more));
    }

    /** As its source: who changes what it calls is told here. */
    private static ProcessBuilder java(String packets, String... more) {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                "peers/java/OffhookPeer.java",
                SAMPLE,
                "2",
                packets));
        command.addAll(List.of(more));
        return new ProcessBuilder(command);
    }

    private static boolean isMissing(String program) {
        return Program.isMissing(program, "--version");
    }

    /** The lines that a peer printed, without their time. */
    private static List<String> counts(ProcessBuilder program) throws Exception {
        return run(program)
                .lines()
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .toList();
    }

    private static String run(ProcessBuilder program) throws IOException, InterruptedException {
        Process process = program.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
