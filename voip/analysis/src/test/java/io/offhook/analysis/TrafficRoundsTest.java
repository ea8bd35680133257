package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.CallReports;
import io.offhook.calls.MediaOptions;
import io.offhook.calls.event.MediaReport;
import io.offhook.calls.event.PacketContext;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.event.TrafficSink;
import io.offhook.packet.Endpoint;
import io.offhook.pcap.PacketSource;
import io.offhook.sip.SipTransport;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Traffic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events that arrive one by one on any thread make the calls that a capture of the same makes. */
@Timeout(60)
class TrafficRoundsTest {
    private static final long NEVER_NS = Long.MAX_VALUE / 2;
    private static final int MANY = 1 << 20;
    private static final MediaReport.Figures FIGURES = new MediaReport.Figures(50, 1, 1.96, 2.5, Double.NaN, -1, 4.1);

    private static final List<Frame> FRAMES = frames();

    private static List<Frame> frames() {
        Traffic traffic = Traffic.random(31, 25);
        for (String more : List.of("rtcp", "tcp", "fragments-in-order", "registrations")) {
            Objects.requireNonNull(Scenarios.all().get(more)).accept(traffic);
        }
        return traffic.capture().frames();
    }

    /** A message or packet of a capture, and its bytes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Captured(
            long timestampNs,
            @Nullable SipPacket sip,
            @Nullable RtcpPacket rtcp,
            byte[] bytes) {

        /** Adds it from memory that is overwritten at once. */
        boolean addTo(TrafficRounds rounds) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment memory = arena.allocate(bytes.length + 3L);
                MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 3, bytes.length);
                boolean isTaken = sip != null
                        ? rounds.add(copyOf(sip, memory))
                        : rounds.add(copyOf(Objects.requireNonNull(rtcp), memory));
                memory.fill((byte) 0);
                return isTaken;
            }
        }

        private SipPacket copyOf(SipPacket of, MemorySegment memory) {
            PacketContext context = of.context().withFrameNumber(0);
            return new SipPacket(
                    of.callIdHash(), context, of.transport(), of.ipIdentification(), memory, 3, bytes.length);
        }

        private RtcpPacket copyOf(RtcpPacket of, MemorySegment memory) {
            return new RtcpPacket(of.context().withFrameNumber(0), memory, 3, bytes.length, of.wireLength());
        }
    }

    private static byte[] bytes(MemorySegment segment, long offset, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return bytes;
    }

    /** All SIP and RTCP of the capture, in its order. */
    private static List<Captured> captured() {
        List<Captured> found = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        try (PacketSource source = new MemorySource(FRAMES, 50)) {
            Pipeline.of(1)
                    .ordered()
                    .traffic(new TrafficSink() {
                        @Override
                        public void sip(int shard, SipPacket message) {
                            numbers.add(message.frameNumber());
                            found.add(new Captured(
                                    message.timestampNs(),
                                    message,
                                    null,
                                    bytes(message.segment(), message.offset(), message.length())));
                        }

                        @Override
                        public void rtcp(RtcpPacket packet) {
                            numbers.add(packet.frameNumber());
                            found.add(new Captured(
                                    packet.timestampNs(),
                                    null,
                                    packet,
                                    bytes(packet.segment(), packet.offset(), packet.length())));
                        }
                    })
                    .run(source);
        }
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            order.add(i);
        }
        order.sort((a, b) -> Long.compare(numbers.get(a), numbers.get(b)));
        return order.stream().map(found::get).toList();
    }

    private static CallAssembly assembly() {
        return new CallAssembly(10_000, Shards.SIP, Shards.RTP, MediaOptions.DEFAULT, null);
    }

    /** The calls of an assembly that saw no media, but for the numbers of frames. */
    private static List<String> calls(CallAssembly assembly) {
        CallReports reports = CallReports.of(assembly, Long.MAX_VALUE, false, false);
        List<String> lines = new ArrayList<>();
        Figures.of(new AnalysisResult(
                        new CaptureReport(
                                0,
                                0,
                                0,
                                0,
                                List.of(),
                                reports.sipRequests(),
                                reports.sipResponses(),
                                reports.callIds(),
                                0,
                                0,
                                0,
                                List.of(),
                                List.of(),
                                List.of()),
                        reports.calls(),
                        reports.streams(),
                        reports.registrations(),
                        null))
                .forEach(line -> lines.add(line.contains("rame") ? "" : line));
        return lines;
    }

    /** What a pipeline makes of the capture if media is kept from it. */
    private static List<String> expected() {
        CallAssembly assembly = assembly();
        try (PacketSource source = new MemorySource(FRAMES, 50)) {
            Pipeline.of(1)
                    .traffic(new TrafficSink() {
                        @Override
                        public void begin(long firstNs) {
                            assembly.begin(firstNs);
                        }

                        @Override
                        public void sip(int shard, SipPacket message) {
                            assembly.sip(shard, message);
                        }

                        @Override
                        public void publish() {
                            assembly.publish();
                        }

                        @Override
                        public void rtcp(RtcpPacket packet) {
                            assembly.rtcp(packet);
                        }
                    })
                    .run(source);
        }
        return calls(assembly);
    }

    private static SipPacket message(long timestampNs, MemorySegment segment, int length) {
        PacketContext context = new PacketContext(timestampNs, 99, Endpoint.ofIpv4(1, 5060), Endpoint.ofIpv4(2, 5060));
        return new SipPacket(7L << 60, context, SipTransport.UDP, -1, segment, 0, length);
    }

    private static SipPacket message(long timestampNs) {
        return message(timestampNs, Arena.ofAuto().allocate(20), 20);
    }

    private static MediaReport report(long timestampNs) {
        return new MediaReport(timestampNs, 0, "a@b", Endpoint.ofIpv4(1, 4000), Endpoint.ofIpv4(2, 4000), 17, FIGURES);
    }

    /** Writes down all that it is given, a line each. */
    private static class Log implements TrafficSink {
        final List<String> lines = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void begin(long firstNs) {
            lines.add("begin " + firstNs);
        }

        @Override
        public void sip(int shard, SipPacket message) {
            lines.add("sip " + shard + " " + message.frameNumber() + " " + message.timestampNs());
        }

        @Override
        public void publish() {
            lines.add("publish");
        }

        @Override
        public void rtcp(RtcpPacket packet) {
            lines.add("rtcp " + packet.frameNumber() + " " + packet.timestampNs());
        }

        @Override
        public void measured(MediaReport report) {
            lines.add("measured " + report.frameNumber() + " " + report.timestampNs() + " " + report.callId());
        }

        @Override
        public void endOfRound(long latestNs) {
            lines.add("end " + latestNs);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void makesTheCallsOfACaptureWhateverTheThreads(int threads) throws InterruptedException {
        List<Captured> events = captured();
        assertThat(events).hasSizeGreaterThan(200).anyMatch(event -> event.rtcp() != null);
        CallAssembly assembly = assembly();
        TrafficRounds rounds = TrafficRounds.begin(List.of(assembly), MANY, NEVER_NS);
        List<Thread> adding = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int own = i;
            Thread thread = new Thread(() -> {
                for (Captured event : events) {
                    // those of the same time arrive on one thread, in their order
                    if (Math.floorMod(event.timestampNs() / 1000, threads) == own) {
                        assertThat(event.addTo(rounds)).isTrue();
                    }
                }
            });
            thread.start();
            adding.add(thread);
        }
        for (Thread thread : adding) {
            thread.join();
        }
        rounds.close();
        assertThat(rounds.report().packets()).isEqualTo(events.size());
        assertThat(rounds.report().counters()).isEmpty();
        assertThat(calls(assembly)).isEqualTo(expected());
    }

    @Test
    void losesNothingBetweenRounds() {
        List<Captured> events = captured();
        CallAssembly assembly = assembly();
        TrafficRounds rounds = TrafficRounds.begin(List.of(assembly), 7, NEVER_NS);
        for (Captured event : events) {
            while (!event.addTo(rounds)) {
                Thread.onSpinWait(); // refused while both rounds are full, and taken later
            }
        }
        rounds.close();
        assertThat(rounds.report().packets()).isEqualTo(events.size());
        assertThat(rounds.report().bytes())
                .isEqualTo(
                        events.stream().mapToLong(event -> event.bytes().length).sum());
        assertThat(calls(assembly)).isEqualTo(expected());
    }

    @Test
    void reportsARoundInTheOrderOfAPipeline() {
        Log log = new Log();
        Arena arena = Arena.ofAuto();
        TrafficRounds rounds = TrafficRounds.begin(List.of(log), MANY, NEVER_NS);
        rounds.add(report(30));
        rounds.add(new RtcpPacket(
                new PacketContext(20, 0, Endpoint.ofIpv4(1, 4001), Endpoint.ofIpv4(2, 4001)),
                arena.allocate(8),
                0,
                8,
                8));
        rounds.add(message(40));
        rounds.add(message(10));
        rounds.add(message(40, arena.allocate(1), 1));
        rounds.close();
        assertThat(log.lines)
                .containsExactly(
                        "begin 10",
                        "sip 7 1 10",
                        "sip 7 4 40",
                        "sip 7 5 40",
                        "publish",
                        "rtcp 2 20",
                        "measured 3 30 a@b",
                        "end 40");
        assertThat(rounds.report().firstNs()).isEqualTo(10);
        assertThat(rounds.report().lastNs()).isEqualTo(40);
    }

    @Test
    void endsARoundInTimeAndWhenItIsFull() throws InterruptedException {
        CountDownLatch inTime = new CountDownLatch(1);
        TrafficRounds timed = TrafficRounds.to(ends(inTime));
        timed.add(message(1));
        assertThat(inTime.await(50, TimeUnit.SECONDS)).isTrue();
        timed.close();
        CountDownLatch full = new CountDownLatch(1);
        TrafficRounds small = TrafficRounds.begin(List.of(ends(full)), 3, NEVER_NS);
        for (int i = 0; i < 3; i++) {
            small.add(message(i));
        }
        assertThat(full.await(50, TimeUnit.SECONDS)).isTrue();
        small.close();
    }

    private static TrafficSink ends(CountDownLatch latch) {
        return new TrafficSink() {
            @Override
            public void endOfRound(long latestNs) {
                latch.countDown();
            }
        };
    }

    @Test
    void refusesAndCountsWhatSinksDoNotKeepUpWith() throws InterruptedException {
        CountDownLatch isReporting = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Log log = new Log() {
            @Override
            public void begin(long firstNs) {
                super.begin(firstNs);
                isReporting.countDown();
                awaitUninterruptibly(goOn);
            }
        };
        TrafficRounds rounds = TrafficRounds.begin(List.of(log), 2, NEVER_NS);
        assertThat(rounds.add(message(1))).isTrue();
        assertThat(rounds.add(message(2))).isTrue();
        isReporting.await();
        assertThat(rounds.add(message(3))).isTrue();
        assertThat(rounds.add(report(4))).isTrue();
        assertThat(rounds.add(message(5))).isFalse();
        assertThat(rounds.add(report(6))).isFalse();
        goOn.countDown();
        rounds.close();
        assertThat(rounds.add(message(7))).isFalse();
        assertThat(rounds.report().packets()).isEqualTo(4);
        assertThat(rounds.report().counters())
                .containsExactly(new CaptureReport.Counter("refusedEvents", 3, 0, 0, 5, 7));
        assertThat(log.lines).contains("sip 7 3 3", "measured 4 4 a@b").hasSize(9);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void boundsTheBytesOfARound() throws InterruptedException {
        CountDownLatch goOn = new CountDownLatch(1);
        TrafficSink waiting = new TrafficSink() {
            @Override
            public void begin(long firstNs) {
                awaitUninterruptibly(goOn);
            }
        };
        MemorySegment large = Arena.ofAuto().allocate(1 << 20);
        TrafficRounds rounds = TrafficRounds.begin(List.of(waiting), MANY, NEVER_NS);
        int taken = 0;
        while (rounds.add(message(taken, large, 1 << 20))) {
            taken++;
        }
        assertThat(taken).isEqualTo((int) (2 * EventRound.MOST_BYTES >>> 20));
        goOn.countDown();
        rounds.close();
        assertThat(rounds.report().bytes()).isEqualTo(2 * EventRound.MOST_BYTES);
    }

    @Test
    void borrowsNothingAndLeavesNoMemory() {
        List<MemorySegment> seen = Collections.synchronizedList(new ArrayList<>());
        List<byte[]> bytes = Collections.synchronizedList(new ArrayList<>());
        TrafficRounds rounds = TrafficRounds.begin(
                List.of(new TrafficSink() {
                    @Override
                    public void sip(int shard, SipPacket message) {
                        seen.add(message.segment());
                        bytes.add(bytes(message.segment(), message.offset(), message.length()));
                    }
                }),
                MANY,
                NEVER_NS);
        byte[] text = "OPTIONS sip:bob SIP/2.0\r\n".getBytes(StandardCharsets.US_ASCII);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(text.length);
            MemorySegment.copy(text, 0, segment, ValueLayout.JAVA_BYTE, 0, text.length);
            rounds.add(message(1, segment, text.length));
        } // what was added is gone
        rounds.close();
        assertThat(bytes).containsExactly(text);
        assertThat(seen).hasSize(1).allMatch(segment -> !segment.scope().isAlive());
        rounds.close(); // once more is nothing
    }

    @Test
    void containsWhatASinkThrows() {
        Log log = new Log();
        IllegalStateException thrown = new IllegalStateException("thrown in on purpose");
        TrafficSink failing = new TrafficSink() {
            @Override
            public void sip(int shard, SipPacket message) {
                throw thrown;
            }

            @Override
            public void measured(MediaReport report) {
                throw thrown;
            }

            @Override
            public void endOfRound(long latestNs) {
                throw thrown;
            }
        };
        TrafficRounds rounds = TrafficRounds.begin(List.of(failing, log), MANY, NEVER_NS);
        rounds.add(message(1));
        rounds.add(report(2));
        rounds.close();
        assertThat(log.lines).containsExactly("begin 1", "sip 7 1 1", "publish", "measured 2 2 a@b", "end 2");
        assertThat(rounds.report().defect()).isSameAs(thrown);
        assertThat(rounds.report().counters())
                .containsExactly(
                        new CaptureReport.Counter("failedMessages", 1, 1, 1, 1, 1),
                        new CaptureReport.Counter("failedMediaPackets", 1, 2, 2, 2, 2),
                        new CaptureReport.Counter("failedConsumers", 1, 2, 2, 2, 2));
    }

    @Test
    void endsWithASinkThatCannotWrite() {
        UncheckedIOException full = new UncheckedIOException(new IOException("the disk is full"));
        CountDownLatch reached = new CountDownLatch(1);
        TrafficRounds rounds = TrafficRounds.begin(
                List.of(new TrafficSink() {
                    @Override
                    public void sip(int shard, SipPacket message) {
                        reached.countDown();
                        throw full;
                    }
                }),
                1,
                NEVER_NS);
        rounds.add(message(1));
        awaitUninterruptibly(reached);
        while (rounds.add(message(2))) {
            Thread.onSpinWait(); // until it has ended
        }
        assertThatThrownBy(rounds::close).isSameAs(full);
    }

    @Test
    void cannotBeClosedByItsSink() {
        List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
        TrafficRounds[] made = new TrafficRounds[1];
        TrafficRounds rounds = TrafficRounds.begin(
                List.of(new TrafficSink() {
                    @Override
                    public void sip(int shard, SipPacket message) {
                        try {
                            made[0].close();
                        } catch (IllegalStateException e) {
                            thrown.add(e);
                        }
                    }
                }),
                MANY,
                NEVER_NS);
        made[0] = rounds;
        rounds.add(message(1));
        rounds.close();
        assertThat(thrown).hasSize(1);
    }

    @Test
    void takesALongMessageThatDoesNotFitIntoTheRoundIntoTheNext() {
        List<Integer> lengths = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            int part = 1 << 20;
            MemorySegment memory = arena.allocate(2L * part);
            TrafficRounds rounds = TrafficRounds.begin(
                    List.of(new TrafficSink() {
                        @Override
                        public void sip(int shard, SipPacket message) {
                            lengths.add(message.length());
                        }
                    }),
                    MANY,
                    NEVER_NS);
            int parts = (int) (EventRound.MOST_BYTES / part) - 1;
            for (int i = 0; i < parts; i++) {
                assertThat(rounds.add(message(i, memory, part))).isTrue();
            }
            assertThat(rounds.add(message(parts, memory, 2 * part))).isTrue();
            rounds.close();
            assertThat(lengths).hasSize(parts + 1).endsWith(2 * part);
            assertThat(rounds.report().counters()).isEmpty();
        }
    }
}
