package io.offhook.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.CaptureNetwork;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.report.text.Decimals;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
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
    private static final Path CALLS = Path.of("../../samples/calls.pcap").toAbsolutePath();

    @TempDir
    private Path folder;

    @AutoClose
    private final CaptureNetwork network = new CaptureNetwork();

    @ParameterizedTest
    @ValueSource(strings = {"table", "json", "csv"})
    void printsTheSameAsFromAFile(String format) throws Exception {
        String file = folder.resolve("same.pcapng").toString();
        CaptureNetwork.Running print = network.offhook("print", "-i", RIGHT, "--format", format, "--count", "300")
                .awaitError("Ctrl-C ends it");
        CaptureNetwork.Running capture = network.offhook("capture", "-i", RIGHT, "-w", file, "--count", "300")
                .awaitError("Ctrl-C ends it");
        network.sender(CALLS).send();
        assertThat(capture.code()).as(capture.err()).isZero();
        assertThat(print.code()).as(print.err()).isZero();
        List<String> printed = new ArrayList<>(lines(print.out()));
        if (format.equals("json")) {
            assertThat(printed.removeLast()).startsWith("{\"capture\":{");
        }
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
    void printsPacketsWithoutWaitingForMore() throws Exception {
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
    void reportsDropsWhenTheyHappenAndAtTheEnd() throws Exception {
        long sent = 4L * lines(Offhook.run("print", CALLS.toString()).out()).size();
        CaptureNetwork.Running print = network.offhook(
                        "print", "-i", RIGHT, "--buffer", "128Ki", "--format", "json", "--utc")
                .awaitError("Ctrl-C ends it");
        CaptureNetwork.Sender sender = network.sender(CALLS);
        for (int round = 0; round < 2; round++) {
            print.signal("STOP"); // as slow as can be
            sender.send();
            sender.send();
            print.signal("CONT");
            print.awaitError(" dropped by kernel 0, ring ");
        }
        print.signal("INT");

        assertThat(print.code()).as(print.err()).isZero();
        List<String> lines = print.out().lines().toList();
        Map<String, Object> capture = Json.asObject(Json.object(lines.getLast()).get("capture"));
        Map<String, Object> counts = Json.objects(capture.get("interfaces")).getFirst();
        long drops = number(counts, "ringDrops");
        assertThat(drops).isPositive();
        assertThat(number(counts, "received")).isEqualTo(sent);
        assertThat(number(capture, "printed")).isEqualTo(lines.size() - 1).isEqualTo(sent - drops);
        assertThat(Json.objects(capture.get("losses")).stream()
                        .mapToLong(loss -> number(loss, "packets"))
                        .sum())
                .isEqualTo(drops);
        assertThat(print.err())
                .contains(Decimals.grouped(sent - drops) + " packets printed; dropped by kernel 0, ring "
                        + Decimals.grouped(drops) + ".");
        List<LocalTime> reported = print.err()
                .lines()
                .filter(line -> line.matches("[0-9:.]{12} dropped by kernel 0, ring [0-9,]+"))
                .map(line -> LocalTime.parse(line.substring(0, 12)))
                .toList();
        assertThat(reported).hasSizeGreaterThanOrEqualTo(2);
        for (int i = 1; i < reported.size(); i++) {
            long apartMs = Math.floorMod(reported.get(i - 1).until(reported.get(i), ChronoUnit.MILLIS), 86_400_000L);
            assertThat(apartMs).isBetween(990L, 60_000L); // at most one a second
        }
    }

    /** A pager, or a disk that is busy: what is printed is more than a pipe holds, and what is sent more than the ring. */
    @Test
    void losesNothingWhileTheReaderIsStalled() throws Exception {
        CaptureNetwork.Running print = network.offhook(List.of(), false, "print", "-i", RIGHT, "--buffer", "4Mi")
                .awaitError("Ctrl-C ends it");
        CaptureNetwork.Sender sender = network.sender(CALLS);
        int rounds = 6;
        for (int round = 0; round < rounds; round++) {
            sender.send();
            Thread.sleep(500); // the ring holds three rounds at once, and the code is cold
        }
        print.signal("INT");
        List<String> lines =
                print.process().inputReader(StandardCharsets.UTF_8).lines().toList();

        assertThat(print.code()).as(print.err()).isZero();
        long sent = rounds
                * (long) lines(Offhook.run("print", CALLS.toString()).out()).size();
        assertThat((long) lines.size()).isEqualTo(sent);
        assertThat(print.err()).contains(Decimals.grouped(sent) + " packets printed; dropped by kernel 0, ring 0.");
    }

    private static long number(Map<String, Object> object, String name) {
        return ((Number) Objects.requireNonNull(object.get(name), name)).longValue();
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

    @ParameterizedTest
    @ValueSource(strings = {"table", "json", "csv"})
    void endsOnceTheDiskIsFull(String format) throws Exception {
        List<String> toFullDisk = List.of("sh", "-c", "exec \"$@\" > /dev/full", "sh");
        CaptureNetwork.Running print = network.offhook(toFullDisk, true, "print", "-i", RIGHT, "--format", format)
                .awaitError("Ctrl-C ends it");
        network.sender(CALLS).send();
        assertThat(print.code()).as(print.err()).isEqualTo(ExitCode.UNWRITABLE);
        assertThat(print.err())
                .endsWith("Ctrl-C ends it.\noffhook: the output cannot be written: No space left on device\n");
    }

    /** The first one ends the capture: what was printed is still to be read. */
    @Test
    void secondSignalDoesNotWaitForTheReader() throws Exception {
        CaptureNetwork.Running print =
                network.offhook(List.of(), false, "print", "-i", RIGHT).awaitError("Ctrl-C ends it");
        network.sender(CALLS).send();
        print.signal("INT").awaitInterrupted();
        assertThat(print.signal("INT").code()).isEqualTo(130);
    }

    @Test
    void endsAfterItsDuration() throws Exception {
        CaptureNetwork.Running print = network.offhook("print", "-i", RIGHT, "--duration", "0.5");
        assertThat(print.code()).as(print.err()).isZero();
        assertThat(print.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "print | FILE is missing",
                "print -i right x.pcap | x.pcap and -i cannot be combined: FILE",
                "print x.pcap --duration 3 | --duration requires -i NAME",
                "print -i right --from 200 | with -i, packets can be selected only by",
                "print -i right --count 0 | --count 0 is less than 1"
            })
    void rejectsInvalidOptions(String commandAndMessage) {
        String[] parts = commandAndMessage.split(" \\| ", 2);
        Offhook.Result result = Offhook.run(parts[0].split(" ", -1));
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains(parts[1]);
    }
}
