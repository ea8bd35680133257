package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.CallReport;
import io.offhook.calls.MediaOptions;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Traffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each kind of sink makes of a capture is the same to the byte, whatever the number of lanes. */
class EverySinkTest {
    private static final Path SAMPLES = Path.of("../../samples");
    private static final int[] LANES = {1, 2, 3, 8};

    /** Lanes can change the order of what is put together from several frames, if of anything. */
    private static final Map<String, List<String>> SCENARIOS = Map.of(
            "fragments",
            List.of(
                    "fragments-shuffled",
                    "fragments-duplicated",
                    "fragments-of-everything",
                    "fragments-in-a-tunnel",
                    "fragments-of-ipv6",
                    "fragments-of-tcp-in-a-vlan"),
            "streams",
            List.of("tcp-small-segments", "tcp-reordered", "tcp-hole", "websocket-small-segments", "tcp-mirrored"),
            "media",
            List.of("duplicates-and-reordering", "media-before-its-sdp", "rtcp", "media-port-unreachable", "forked"));

    @TempDir
    Path folder;

    static Stream<String> captures() {
        return Stream.concat(Stream.of("calls.pcap", "lossy.pcap"), new TreeSet<>(SCENARIOS.keySet()).stream());
    }

    private static Supplier<PacketSource> source(String capture) {
        List<String> scenarios = SCENARIOS.get(capture);
        if (scenarios == null) {
            return () -> CaptureFiles.open(List.of(SAMPLES.resolve(capture).toString()));
        }
        Traffic traffic = Traffic.random(capture.hashCode(), 10);
        scenarios.forEach(
                name -> Objects.requireNonNull(Scenarios.all().get(name), name).accept(traffic));
        List<Frame> frames = traffic.capture().frames();
        return () -> new MemorySource(frames, 250);
    }

    private static List<String> reported(PacketSource source, int lanes, boolean isOrdered) {
        Told reported = new Told();
        Pipeline pipeline =
                Pipeline.of(lanes).traffic(reported).rounds(reported).traced();
        try (source) {
            PipelineReport report = (isOrdered ? pipeline.ordered() : pipeline).run(source);
            List<String> lines = reported.lines();
            report.counters().forEach(counter -> lines.add(counter.toString()));
            return lines;
        }
    }

    private static AnalysisResult analysed(PacketSource source, AnalysisOptions options) {
        try (source) {
            return Analysis.run(source, options);
        }
    }

    private static List<String> messages(PacketSource source, int lanes) {
        List<String> lines = new ArrayList<>();
        analysed(
                source,
                AnalysisOptions.defaults()
                        .withLanes(lanes)
                        .withListener((message, packet, copy) ->
                                lines.add(packet.frameNumber() + " " + copy + " " + message.startLine())));
        return lines;
    }

    private static List<String> framesOf(PacketSource source, List<CallReport> calls, long packets, int lanes) {
        List<String> lines = new ArrayList<>();
        try (source) {
            CallFrames frames = CallFrames.find(source, calls, true, lanes);
            assertThat(frames.defect()).isNull();
            lines.add(frames.count() + " frames");
            for (long number = 1; number <= packets; number++) {
                if (frames.contains(number)) {
                    lines.add(number + " " + Arrays.toString(frames.callsOf(number)));
                }
            }
        }
        return lines;
    }

    @ParameterizedTest
    @MethodSource("captures")
    void reportsTheSameOnEachNumberOfLanes(String capture) {
        Supplier<PacketSource> source = source(capture);
        List<String> expected = reported(source.get(), 1, false);
        assertThat(expected).anyMatch(line -> line.startsWith("message")).anyMatch(line -> line.startsWith("rtp"));
        for (int lanes : LANES) {
            assertThat(reported(source.get(), lanes, false))
                    .as("%d lanes", lanes)
                    .isEqualTo(expected);
            assertThat(reported(source.get(), lanes, true))
                    .as("%d lanes in order", lanes)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("captures")
    void findsTheSameCallsAndTheirFramesOnEachNumberOfLanes(String capture) {
        Supplier<PacketSource> source = source(capture);
        AnalysisOptions options =
                AnalysisOptions.defaults().withRtpHeuristic(true).withMedia(MediaOptions.DEFAULT.withWireshark(true));
        AnalysisResult alone = analysed(source.get(), options.withLanes(1));
        List<String> figures = Figures.of(alone);
        List<String> messages = messages(source.get(), 1);
        long packets = alone.capture().packets();
        List<String> frames = framesOf(source.get(), alone.calls(), packets, 1);
        assertThat(alone.calls()).isNotEmpty();
        assertThat(frames).hasSizeGreaterThan(100);
        assertThat(messages).isNotEmpty();
        for (int lanes : LANES) {
            assertThat(Figures.of(analysed(source.get(), options.withLanes(lanes))))
                    .as("%d lanes", lanes)
                    .isEqualTo(figures);
            assertThat(messages(source.get(), lanes)).as("%d lanes", lanes).isEqualTo(messages);
            assertThat(framesOf(source.get(), alone.calls(), packets, lanes))
                    .as("%d lanes", lanes)
                    .isEqualTo(frames);
        }
    }

    @ParameterizedTest
    @MethodSource("captures")
    void keepsTheSamePacketsOnEachNumberOfLanes(String capture) throws IOException {
        Supplier<PacketSource> source = source(capture);
        Path first = folder.resolve("1.pcapng");
        KeptPackets.Index index = KeptPackets.keep(source.get(), 1, first);
        assertKeepsWhatItSays(source.get(), index, first);
        for (int lanes : LANES) {
            Path file = folder.resolve("again.pcapng");
            assertThat(KeptPackets.keep(source.get(), lanes, file))
                    .as("%d lanes", lanes)
                    .isEqualTo(index);
            assertThat(file).as("%d lanes", lanes).hasSameBinaryContentAs(first);
            Files.delete(file);
        }
    }

    /** The file has the frames of the index as they were captured, and among them all of every call. */
    private static void assertKeepsWhatItSays(PacketSource source, KeptPackets.Index index, Path file) {
        Map<Long, String> captured = new HashMap<>();
        try (source) {
            new FrameLoop(source, 500)
                    .run(frame -> captured.put(frame.number(), Told.frame(frame.batch(), frame.index())));
        }
        List<String> expected =
                index.places().keySet().stream().map(captured::get).toList();
        assertThat(KeptPackets.read(file)).hasSizeGreaterThan(100).isEqualTo(expected);
        assertThat(List.copyOf(index.places().values())).isSorted().doesNotHaveDuplicates();
        Set<Long> kept = index.places().keySet();
        assertThat(index.calls())
                .isNotEmpty()
                .allSatisfy((callId, frames) -> assertThat(kept).as(callId).containsAll(frames));
    }
}
