package io.offhook.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.offhook.testkit.peers.Program;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is compared must be the same work. */
class WalkBenchmarkTest {
    private static final Path CAPTURE = Path.of("../../samples/calls.pcap");

    @TempDir
    private Path folder;

    @Test
    void findsTheSameInJavaAndInC() throws Exception {
        assumeFalse(Program.isMissing("cc", "--version"), "no C compiler");
        String walk = folder.resolve("walk").toString();
        Program.run("cc", "-O3", "-o", walk, "src/main/c/walk.c");
        Matcher figures =
                Pattern.compile("(\\d+) packets, sum (\\d+)").matcher(Program.run(walk, CAPTURE.toString(), "1"));
        assertThat(figures.find()).isTrue();
        assertThat(Long.parseLong(figures.group(1))).isEqualTo(4501);
        WalkBenchmark java = new WalkBenchmark();
        java.file = CAPTURE.toString();
        assertThat(java.walk()).isEqualTo(Long.parseLong(figures.group(2)));
        assertThat(java.find()).isEqualTo(Long.parseLong(figures.group(2)));
        assertThat(java.hop()).isEqualTo(4501);
    }
}
