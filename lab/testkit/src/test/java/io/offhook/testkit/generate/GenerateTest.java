package io.offhook.testkit.generate;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.traffic.Capture;
import io.offhook.testkit.truth.CallTruth;
import io.offhook.testkit.truth.PlannedOutcome;
import io.offhook.testkit.truth.StreamTruth;
import io.offhook.testkit.truth.Truth;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GenerateTest {
    @TempDir
    Path folder;

    private record Result(int code, String out, String err) {}

    private static Result run(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                List.of(words),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private Path generate(String name, String... options) {
        Path file = folder.resolve(name);
        String[] words = new String[options.length + 2];
        words[0] = file.toString();
        words[1] = file + ".json";
        System.arraycopy(options, 0, words, 2, options.length);
        assertThat(run(words)).extracting(Result::code, Result::err).containsExactly(0, "");
        return file;
    }

    private static Truth truth(Map<String, String> options) throws MisuseException {
        Capture capture = GeneratedTraffic.of(GenerateOptions.of(options)).capture();
        return capture.truth();
    }

    @Test
    void theSameSeedGivesTheSameBytesAndAnotherOthers() throws Exception {
        String[] options = {"--calls", "20", "--seconds", "1", "--background", "200", "--tcp", "0.5", "--dup", "0.1"};
        byte[] first = Files.readAllBytes(generate("first.pcap", options));
        Path second = generate("second.pcap", options);
        assertThat(Files.readAllBytes(second)).isEqualTo(first);
        assertThat(folder.resolve("second.pcap.json")).hasSameTextualContentAs(folder.resolve("first.pcap.json"));
        Path other = generate("other.pcap", "--calls", "20", "--seconds", "1", "--background", "200", "--seed", "2");
        assertThat(Files.readAllBytes(other)).isNotEqualTo(first);
    }

    @Test
    void theNameSaysInWhichFormTheFileIs() throws Exception {
        String[] options = {"--calls", "2", "--seconds", "1"};
        assertThat(Files.readAllBytes(generate("a.pcap", options))).startsWith(0xd4, 0xc3, 0xb2, 0xa1);
        assertThat(Files.readAllBytes(generate("a.pcapng", options))).startsWith(0x0a, 0x0d, 0x0d, 0x0a);
        assertThat(Files.readAllBytes(generate("a.pcap.gz", options))).startsWith(0x1f, 0x8b);
        assertThat(run("--help")).extracting(Result::code, Result::err).containsExactly(0, "");
    }

    @Test
    void itSaysWhatItMade() {
        String file = folder.resolve("b.pcap").toString();
        Result result = run(file, file + ".json", "--calls=3", "--seconds=1", "--outcomes=answered:1");
        assertThat(result.out()).matches("\\d+ packets, 3 calls, 6 streams\n");
    }

    @Test
    void outcomesComeAsOftenAsTheyWeigh() throws Exception {
        Truth truth = truth(Map.of("--calls", "400", "--seconds", "1", "--outcomes", "busy:1,cancelled:3,noanswer:0"));
        assertThat(truth.calls())
                .extracting(CallTruth::outcome)
                .containsOnly(PlannedOutcome.BUSY, PlannedOutcome.CANCELLED);
        assertThat(truth.calls().stream().filter(call -> call.outcome() == PlannedOutcome.BUSY))
                .hasSizeBetween(60, 140);
        assertThat(truth.streams()).isEmpty();
    }

    @Test
    void everyOutcomeEndsAsItsNameSays() throws Exception {
        Map<String, List<Integer>> statuses = Map.of(
                "answered", List.of(200),
                "auth", List.of(200),
                "busy", List.of(486),
                "declined", List.of(603),
                "cancelled", List.of(487),
                "noanswer", List.of(480));
        for (Map.Entry<String, List<Integer>> outcome : statuses.entrySet()) {
            Truth truth = truth(Map.of("--calls", "3", "--seconds", "1", "--outcomes", outcome.getKey() + ":1"));
            assertThat(truth.calls())
                    .as(outcome.getKey())
                    .hasSize(3)
                    .allSatisfy(call -> assertThat(outcome.getValue()).contains(call.finalStatus()));
        }
    }

    @Test
    void sharesAreThoseAskedFor() throws Exception {
        Truth truth = truth(Map.of(
                "--calls",
                "300",
                "--seconds",
                "1",
                "--ipv6",
                "0.5",
                "--tcp",
                "1",
                "--loss",
                "0.05",
                "--dup",
                "0.1",
                "--reorder",
                "0.1",
                "--cps",
                "100",
                "--outcomes",
                "answered:1"));
        assertThat(truth.calls()).extracting(CallTruth::transport).containsOnly("TCP");
        assertThat(truth.calls().stream().filter(CallTruth::ipv6)).hasSizeBetween(110, 190);
        assertThat(truth.calls()).extracting(CallTruth::callId).doesNotHaveDuplicates();
        List<StreamTruth> streams = truth.streams();
        assertThat(streams).hasSize(600);
        assertThat(share(streams.stream().mapToLong(StreamTruth::lost).sum(), streams))
                .isBetween(0.03, 0.07);
        assertThat(share(streams.stream().mapToLong(StreamTruth::duplicates).sum(), streams))
                .isBetween(0.07, 0.13);
        assertThat(share(streams.stream().mapToLong(StreamTruth::reordered).sum(), streams))
                .isBetween(0.05, 0.13);
        assertThat(streams.stream().filter(stream -> stream.lost() == 0).count())
                .isBetween(240L, 400L);
    }

    private static double share(long count, List<StreamTruth> streams) {
        return (double) count
                / streams.stream().mapToLong(StreamTruth::expected).sum();
    }

    @Test
    void callsBeginAtTheRateAskedFor() throws Exception {
        Truth truth = truth(Map.of("--calls", "101", "--seconds", "1", "--cps", "10"));
        long first = requireNonNull(truth.calls().getFirst().invitedAtNs());
        long last = requireNonNull(truth.calls().getLast().invitedAtNs());
        assertThat((last - first) / 1e9).isBetween(9.9, 10.1);
    }

    @Test
    void backgroundIsCountedAndIsNoCall() throws Exception {
        Map<String, String> without = Map.of("--calls", "5", "--seconds", "1");
        Map<String, String> with = Map.of("--calls", "5", "--seconds", "1", "--background", "1000");
        assertThat(truth(with).packets() - truth(without).packets()).isEqualTo(1000);
        assertThat(truth(with).calls()).isEqualTo(truth(without).calls());
    }

    /** None that ends the address of a gateway and its port twice, at the border of a bank of gateways too. */
    @Test
    void noTwoCallsShareAnEndOfTheirMedia() throws Exception {
        Truth truth = truth(Map.of(
                "--calls",
                "12600",
                "--seconds",
                "0.1",
                "--cps",
                "100000",
                "--outcomes",
                "answered:1,busy:99",
                "--ipv6",
                "0.5"));
        assertThat(truth.streams()).extracting(StreamTruth::source).doesNotHaveDuplicates();
        assertThat(truth.calls()).hasSize(12_600);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --loss 1.5            | --loss 1.5 is not a number from 0 to 1
            --tcp x               | --tcp x is not a number from 0 to 1
            --calls 0             | --calls 0 is not a whole number from 1 to 1000000
            --calls 1.5           | --calls 1.5 is not a whole number from 1 to 1000000
            --seconds 0           | --seconds 0 is not a number from 0.1 to 86400
            --background -1       | --background -1 is not a whole number from 0 to 10000000
            --calls 1000000 --seconds 3600 | --calls 1000000 of --seconds 3600 are about 360012000000 packets; the limit is 100000000
            --outcomes busy       | --outcomes has "busy", which is not NAME:WEIGHT; the names are answered, busy, cancelled
            --outcomes lost:1     | --outcomes has "lost:1", which is not NAME:WEIGHT
            --outcomes busy:-1    | --outcomes busy -1 is not a number from 0 to 1000000
            --outcomes busy:0     | --outcomes busy:0 has no weight above 0
            --speed 3             | there is no option --speed
            --seed                | --seed needs a value
            more                  | two files are needed, OUT.pcap and TRUTH.json; given: 3
            """)
    void whatMeansNothingIsRefusedWithValueAndLimit(String options, String message) {
        Path file = folder.resolve("none.pcap");
        String[] words = (file + " " + file + ".json " + options).split(" ", -1);
        assertThat(run(words).code()).isEqualTo(Main.MISUSE);
        assertThat(run(words).err()).startsWith("offhook: " + message);
        assertThat(file).doesNotExist();
    }

    @Test
    void aFileThatCannotBeWrittenIsNamed() {
        Path file = folder.resolve("no/such/folder/x.pcap");
        Result result = run(file.toString(), folder.resolve("x.json").toString(), "--calls", "1", "--seconds", "1");
        assertThat(result.code()).isEqualTo(Main.UNWRITABLE);
        assertThat(result.err()).contains(file + " cannot be written");
    }
}
