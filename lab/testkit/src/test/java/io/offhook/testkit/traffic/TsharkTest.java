package io.offhook.testkit.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.testkit.truth.Party;
import io.offhook.testkit.truth.StreamTruth;
import io.offhook.testkit.truth.Truth;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Has tshark read generated captures: a reader that knows nothing of how they were made. Skipped where there is none. */
class TsharkTest {
    private static final Path TSHARK = Path.of("/usr/bin/tshark");

    @TempDir
    Path folder = Path.of("");

    /** What tshark counts in a capture. */
    private record Count(long packets, long requests, long responses, long rtp, long malformed, long badChecksums) {}

    /** Where tshark counts otherwise, for reasons of its own. */
    private static final Set<String> DIFFERENT = Set.of(
            // it counts SIP and RTP that an ICMP error quotes
            "media-port-unreachable",
            "sip-port-unreachable",
            // it takes all for T.38 from the re-INVITE on, also the RTP that comes before its 200
            "fax",
            // it does not go on behind a hole
            "tcp-hole",
            // it reads nothing of a datagram that lacks its last fragment
            "fragments-last-missing");

    @Test
    void readsAsManyPacketsOfEachKindFromAllScenarios() throws Exception {
        Traffic traffic = new Traffic(8);
        Scenarios.all().forEach((name, scenario) -> {
            if (!DIFFERENT.contains(name)) {
                scenario.accept(traffic);
            }
        });
        Capture capture = traffic.capture(CaptureWriter.pcapng());
        Truth truth = capture.truth();
        Path file = capture.writeTo(folder.resolve("all.pcapng"));
        assertThat(count(file))
                .isEqualTo(new Count(
                        truth.packets(), truth.sipRequests(), truth.sipResponses(), truth.rtpPackets(), 0, 0));
    }

    @Test
    void readsEveryFormOfFile() throws Exception {
        for (CaptureWriter writer : List.of(
                CaptureWriter.pcap().bigEndian().nanoseconds(),
                CaptureWriter.pcap().modified(),
                CaptureWriter.pcapng().sections(3).withOtherBlocks(),
                CaptureWriter.pcapng()
                        .bigEndian()
                        .nanoseconds()
                        .timeOffset(3600)
                        .gzip())) {
            Capture capture = Scenarios.traffic("dtmf", 8).capture(writer);
            Path file = capture.writeTo(folder.resolve("form"));
            List<String> times = run(List.of("-r", file.toString(), "-T", "fields", "-e", "frame.time_epoch")).stream()
                    .filter(time -> !time.isEmpty()) // custom blocks are listed too
                    .toList();
            assertThat(times).hasSize(capture.frames().size());
            for (int i = 0; i < times.size(); i++) {
                assertThat(new java.math.BigDecimal(times.get(i))
                                .movePointRight(9)
                                .longValueExact())
                        .isEqualTo(capture.frames().get(i).timestampNs());
            }
        }
    }

    @Test
    void findsTheSameStreamsWithTheSameLoss() throws Exception {
        Capture capture = new Traffic(31)
                .call(call -> call.media(Party.CALLEE, shape -> shape.loss(0.1).lossBursts(3))
                        .completed(Party.CALLER, 6000))
                .call(call -> call.codec(SentCodec.G729)
                        .media(Party.CALLER, shape -> shape.loss(0.04))
                        .completed(Party.CALLEE, 4000))
                .capture();
        Path file = capture.writeTo(folder.resolve("streams.pcap"));
        List<String> lines = run(List.of("-r", file.toString(), "-q", "-z", "rtp,streams"));
        for (StreamTruth stream : capture.truth().streams()) {
            String line = lines.stream()
                    .filter(text -> text.contains(stream.ssrcText()))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(stream + " not in " + lines));
            List<String> words = Arrays.asList(line.trim().split("\\s+"));
            int codec = words.indexOf(stream.ssrcText()) + (stream.codec().equals("G729") ? 1 : 2);
            assertThat(line).contains(stream.captured() + " ");
            assertThat(words.subList(codec, words.size()))
                    .containsSubsequence(Long.toString(stream.captured()), Long.toString(stream.lost()));
        }
    }

    private Count count(Path file) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("-r", file.toString(), "--enable-heuristic", "rtp_udp"));
        for (String option : List.of(
                "tcp.reassemble_out_of_order:TRUE",
                "ip.check_checksum:TRUE",
                "udp.check_checksum:TRUE",
                "tcp.check_checksum:TRUE")) {
            arguments.addAll(List.of("-o", option));
        }
        arguments.addAll(List.of("-T", "fields", "-E", "separator=|"));
        for (String field :
                List.of("sip.Method", "sip.Status-Code", "rtp.ssrc", "_ws.malformed", "_ws.expert.message")) {
            arguments.addAll(List.of("-e", field));
        }
        long[] counts = new long[5];
        List<String> lines = run(arguments);
        for (String line : lines) {
            String[] fields = line.split("\\|", -1);
            counts[0] += values(fields[0]);
            counts[1] += values(fields[1]);
            counts[2] += fields[2].isEmpty() ? 0 : 1;
            counts[3] += fields[3].isEmpty() ? 0 : 1;
            counts[4] += fields[4].contains("Bad checksum") ? 1 : 0;
        }
        return new Count(lines.size(), counts[0], counts[1], counts[2], counts[3], counts[4]);
    }

    private static long values(String field) {
        return field.isEmpty() ? 0 : field.split(",").length;
    }

    private static List<String> run(List<String> arguments) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(TSHARK), "skipped: there is no " + TSHARK);
        List<String> command = new ArrayList<>(List.of(TSHARK.toString(), "-n"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var output = process.getInputStream()) {
            List<String> lines = new String(output.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return lines;
        }
    }
}
