package io.offhook.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.offhook.testkit.peers.Program;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The load measurements of SIP proxies: what they compute, and a short run of them. */
class SipLoadTest {
    @TempDir
    private Path folder;

    @Test
    void computesFiguresFromCountsAndPackets() throws Exception {
        assumeFalse(Program.isMissing("python3", "--version"), "no python3");
        assertThat(run(new File("sip"), "python3", "-m", "unittest", "test_load"))
                .endsWith("OK\n");
    }

    /** The direct check, and calls through a real proxy that follow its recorded route. */
    @Test
    void measuresKamailio() throws Exception {
        assumeFalse(Program.isMissing("python3", "--version"), "no python3");
        assumeFalse(Program.isMissing("sipp", "-v"), "no sipp (Debian: sip-tester)");
        assumeFalse(Program.isMissing("kamailio", "-v"), "no kamailio");
        Path lines = folder.resolve("runs.jsonl");
        String table = run(
                new File("."),
                "./sip-load.sh",
                "--peers=kamailio",
                "--rates=20",
                "--seconds=2",
                "--ring=20",
                "--talk=20",
                "--delay-rate=0",
                "--json=" + lines);
        assertThat(table).contains("| Kamailio, 2 children (");
        List<String> runs = Files.readAllLines(lines);
        assertThat(runs).hasSize(2);
        assertThat(runs.getFirst()).startsWith("{\"kind\": \"direct\"").contains("\"callsGood\": 40,");
        assertThat(runs.getLast())
                .startsWith("{\"kind\": \"calls\", \"peer\": \"kamailio\"")
                .contains("\"callsGood\": 40,")
                .contains("\"retransmitted\": 0,")
                .contains("\"cpuUs\": ");
    }

    private static String run(File folder, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder).redirectErrorStream(true);
        builder.environment().putAll(Map.of("PYTHONDONTWRITEBYTECODE", "1"));
        Process process = builder.start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            return said;
        } finally {
            process.destroy();
        }
    }
}
