package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code offhook print -i} as a process, on one end of a veth pair, of calls that are sent from the other. */
@EnabledIf(value = "io.offhook.cli.CaptureNetwork#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(180)
class PrintLiveTest {
    private static final String RIGHT = CaptureNetwork.RIGHT;
    private static final Path CALLS = Path.of("../samples/calls.pcap").toAbsolutePath();

    @TempDir
    private Path folder;

    private CaptureNetwork network;

    @BeforeEach
    void makeNetwork() throws Exception {
        network = new CaptureNetwork();
    }

    @AfterEach
    void removeNetwork() throws Exception {
        network.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"table", "json", "csv"})
    void printsAsOfAFile(String format) throws Exception {
        String file = folder.resolve("same.pcapng").toString();
        CaptureNetwork.Running print = network.offhook("print", "-i", RIGHT, "--format", format, "--count", "300")
                .awaitError("Ctrl-C ends it");
        CaptureNetwork.Running capture = network.offhook("capture", "-i", RIGHT, "-w", file, "--count", "300")
                .awaitError("Ctrl-C ends it");
        network.sender(CALLS).send();
        assertThat(capture.code()).as(capture.err()).isZero();
        assertThat(print.code()).as(print.err()).isZero();
        List<String> printed = lines(print.out());
        List<String> ofFile =
                lines(Offhook.run("print", "--format", format, file).out());
        assertThat(printed).hasSizeGreaterThanOrEqualTo(300).hasSameSizeAs(ofFile);
        for (int i = 0; i < printed.size(); i++) {
            assertThat(printed.get(i)).isEqualTo(ofFile.get(i));
        }
        assertThat(print.err()).contains("300 packets printed; dropped by kernel 0, ring 0.");
    }

    /** Without times: each ring stamps packets by itself, unless a socket has asked the kernel to stamp them for all. */
    private static List<String> lines(String text) {
        return text.replaceAll("[0-9]{10}\\.[0-9]{9}|[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}", "TIME")
                .lines()
                .toList();
    }

    @Test
    void printsWhatCameWhileMoreIsAwaited() throws Exception {
        CaptureNetwork.Running print = network.offhook(
                        List.of(), false, "print", "-i", RIGHT, "--filter", "udp port 5060", "--format", "json")
                .awaitError("Ctrl-C ends it");
        network.sender(CALLS).send();
        BufferedReader lines = print.process().inputReader(StandardCharsets.UTF_8);
        assertThat(lines.readLine()).startsWith("{\"frame\":1,").contains("SIP");
        assertThat(print.process().isAlive()).isTrue();
        print.signal("INT");
        String last = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            last = line;
        }
        assertThat(last).startsWith("{").endsWith("}");
        assertThat(print.code()).as(print.err()).isZero();
    }

    @Test
    void endsQuietlyWhenNobodyReads() throws Exception {
        CaptureNetwork.Running print =
                network.offhook(List.of(), false, "print", "-i", RIGHT).awaitError("Ctrl-C ends it");
        print.process().getInputStream().close();
        CaptureNetwork.Sender sender = network.sender(CALLS);
        sender.send();
        assertThat(print.code()).as(print.err()).isZero();
        assertThat(print.err()).doesNotContain("offhook:");
    }

    @Test
    void endsAfterItsTime() throws Exception {
        CaptureNetwork.Running print = network.offhook("print", "-i", RIGHT, "--duration", "0.5");
        assertThat(print.code()).as(print.err()).isZero();
        assertThat(print.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "print | FILE is missing",
                "print -i right x.pcap | x.pcap and -i are both given",
                "print x.pcap --duration 3 | --duration goes with -i NAME only",
                "print -i right --from 200 | which packets a call has is known once it is over",
                "print -i right --count 0 | --count 0 is below 1"
            })
    void saysWhatMakesNoSense(String commandAndMessage) {
        String[] parts = commandAndMessage.split(" \\| ", 2);
        Offhook.Result result = Offhook.run(parts[0].split(" ", -1));
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains(parts[1]);
    }
}
