package io.offhook.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code offhook probe} and {@code offhook cluster}, as they are typed. */
class MainTest {
    private static final String SAMPLE = "../../samples/lossy.pcap";

    @TempDir
    Path folder;

    private String events = "";
    private String out = "";
    private String err = "";

    @BeforeEach
    void name() {
        events = folder.resolve("sample.events").toString();
    }

    private int run(boolean isOfCluster, String... args) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream reported = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                printed, reported, new ByteArrayInputStream(new byte[0]), Map.of(), StandardCharsets.UTF_8, "");
        int code = isOfCluster ? Main.run(args, terminal) : io.offhook.cli.Main.run(args, terminal);
        out = printed.toString(StandardCharsets.UTF_8);
        err = reported.toString(StandardCharsets.UTF_8);
        return code;
    }

    private void probe() {
        assertThat(run(true, "probe", SAMPLE, "--to", events, "--name", "p-1", "--site", "Graz"))
                .as(err)
                .isZero();
    }

    private static String calls(String json) {
        return json.substring(json.indexOf("\n,\"calls\""));
    }

    @Test
    void callsOfEventsArePrintedAsThoseOfPackets() {
        probe();
        assertThat(err).matches("offhook: [0-9,]+ events, .* to " + events.replace("\\", "\\\\") + "\n");
        for (String option : new String[] {"--rtp-heuristic", "--no-join"}) {
            assertThat(run(false, "calls", "--format", "json", option, SAMPLE)).isZero();
            String expected = calls(out);
            assertThat(run(true, "cluster", "calls", "--format", "json", option, events))
                    .isZero();
            assertThat(calls(out)).isEqualTo(expected);
            assertThat(out).contains("\"missing\":0,\"skipped\":0");
        }
        assertThat(run(false, "calls", "--utc", SAMPLE)).isZero();
        String table = out.substring(0, out.indexOf("\n\n"));
        assertThat(run(true, "cluster", "calls", "--utc", events)).isZero();
        assertThat(out).startsWith(table);
    }

    @Test
    void eventsArePrintedAsOneObjectALine() {
        probe();
        assertThat(run(true, "cluster", "events", events)).isZero();
        assertThat(out.lines())
                .allMatch(line -> line.startsWith("{\"schema\":1,\"probe\":\"p-1\",") && line.endsWith("}"));
        assertThat(out).contains("\"sip\":{\"message\":\"INVITE sip:", "\"streamInterval\":{", "\"site\":\"Graz\"");
    }

    @Test
    void damagedFilesAreReportedAndUsedUpToTheDamage() throws IOException {
        probe();
        byte[] whole = Files.readAllBytes(Path.of(events));
        Path cut = Files.write(folder.resolve("cut.events"), Arrays.copyOf(whole, whole.length - 1));
        assertThat(run(true, "cluster", "calls", cut.toString())).isEqualTo(3);
        assertThat(err).contains("it ends within the event at octet");
        assertThat(out).contains("answered");
        assertThat(run(true, "cluster", "events", SAMPLE, "nowhere.events")).isEqualTo(3);
        assertThat(err).contains("there is no length of an event", "nowhere.events: there is no such file");
    }

    @Test
    void misuseIsExplained() throws IOException {
        assertThat(run(true, "probe", SAMPLE)).isEqualTo(2);
        assertThat(err).contains("--to FILE.events is missing");
        Path copy = Files.copy(Path.of(SAMPLE), folder.resolve("copy.pcap"));
        assertThat(run(true, "probe", copy.toString(), "--to", copy.toString())).isEqualTo(2);
        assertThat(err).contains("is one of the captures");
        assertThat(copy).hasSameBinaryContentAs(Path.of(SAMPLE));
        assertThat(run(true, "probe", SAMPLE, "--to", events, "--name", "a b")).isEqualTo(2);
        assertThat(err).contains("--name: probe \"a b\" is not 1 to 235 characters");
        assertThat(run(true, "cluster")).isEqualTo(2);
        assertThat(err).contains("offhook cluster calls or offhook cluster events");
        assertThat(run(true)).isEqualTo(2);
    }
}
