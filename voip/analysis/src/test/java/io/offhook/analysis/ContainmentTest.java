package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.MediaOptions;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.event.TrafficSink;
import io.offhook.flow.tcp.TcpStream;
import io.offhook.flow.tcp.TcpStreamHandler.Pickup;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.WrappedSource;
import io.offhook.rtp.RtpRows;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Traffic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An exception costs what it happened at, counts with its place, and ends nothing: thrown in on purpose at every place. */
class ContainmentTest {
    private static final List<Frame> FRAMES = frames();

    private static List<Frame> frames() {
        Traffic traffic = Traffic.random(9, 20);
        for (String more : List.of("rtcp", "media-port-unreachable", "tcp", "websocket", "fragments-in-order")) {
            Objects.requireNonNull(Scenarios.all().get(more)).accept(traffic);
        }
        return traffic.capture().frames();
    }

    /** What the capture holds, as a sink of traffic and rounds sees it. */
    private static final class Tally implements TrafficSink {
        final List<Long> messages = Collections.synchronizedList(new ArrayList<>());
        final List<Long> media = Collections.synchronizedList(new ArrayList<>());
        final List<Long> controls = new ArrayList<>();
        int rounds;

        @Override
        public void sip(int shard, SipPacket message) {
            messages.add(message.frameNumber());
        }

        @Override
        public void rtp(int shard, RtpRows rows) {
            for (int row = 0; row < rows.end(); row += RtpRows.WIDTH) {
                media.add(rows.frame(row));
            }
        }

        @Override
        public void rtcp(RtcpPacket packet) {
            controls.add(packet.frameNumber());
        }

        @Override
        public void icmp(IcmpEvent event) {
            controls.add(event.frameNumber());
        }

        @Override
        public void endOfRound(long latestNs) {
            rounds++;
        }

        List<Long> all() {
            List<Long> all = new ArrayList<>(messages);
            all.addAll(media);
            all.addAll(controls);
            all.sort(Long::compare);
            return all;
        }
    }

    private static PipelineReport run(Pipeline pipeline) {
        try (PacketSource source = new MemorySource(FRAMES, 50)) {
            return pipeline.run(source);
        }
    }

    private static CaptureReport.Counter counter(List<CaptureReport.Counter> counters, String name) {
        return counters.stream()
                .filter(counter -> counter.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static IllegalStateException thrown() {
        return new IllegalStateException("thrown in on purpose");
    }

    private static Tally whole() {
        Tally tally = new Tally();
        assertThat(run(Pipeline.of(1).traffic(tally)).defect()).isNull();
        assertThat(tally.messages).isNotEmpty();
        assertThat(tally.media).isNotEmpty();
        assertThat(tally.controls).isNotEmpty();
        return tally;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aSinkOfTrafficCostsTheOthersNothing(int lanes) {
        TrafficSink failing = new TrafficSink() {
            @Override
            public void begin(long firstNs) {
                throw thrown();
            }

            @Override
            public void sip(int shard, SipPacket message) {
                throw thrown();
            }

            @Override
            public void publish() {
                throw thrown();
            }

            @Override
            public void rtcp(RtcpPacket packet) {
                throw thrown();
            }

            @Override
            public void icmp(IcmpEvent event) {
                throw thrown();
            }

            @Override
            public void rtp(int shard, RtpRows rows) {
                throw thrown();
            }

            @Override
            public void endOfRound(long latestNs) {
                throw thrown();
            }
        };
        Tally whole = whole();
        Tally tally = new Tally();
        PipelineReport report = run(Pipeline.of(lanes).traffic(failing).traffic(tally));
        assertThat(report.packets()).isEqualTo(FRAMES.size());
        assertThat(report.defect()).isInstanceOf(IllegalStateException.class);
        assertThat(tally.all()).isEqualTo(whole.all());
        CaptureReport.Counter messages = counter(report.counters(), "failedMessages");
        assertThat(messages.count()).isEqualTo(whole.messages.size());
        assertThat(messages.firstFrame()).isEqualTo(Collections.min(whole.messages));
        assertThat(messages.lastFrame()).isEqualTo(Collections.max(whole.messages));
        assertThat(messages.firstNs())
                .isEqualTo(FRAMES.get((int) messages.firstFrame() - 1).timestampNs());
        assertThat(counter(report.counters(), "failedMediaPackets").count()).isGreaterThan(whole.controls.size());
        assertThat(counter(report.counters(), "failedConsumers").count()).isGreaterThan(2L * whole.rounds);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aSinkOfFramesLosesTheFrame(int lanes) {
        List<Long> seen = Collections.synchronizedList(new ArrayList<>());
        Tally tally = new Tally();
        PipelineReport report = run(Pipeline.of(lanes)
                .frames(lane -> frame -> {
                    if (frame.number() % 10 == 7) {
                        throw thrown();
                    }
                    seen.add(frame.number());
                })
                .rounds(round -> {
                    throw thrown();
                })
                .traffic(tally));
        assertThat(seen).hasSize(FRAMES.size() - (FRAMES.size() + 3) / 10);
        assertThat(tally.all()).isEqualTo(whole().all());
        CaptureReport.Counter failed = counter(report.counters(), "failedConsumers");
        assertThat(failed.count()).isEqualTo((FRAMES.size() + 3) / 10 + tally.rounds);
        assertThat(failed.firstFrame()).isEqualTo(7);
        assertThat(report.packets()).isEqualTo(FRAMES.size());
        assertThat(report.counters()).noneMatch(counter -> counter.name().equals("failedPackets"));
    }

    /** Takes every stream, and fails at one of the places. */
    private record FailingProtocol(String place, AtomicInteger begun, AtomicInteger ended) implements StreamProtocol {
        FailingProtocol(String place) {
            this(place, new AtomicInteger(), new AtomicInteger());
        }

        private void reach(String here) {
            if (here.equals(place)) {
                throw thrown();
            }
        }

        @Override
        public Pickup pickup(MemorySegment segment, long offset, int length) {
            reach("pickup");
            return Pickup.NOW;
        }

        @Override
        public StreamReader begin(TcpStream stream, StreamOutput out) {
            reach("begin");
            begun.incrementAndGet();
            return new StreamReader() {
                @Override
                public boolean data(MemorySegment segment, long offset, int length, long timestampNs, long frame) {
                    reach("data");
                    return true;
                }

                @Override
                public void end() {
                    ended.incrementAndGet();
                    reach("end");
                }
            };
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pickup", "begin", "data", "end"})
    void theReaderOfAStreamCostsTheStream(String place) {
        Tally whole = whole();
        Tally tally = new Tally();
        PipelineReport report =
                run(Pipeline.of(2).streams(shard -> new FailingProtocol(place)).traffic(tally));
        CaptureReport.Counter failed = counter(report.counters(), "failedConnections");
        assertThat(failed.count()).isPositive();
        assertThat(failed.firstFrame()).isBetween(1L, (long) FRAMES.size());
        assertThat(failed.lastNs()).isGreaterThanOrEqualTo(FRAMES.getFirst().timestampNs());
        assertThat(tally.media).hasSameSizeAs(whole.media);
        if (place.equals("pickup")) { // then it is not its stream
            assertThat(tally.all()).isEqualTo(whole.all());
        } else {
            assertThat(tally.messages).hasSizeLessThan(whole.messages.size()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aDialogLosesTheMessageThatItFailsAt(int lanes) {
        long[] first = {0};
        AnalysisOptions options = AnalysisOptions.defaults().withLanes(lanes);
        try (PacketSource source = new MemorySource(FRAMES, 50);
                PacketSource again = new MemorySource(FRAMES, 50)) {
            AnalysisResult whole = Analysis.run(source, options);
            AnalysisResult result = Analysis.run(again, options.withListener((message, packet, copy) -> {
                first[0] = first[0] == 0 ? packet.frameNumber() : first[0];
                throw thrown();
            }));
            assertThat(result.calls()).hasSameSizeAs(whole.calls());
            assertThat(result.defect()).isInstanceOf(IllegalStateException.class);
            CaptureReport.Counter failed = counter(result.capture().counters(), "failedMessages");
            assertThat(failed.count())
                    .isEqualTo(whole.capture().sipRequests() + whole.capture().sipResponses());
            assertThat(failed.firstFrame()).isEqualTo(first[0]);
        }
    }

    @Test
    void aWatcherMissesTheLook() {
        int[] looks = {0};
        try (PacketSource source = new MemorySource(FRAMES, 50)) {
            AnalysisResult result = Analysis.watch(
                    source,
                    AnalysisOptions.defaults().withLanes(2),
                    new CallWatcher() {
                        @Override
                        public long nowNs() {
                            return 0;
                        }

                        @Override
                        public void look(AnalysisResult standing, List<io.offhook.calls.CallReport> changed) {
                            looks[0]++;
                            throw thrown();
                        }
                    },
                    0);
            assertThat(looks[0]).isGreaterThan(1);
            assertThat(result.calls()).isNotEmpty();
            assertThat(counter(result.capture().counters(), "failedConsumers").count())
                    .isEqualTo(looks[0]);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void outputThatCannotBeWrittenEndsTheRun(int lanes) {
        UncheckedIOException full = new UncheckedIOException(new IOException("the disk is full"));
        assertThatThrownBy(() -> run(Pipeline.of(lanes).frames(lane -> frame -> {
                    throw full;
                })))
                .isSameAs(full);
        assertThatThrownBy(() -> run(Pipeline.of(lanes).rounds(round -> {
                    throw full;
                })))
                .isSameAs(full);
        assertThatThrownBy(() -> run(Pipeline.of(lanes).traffic(new TrafficSink() {
                    @Override
                    public void rtp(int shard, RtpRows rows) {
                        throw full;
                    }
                })))
                .isSameAs(full);
    }

    @Test
    void anAssemblyBesideAFailingSinkFindsAllCalls() {
        CallAssembly assembly = new CallAssembly(10_000, Shards.SIP, Shards.RTP, MediaOptions.DEFAULT, null);
        run(Pipeline.of(2)
                .rounds(round -> {
                    throw thrown();
                })
                .traffic(assembly));
        int calls = io.offhook.calls.CallReports.of(assembly, Long.MAX_VALUE, false, true)
                .calls()
                .size();
        try (PacketSource source = new MemorySource(FRAMES, 50)) {
            assertThat(calls)
                    .isEqualTo(Analysis.run(source, AnalysisOptions.defaults())
                            .calls()
                            .size());
        }
    }

    @Test
    void makesAllConsumersBeforeItReadsOnTheThreadOfTheCaller() {
        List<Integer> lanes = new ArrayList<>();
        List<Integer> shards = new ArrayList<>();
        List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
        long[] read = {0};
        run(Pipeline.of(3)
                .frames(lane -> {
                    threads.add(Thread.currentThread());
                    lanes.add(lane);
                    return frame -> {};
                })
                .streams(shard -> {
                    threads.add(Thread.currentThread());
                    shards.add(shard);
                    return new FailingProtocol("nowhere");
                }));
        assertThat(lanes).containsExactly(0, 1, 2);
        assertThat(shards).hasSize(Shards.TCP).doesNotHaveDuplicates();
        assertThat(threads).containsOnly(Thread.currentThread());
        assertThatThrownBy(() -> run(Pipeline.of(3)
                        .streams(shard -> {
                            throw thrown();
                        })
                        .frames(lane -> frame -> read[0]++)))
                .hasMessage("thrown in on purpose");
        assertThat(read[0]).isZero();
    }

    /** Calls in the order in which they come. */
    private static final class Order implements TrafficSink {
        final List<String> calls = new ArrayList<>();

        @Override
        public void begin(long firstNs) {
            calls.add("begin");
        }

        @Override
        public void publish() {
            calls.add("publish");
        }

        @Override
        public void endOfRound(long latestNs) {
            calls.add("endOfRound");
            assertThat(latestNs).isPositive();
        }
    }

    @Test
    void beginsASinkBeforeItReportsRoundsEvenWhereTheWireIsQuietAtFirst() {
        int[] quiet = {5};
        Order order = new Order();
        try (PacketSource frames = new MemorySource(FRAMES, 50)) {
            PipelineReport report = Pipeline.of(2).traffic(order).watch(new QuietSource(frames, quiet));
            assertThat(report.counters()).noneMatch(counter -> counter.name().startsWith("failed"));
        }
        assertThat(quiet[0]).isZero();
        assertThat(order.calls.getFirst()).isEqualTo("begin");
        assertThat(order.calls).containsOnlyOnce("begin").contains("publish", "endOfRound");
        Order nothing = new Order();
        try (PacketSource empty = new MemorySource(List.of(), 50)) {
            Pipeline.of(1).traffic(nothing).run(empty);
        }
        assertThat(nothing.calls).isEmpty();
    }

    /** Has nothing to read so many times, then the frames of another source. */
    private static final class QuietSource extends WrappedSource {
        private final int[] quiet;

        QuietSource(PacketSource frames, int[] quiet) {
            super(frames);
            this.quiet = quiet;
        }

        @Override
        public boolean next(FrameBatch batch) {
            if (quiet[0] > 0) {
                quiet[0]--;
                batch.clear(1);
                return true;
            }
            return super.next(batch);
        }
    }

    @Test
    void knowsWhereTheEndOfABatchFailed() {
        PipelineReport report = run(Pipeline.of(2).frames(lane -> new FrameSink() {
            @Override
            public void frame(DecodedFrame frame) {}

            @Override
            public void endOfBatch(int i) {
                throw thrown();
            }
        }));
        CaptureReport.Counter failed = counter(report.counters(), "failedConsumers");
        assertThat(failed.firstFrame()).isPositive();
        assertThat(failed.lastFrame()).isEqualTo(FRAMES.size());
        assertThat(failed.lastNs()).isEqualTo(FRAMES.getLast().timestampNs());
    }

    @Test
    void aReaderThatFailedIsEndedSoThatItReleasesWhatItHolds() {
        FailingProtocol protocol = new FailingProtocol("data");
        PipelineReport report = run(Pipeline.of(2).streams(shard -> protocol));
        assertThat(protocol.begun()).hasPositiveValue();
        assertThat(protocol.ended()).hasValue(protocol.begun().get());
        assertThat(counter(report.counters(), "failedConnections").count())
                .isEqualTo(protocol.begun().get());
    }

    @Test
    void aFragmentThatCannotBeReadCostsNoOther() {
        try (Arena arena = Arena.ofConfined()) {
            Failures failures = new Failures();
            FragmentStage stage = new FragmentStage(arena, false, failures);
            BatchEvents batch = new BatchEvents();
            batch.fragments.add(new FragmentEvent(arena.allocate(10), 100, 28, 5, 3, 0));
            stage.accept(batch, new CarriedStage(arena, failures), new BatchEvents());
            assertThat(failures.of(Failures.Kind.PACKET).count()).isEqualTo(1);
            assertThat(failures.of(Failures.Kind.PACKET).firstFrame()).isEqualTo(3);
            stage.close();
        }
    }

    @Test
    void aWatcherThatFailsAtTheEndCostsNoResult() {
        try (PacketSource source = new MemorySource(FRAMES, 50)) {
            AnalysisResult result = Analysis.watch(
                    source,
                    AnalysisOptions.defaults().withLanes(2),
                    new CallWatcher() {
                        @Override
                        public long nowNs() {
                            throw thrown();
                        }

                        @Override
                        public void look(AnalysisResult standing, List<io.offhook.calls.CallReport> changed) {}

                        @Override
                        public void lane(int lane, boolean begins) {
                            if (!begins) {
                                throw thrown();
                            }
                        }
                    },
                    Integer.MAX_VALUE);
            assertThat(result.calls()).isNotEmpty();
            assertThat(result.defect()).isInstanceOf(IllegalStateException.class);
            assertThat(counter(result.capture().counters(), "failedConsumers").count())
                    .isGreaterThanOrEqualTo(3);
        }
    }
}
