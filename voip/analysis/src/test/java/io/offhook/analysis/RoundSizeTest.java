package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.CallReports;
import io.offhook.calls.MediaOptions;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.MediaReport;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.event.TrafficSink;
import io.offhook.packet.LinkType;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.rtp.RtpRows;
import io.offhook.testkit.generate.GenerateOptions;
import io.offhook.testkit.generate.GeneratedTraffic;
import io.offhook.testkit.generate.MisuseException;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The result is a function of the frames: not of where rounds end, of the number of lanes, nor of that of shards. */
class RoundSizeTest {
    private static final List<Integer> SIZES = List.of(64, 4096, 65_536);

    private static final Map<String, List<Frame>> LATE = LateSignalling.captures();

    private static final MediaOptions MEDIA = MediaOptions.DEFAULT.withIntervals(true);

    static Stream<Path> samples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../../samples"))) {
            return files.filter(file -> file.toString().endsWith(".pcap")).sorted().toList().stream();
        }
    }

    static Stream<String> scenarios() {
        return Stream.concat(Scenarios.all().keySet().stream(), Scenarios.legs().keySet().stream());
    }

    static Stream<String> lateSignalling() {
        return LATE.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void ofSamples(Path sample) {
        same(() -> CaptureFiles.open(List.of(sample.toString())), AnalysisOptions.defaults());
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void ofScenarios(String scenario) {
        List<Frame> frames = Scenarios.traffic(scenario, 12).capture().frames();
        same(() -> memory(frames), AnalysisOptions.defaults());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 4})
    void ofMixedTraffic(long seed) {
        List<Frame> frames = Traffic.random(seed, 60).capture().frames();
        same(() -> memory(frames), AnalysisOptions.defaults().withRtpHeuristic(true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--calls 40 --seconds 3 --loss 0.05 --dup 0.03 --reorder 0.03",
                "--calls 60 --seconds 2 --tcp 0.5 --ipv6 0.5 --vlan 0.5 --background 3000 --dup 0.05 --reorder 0.05",
                "--calls 120 --seconds 1 --cps 300 --outcomes busy:1,cancelled:1,declined:1,noanswer:1,auth:1",
                "--calls 60 --seconds 1.2 --cps 4000 --outcomes answered:1 --loss 0.3 --seed 9"
            })
    void ofGeneratedTraffic(String options) throws MisuseException {
        Map<String, String> values = new HashMap<>();
        String[] words = options.split(" ", -1);
        for (int i = 0; i < words.length; i += 2) {
            values.put(words[i], words[i + 1]);
        }
        List<Frame> frames =
                GeneratedTraffic.of(GenerateOptions.of(values)).capture().frames();
        same(() -> memory(frames), AnalysisOptions.defaults());
    }

    @ParameterizedTest
    @MethodSource("lateSignalling")
    void whereSignallingComesDuringItsMedia(String name) {
        List<Frame> frames = LATE.getOrDefault(name, List.of());
        AnalysisOptions few = AnalysisOptions.defaults().withKeptCalls(AnalysisOptions.LEAST_CALLS);
        same(() -> memory(frames), few);
        for (int before : new int[] {1, 23}) {
            List<Frame> later = behind(before, frames);
            List<String> alone = withoutFrames(figures(memory(frames), few, 1, 0));
            assertThat(differences(withoutFrames(figures(memory(later), few, 1, 0)), alone))
                    .as("behind %d frames of something else", before)
                    .isEmpty();
        }
    }

    /** What an agent captured comes by UDP or TCP; of the rest, each second datagram was captured by itself. */
    @ParameterizedTest
    @CsvSource({"0, 1", "100, 1", "1400, 1", "0, 2", "1400, 2"})
    void whereAnAgentForwardsThem(int segmentBytes, int everyOf) {
        int[] count = {0};
        List<Frame> plain = new Traffic(7)
                .call(call -> call.completed(Party.CALLER, 4000))
                .at(300)
                .call(call -> call.completed(Party.CALLEE, 3000))
                .capture()
                .frames();
        List<Frame> frames = Rewrapped.of(plain, (datagram, to) -> {
            byte[] packet = HepPacketsTest.version3(datagram, "HEP3", HepPacketsTest.type(datagram), 0x0f);
            if (count[0]++ % everyOf > 0) {
                to.udp(datagram);
            } else if (segmentBytes == 0) {
                to.udp(datagram.timestampNs(), HepPacketsTest.AGENT, HepPacketsTest.COLLECTOR, packet);
            } else {
                to.tcp(datagram.timestampNs(), HepPacketsTest.AGENT, HepPacketsTest.COLLECTOR, packet, segmentBytes);
            }
        });
        same(() -> memory(frames), AnalysisOptions.defaults());
    }

    /** Messages of which the end was not captured, down to a part of the Call-ID. */
    @ParameterizedTest
    @ValueSource(ints = {160, 200, 240, 270, 300, 340, 400})
    void whereTheSnapLengthCutsMessages(int length) {
        List<Frame> frames = new ArrayList<>();
        for (Frame frame : Traffic.random(4, 40).capture().frames()) {
            byte[] kept = Arrays.copyOf(frame.bytes(), Math.min(length, frame.bytes().length));
            frames.add(new Frame(frame.timestampNs(), frame.linkType(), kept, frame.wireLength()));
        }
        same(() -> memory(frames), AnalysisOptions.defaults());
    }

    private static PacketSource memory(List<Frame> frames) {
        return new MemorySource(frames, 4096);
    }

    private static List<Frame> behind(int count, List<Frame> frames) {
        List<Frame> all = new ArrayList<>();
        byte[] arp = new byte[60];
        arp[12] = 8;
        arp[13] = 6;
        for (int i = 0; i < count; i++) {
            all.add(new Frame(frames.getFirst().timestampNs(), LinkType.ETHERNET, arp, arp.length));
        }
        all.addAll(frames);
        return all;
    }

    /** Figures but for those of the capture as a whole, and the numbers of frames. */
    private static List<String> withoutFrames(List<String> figures) {
        return figures.stream()
                .filter(line -> !line.startsWith(".capture.") && !line.matches(".*[fF]rames?(\\[\\d+])? = .*"))
                .toList();
    }

    private static void same(Supplier<PacketSource> source, AnalysisOptions options) {
        List<String> frameByFrame = figures(source.get(), options, 1, 1);
        assertThat(frameByFrame).hasSizeGreaterThan(5);
        for (int size : SIZES) {
            int lanes = size == 4096 ? 3 : 1;
            assertThat(differences(figures(source.get(), options, lanes, size), frameByFrame))
                    .as("rounds of %d frames, %d lanes", size, lanes)
                    .isEmpty();
        }
        assertThat(differences(figures(source.get(), options, 2, 0), frameByFrame))
                .as("rounds that grow, 2 lanes")
                .isEmpty();
        assertThat(differences(inOneShard(source.get(), options, 4096), inOneShard(source.get(), options, 1)))
                .as("rounds of 4096 frames, one shard")
                .isEmpty();
    }

    /** The first figures that differ; whole results are too long to be read. */
    private static List<String> differences(List<String> one, List<String> other) {
        List<String> found = new ArrayList<>();
        if (one.size() != other.size()) {
            found.add(one.size() + " figures, not " + other.size());
        }
        for (int i = 0; i < Math.min(one.size(), other.size()) && found.size() < 8; i++) {
            if (!one.get(i).equals(other.get(i))) {
                found.add(one.get(i) + ", frame by frame " + other.get(i));
            }
        }
        return found;
    }

    private static List<String> figures(PacketSource source, AnalysisOptions options, int lanes, int roundSize) {
        try (source) {
            return Figures.of(
                    Analysis.runInRounds(source, options.withLanes(lanes).withMedia(MEDIA), roundSize));
        }
    }

    /** The calls and streams of an assembly with one shard of each kind. */
    private static List<String> inOneShard(PacketSource source, AnalysisOptions options, int roundSize) {
        CallAssembly assembly =
                new CallAssembly(options.keptCalls(), 1, 1, MEDIA, options.limits(), options.joins(), null);
        try (source) {
            PipelineReport report = Pipeline.of(1)
                    .ordered()
                    .traffic(new OneShard(assembly))
                    .inRoundsOf(roundSize)
                    .run(source);
            CallReports reports = CallReports.of(assembly, report.lastNs(), options.rtpHeuristic(), false);
            return Figures.of(reports.calls(), reports.streams());
        }
    }

    /** Passes everything to the first shard, in the order of capture. */
    private static final class OneShard implements TrafficSink {
        private final CallAssembly to;
        private RtpRows rows = new RtpRows();

        OneShard(CallAssembly to) {
            this.to = to;
        }

        @Override
        public void begin(long firstNs) {
            to.begin(firstNs);
        }

        @Override
        public void sip(int shard, SipPacket message) {
            to.sip(0, message);
        }

        @Override
        public void publish() {
            to.publish();
        }

        @Override
        public void rtcp(RtcpPacket packet) {
            to.rtcp(packet);
        }

        @Override
        public void icmp(IcmpEvent event) {
            to.icmp(event);
        }

        @Override
        public void measured(MediaReport report) {
            to.measured(report);
        }

        @Override
        public void rtp(int shard, RtpRows more) {
            RtpRows all = new RtpRows();
            all.merge(rows, more);
            rows = all;
        }

        @Override
        public void endOfRound(long latestNs) {
            to.rtp(0, rows);
            rows = new RtpRows();
            to.endOfRound(latestNs);
        }
    }
}
