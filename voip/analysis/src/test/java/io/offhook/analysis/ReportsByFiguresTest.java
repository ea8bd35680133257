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
import io.offhook.calls.figures.CapturedStream;
import io.offhook.calls.figures.FiguresSink;
import io.offhook.packet.Endpoint;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.rtp.RtpRows;
import io.offhook.rtp.figures.ConversationFigures;
import io.offhook.rtp.figures.ConversationUpdate;
import io.offhook.rtp.figures.SampleFigures;
import io.offhook.rtp.figures.StreamFigures;
import io.offhook.rtp.figures.StreamUpdate;
import io.offhook.rtp.playout.JitterBuffer;
import io.offhook.testkit.generate.GenerateOptions;
import io.offhook.testkit.generate.GeneratedTraffic;
import io.offhook.testkit.generate.MisuseException;
import io.offhook.testkit.traffic.CallPlan;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.RtpShape;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.SentCodec;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls by figures of media in the place of media: an assembly counts all packets and passes figures on while it does; another
 * one gets the same SIP, and at the end what these figures amount to. Both report the same, to the last figure. Streams of
 * which packets still wait for a codec come as packets, as they would have to.
 */
class ReportsByFiguresTest {
    private static final Path SAMPLES = Path.of("../../samples");
    private static final int CALLS = 2000;

    /** So that rounds have a few hundred frames, and figures are passed on often. */
    private static final int FRAMES_PER_BATCH = 15;

    private static final MediaOptions DETAILED =
            MediaOptions.DEFAULT.withIntervals(true).withBuffer(JitterBuffer.fixed(60));

    /** Which stream it is, without what may change of it. */
    private record Key(Endpoint source, Endpoint destination, long ssrc) {
        static Key of(CapturedStream stream) {
            return new Key(stream.source(), stream.destination(), stream.ssrc());
        }

        static Key of(RtpRows rows, int row) {
            long portsSsrc = rows.portsSsrc(row);
            return new Key(
                    new Endpoint(rows.sourceHigh(row), rows.sourceLow(row), (int) (portsSsrc >>> 48)),
                    new Endpoint(
                            rows.destinationHigh(row), rows.destinationLow(row), (int) (portsSsrc >>> 32) & 0xffff),
                    portsSsrc & 0xffff_ffffL);
        }
    }

    private record Pair(Endpoint one, Endpoint other) {}

    private static final class Stored {
        CapturedStream stream;
        StreamFigures figures;

        @Nullable
        SampleFigures sample;

        Stored(CapturedStream stream, StreamFigures figures) {
            this.stream = stream;
            this.figures = figures;
        }
    }

    /** Folds what is passed on. */
    private static final class Folded implements FiguresSink {
        final Map<Key, TreeMap<Long, Stored>> streams = new LinkedHashMap<>();
        final Map<Pair, ConversationFigures> conversations = new LinkedHashMap<>();
        int updates;
        int later;

        @Override
        public void stream(CapturedStream stream, StreamUpdate update, @Nullable SampleFigures sample) {
            updates++;
            TreeMap<Long, Stored> all = streams.computeIfAbsent(Key.of(stream), _ -> new TreeMap<>());
            later += all.containsKey(stream.firstFrame()) ? 1 : 0;
            Stored known = all.computeIfAbsent(stream.firstFrame(), _ -> new Stored(stream, update.alone()));
            known.stream = stream;
            known.figures = known.figures.with(update);
            known.sample = sample == null ? known.sample : sample;
        }

        @Override
        public void conversation(Endpoint one, Endpoint other, ConversationUpdate update) {
            conversations.merge(new Pair(one, other), update.alone(), (known, _) -> known.with(update));
        }

        /** Whether a packet is of a stream that waits for a codec, at the end. */
        boolean isWaiting(Key key, long frame) {
            TreeMap<Long, Stored> all = streams.get(key);
            Map.Entry<Long, Stored> stream = all == null ? null : all.floorEntry(frame);
            return stream != null && isWaiting(stream.getValue());
        }

        static boolean isWaiting(Stored stream) {
            return stream.figures.media().unmeasured().waiting() > 0;
        }

        void leaveOut(LeftOut what) {
            for (TreeMap<Long, Stored> all : streams.values()) {
                for (Stored each : all.values()) {
                    CapturedStream stream = each.stream;
                    if (what == LeftOut.OWNER) {
                        each.stream = new CapturedStream(
                                stream.source(), stream.destination(), stream.ssrc(), stream.firstFrame(), null);
                    } else if (what == LeftOut.SAMPLE) {
                        each.sample = null;
                    }
                }
            }
            if (what == LeftOut.CONVERSATIONS) {
                conversations.clear();
            }
        }

        /** Hands over everything, in another order than that of the capture. */
        void passTo(CallAssembly assembly) {
            List<Stored> all = new ArrayList<>();
            streams.values().forEach(those -> all.addAll(those.values()));
            for (Stored stream : all.reversed()) {
                if (!isWaiting(stream)) {
                    assertThat(assembly.add(stream.stream, stream.figures, stream.sample))
                            .isTrue();
                }
            }
            conversations.forEach(
                    (pair, figures) -> assembly.add(/* one= */ pair.other(), /* other= */ pair.one(), figures));
        }
    }

    /** Counts, passes on, and feeds the other one all but what it gets by figures. */
    private static final class Twins implements TrafficSink {
        final CallAssembly counting;
        final CallAssembly byFigures;
        final Folded folded = new Folded();
        private final Folded before;
        long rows;
        long latestNs;

        /** @param before what was passed on of the same capture at an earlier time */
        Twins(MediaOptions media, Folded before) {
            counting = new CallAssembly(CALLS, Shards.SIP, Shards.RTP, media, null);
            byFigures = new CallAssembly(CALLS, Shards.SIP, Shards.RTP, media, null);
            this.before = before;
        }

        @Override
        public void begin(long firstNs) {
            counting.begin(firstNs);
            byFigures.begin(firstNs);
        }

        @Override
        public void sip(int shard, SipPacket message) {
            counting.sip(shard, message);
            byFigures.sip(shard, message);
        }

        @Override
        public void publish() {
            counting.publish();
            byFigures.publish();
        }

        @Override
        public void rtcp(RtcpPacket packet) {
            counting.rtcp(packet);
        }

        @Override
        public void icmp(IcmpEvent event) {
            counting.icmp(event);
            byFigures.icmp(event);
        }

        @Override
        public void measured(MediaReport report) {
            counting.measured(report);
            byFigures.measured(report);
        }

        @Override
        public void rtp(int shard, RtpRows packets) {
            counting.rtp(shard, packets);
            RtpRows chosen = new RtpRows();
            for (int row = 0; row < packets.end(); row += packets.end() / packets.size()) {
                if (before.isWaiting(Key.of(packets, row), packets.frame(row))) {
                    chosen.add(packets, row);
                }
            }
            rows += chosen.size();
            if (chosen.size() > 0) {
                byFigures.rtp(shard, chosen);
            }
        }

        @Override
        public void endOfRound(long latestNs) {
            this.latestNs = latestNs;
            counting.figures(latestNs, folded);
        }
    }

    private static Twins run(Supplier<PacketSource> source, MediaOptions media, Folded before) {
        Twins twins = new Twins(media, before);
        try (PacketSource packets = source.get()) {
            Pipeline.of(1).traffic(twins).run(packets);
        }
        twins.counting.figures(Long.MAX_VALUE, twins.folded);
        return twins;
    }

    private static List<String> reports(CallAssembly assembly, long endNs) {
        List<String> lines = Figures.of(CallReports.of(assembly, endNs, true, false));
        lines.removeIf(line -> line.contains(".buffer.mediaNs = ")
                || line.contains(".buffer.offsetNs = ")
                || line.contains(".buffer.beganAnew = ")); // of a buffer in action
        return lines;
    }

    /** Compares all that is reported; returns how it was made. */
    private static Twins assertSameReports(Supplier<PacketSource> source, MediaOptions media) {
        Folded first = run(source, media, new Folded()).folded;
        Twins twins = run(source, media, first);
        twins.folded.passTo(twins.byFigures);
        List<String> expected = reports(twins.counting, twins.latestNs);
        List<String> found = reports(twins.byFigures, twins.latestNs);
        for (int i = 0; i < Math.min(found.size(), expected.size()); i++) {
            assertThat(found.get(i)).as("line %d", i).isEqualTo(expected.get(i));
        }
        assertThat(found).hasSameSizeAs(expected);
        return twins;
    }

    private static Supplier<PacketSource> memory(Traffic traffic) {
        List<Frame> frames = traffic.capture().frames();
        return () -> new MemorySource(frames, FRAMES_PER_BATCH);
    }

    static Stream<String> scenarios() {
        return Stream.concat(Scenarios.all().keySet().stream(), Scenarios.legs().keySet().stream());
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void reportsEachScenarioAlike(String scenario) {
        assertSameReports(memory(Scenarios.traffic(scenario, 11)), MediaOptions.DEFAULT);
        assertSameReports(memory(Scenarios.traffic(scenario, 12)), DETAILED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"calls.pcap", "lossy.pcap"})
    void reportsTheSamplesAlike(String sample) {
        Supplier<PacketSource> source =
                () -> CaptureFiles.open(List.of(SAMPLES.resolve(sample).toString()));
        assertSameReports(source, MediaOptions.DEFAULT);
        assertSameReports(source, DETAILED);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void reportsMixedTrafficAlike(long seed) {
        Supplier<PacketSource> source = memory(Traffic.random(seed, 60));
        Twins twins = assertSameReports(source, seed % 2 == 0 ? MediaOptions.DEFAULT : DETAILED);
        assertThat(twins.folded.streams).hasSizeGreaterThan(40);
        assertThat(twins.folded.conversations).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--calls 40 --seconds 12 --loss 0.05 --dup 0.03 --reorder 0.03",
                "--calls 60 --seconds 2 --tcp 0.5 --ipv6 0.5 --vlan 0.5 --background 3000 --dup 0.05 --reorder 0.05",
                "--calls 60 --seconds 1.2 --cps 4000 --outcomes answered:1 --loss 0.3 --seed 9"
            })
    void reportsGeneratedTrafficAlike(String options) throws MisuseException {
        Map<String, String> values = new HashMap<>();
        String[] words = options.split(" ", -1);
        for (int i = 0; i < words.length; i += 2) {
            values.put(words[i], words[i + 1]);
        }
        List<Frame> frames =
                GeneratedTraffic.of(GenerateOptions.of(values)).capture().frames();
        assertSameReports(() -> new MemorySource(frames, FRAMES_PER_BATCH), DETAILED);
    }

    private static Traffic longCalls() {
        return new Traffic(5)
                .call(call -> bad(call).callId("bad@x").answered().talk(40_000).hangUp(Party.CALLER))
                .call(call -> call.callId("amr@x")
                        .codec(SentCodec.AMR_WB)
                        .rtcp(_ -> {})
                        .answered()
                        .talk(20_000)
                        .dtmf("12#")
                        .hold(Party.CALLEE, CallPlan.HoldStyle.INACTIVE, 6000)
                        .talk(9000)
                        .hangUp(Party.CALLEE));
    }

    /** The second call has the ports of the first, and another codec; its media come before its SDP says so. */
    private static Traffic portsThatChangeHands() {
        Endpoint caller = Endpoint.of("10.20.0.1", 20_000);
        Endpoint callee = Endpoint.of("10.20.0.2", 20_002);
        return new Traffic(4)
                .call(call -> call.mediaAt(Party.CALLER, caller)
                        .mediaAt(Party.CALLEE, callee)
                        .codec(SentCodec.OPUS.as(96))
                        .completed(Party.CALLER, 1000))
                .at(2500)
                .call(call -> call.mediaAt(Party.CALLER, caller)
                        .mediaAt(Party.CALLEE, callee)
                        .codec(SentCodec.ILBC.as(96))
                        .inviteWithoutOffer()
                        .trying()
                        .ringing()
                        .after(400)
                        .answer()
                        .talk(Party.CALLEE, 300)
                        .ack()
                        .endedBy(Party.CALLER, 1500));
    }

    @Test
    void correctsCodecsThatWereTakenFromAnotherCall() {
        assertSameReports(memory(portsThatChangeHands()), MediaOptions.DEFAULT);
        assertSameReports(memory(portsThatChangeHands()), DETAILED);
    }

    private static CallPlan bad(CallPlan call) {
        return call.media(Party.CALLER, ReportsByFiguresTest::bad).media(Party.CALLEE, ReportsByFiguresTest::bad);
    }

    private static void bad(RtpShape shape) {
        shape.loss(0.05)
                .lossBursts(9)
                .duplicates(0.02)
                .reordering(0.03)
                .jitterMs(15)
                .stalls(4000, 300);
    }

    @Test
    void foldsTheUpdatesOfLongCalls() {
        Twins twins = assertSameReports(memory(longCalls()), DETAILED);
        assertThat(twins.folded.updates).isGreaterThan(20);
        assertThat(twins.folded.later).isGreaterThan(15);
        assertThat(twins.rows).isZero();
    }

    @Test
    void streamsWhoseCodecNobodyKnowsComeAsPackets() {
        Traffic traffic = new Traffic(3)
                .mediaOnly(SentCodec.OPUS, 3000)
                .mediaOnly(SentCodec.PCMU, 3000)
                .call(call -> call.codec(SentCodec.OPUS).completed(Party.CALLER, 3000));
        Twins twins = assertSameReports(memory(traffic), DETAILED);
        assertThat(twins.folded.streams.values().stream()
                        .flatMap(all -> all.values().stream())
                        .filter(Folded::isWaiting))
                .hasSize(2); // both directions
        assertThat(twins.rows).isBetween(200L, 400L);
    }

    /** What is passed on beside figures is needed: without it, some reports are others. */
    enum LeftOut {
        OWNER,
        SAMPLE,
        CONVERSATIONS
    }

    @ParameterizedTest
    @EnumSource(LeftOut.class)
    void whatIsLeftOutShows(LeftOut leftOut) {
        List<String> shown = new ArrayList<>();
        Map<String, Traffic> all = new LinkedHashMap<>();
        for (String scenario : List.of("rtcp", "legs-with-media-rewritten")) {
            all.put(scenario, Scenarios.traffic(scenario, 11));
        }
        all.put("ports that change hands", portsThatChangeHands());
        for (Map.Entry<String, Traffic> traffic : all.entrySet()) {
            Twins twins = run(memory(traffic.getValue()), MediaOptions.DEFAULT, new Folded());
            twins.folded.leaveOut(leftOut);
            twins.folded.passTo(twins.byFigures);
            if (!reports(twins.byFigures, twins.latestNs).equals(reports(twins.counting, twins.latestNs))) {
                shown.add(traffic.getKey());
            }
        }
        assertThat(shown)
                .containsExactly(
                        switch (leftOut) {
                            case OWNER -> "ports that change hands";
                            case SAMPLE -> "legs-with-media-rewritten";
                            case CONVERSATIONS -> "rtcp";
                        });
    }
}
