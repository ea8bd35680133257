package io.offhook.live.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.live.IdleStrategy;
import io.offhook.live.LiveSink;
import io.offhook.live.SendCounts;
import io.offhook.live.replay.ReplayReport.End;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PacketSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Replays on a clock that stands still while nobody waits, into a sink that writes down what it gets, and when. */
class ReplayTest {
    private static final long EPOCH_NS = 1_700_000_000_000_000_000L;
    private static final int FRAME_BYTES = 100;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment bytes = arena.allocate(4096).fill((byte) 0x55);
    private final Clock clock = new Clock();
    private final Sink sink = new Sink();
    private int frameCheckBytes = CaptureInterface.FRAME_CHECK_NOT_TOLD;
    private final List<Long> times = new ArrayList<>();

    @AfterEach
    void freeMemory() {
        arena.close();
    }

    private static final class Clock implements ReplayClock {
        long now = 77;
        /** What the clock jumps by while it is waited for, beyond what was asked for. */
        long oversleepNs;

        @Override
        public void start() {
            now = 0;
        }

        @Override
        public long nowNs() {
            return now;
        }

        @Override
        public void await(long leftNs) {
            assertThat(leftNs).isPositive();
            now += Math.max(1, leftNs / 2) + oversleepNs;
            oversleepNs = 0;
        }
    }

    private final class Sink implements LiveSink {
        final List<Long> sentAt = new ArrayList<>();
        final List<Integer> lengths = new ArrayList<>();
        final List<Integer> bursts = new ArrayList<>();
        final SendCounts.Builder counts = new SendCounts.Builder();
        int waiting;
        long flushNs;
        int goneAfter = Integer.MAX_VALUE;
        byte lastByte;

        @Override
        public void write(MemorySegment segment, long offset, int captured, int wire, long ns, int linkType) {
            counts.offered();
            lengths.add(captured);
            lastByte = segment.get(ValueLayout.JAVA_BYTE, offset + captured - 1);
            waiting++;
        }

        @Override
        public void flush() {
            bursts.add(waiting);
            clock.now += flushNs;
            for (; waiting > 0; waiting--) {
                sentAt.add(clock.now);
                counts.sent(1, FRAME_BYTES);
            }
        }

        @Override
        public boolean takes(int linkType) {
            return true;
        }

        @Override
        public boolean isGone() {
            return sentAt.size() >= goneAfter;
        }

        @Override
        public SendCounts counts() {
            return counts.build();
        }

        @Override
        public void close() {
            throw new AssertionError("it is not the replay's to close");
        }
    }

    /** Frames at the times, in batches of at most ten. */
    private final class Source implements PacketSource {
        private final int captured;
        private int at;

        Source(int captured) {
            this.captured = captured;
        }

        @Override
        public boolean next(FrameBatch batch) {
            batch.clear(at + 1);
            int segment = batch.addSegment(bytes);
            for (int i = 0; i < 10 && at < times.size(); i++) {
                batch.add(segment, 0, captured, FRAME_BYTES, EPOCH_NS + times.get(at++), 0, LinkType.ETHERNET);
            }
            return batch.count() > 0;
        }

        @Override
        public List<CaptureInterface> interfaces() {
            return List.of(new CaptureInterface("x", LinkType.ETHERNET, 0, 1_000_000, 0, null, frameCheckBytes));
        }

        @Override
        public List<CaptureFault> faults() {
            return List.of();
        }

        @Override
        public void close() {}
    }

    private Replay replay(ReplayOptions options) {
        Supplier<PacketSource> sources = () -> new Source(FRAME_BYTES);
        return new Replay(sources, sink, options, clock);
    }

    private static ReplayOptions options(long passes, long frames, long durationNs) {
        return new ReplayOptions(ReplaySpeed.recorded(1), passes, frames, durationNs, false, IdleStrategy.PARK);
    }

    @Test
    void sendsEachFrameWhenItIsDue() {
        times.addAll(List.of(0L, 1_000L, 1_000L, 5_000_000_000L));
        ReplayReport report = replay(options(1, 0, 0)).run();
        assertThat(sink.sentAt).containsExactly(0L, 1_000L, 1_000L, 5_000_000_000L);
        assertThat(sink.bursts).containsExactly(1, 2, 1);
        assertThat(report.end()).isEqualTo(End.DONE);
        assertThat(report.passes()).isEqualTo(1);
        assertThat(report.read()).isEqualTo(4);
        assertThat(report.counts().sent()).isEqualTo(4);
        assertThat(report.durationNs()).isEqualTo(5_000_000_000L);
        assertThat(report.lateNs()).isZero();
        assertThat(report.framesPerSecond()).isEqualTo(0.8);
        assertThat(report.bitsPerSecond()).isEqualTo(640);
    }

    @Test
    void sendsWhatIsLateAtOnceAndStaysInTime() {
        for (long i = 0; i < 10; i++) {
            times.add(i * 1_000);
        }
        times.add(100_000L);
        clock.oversleepNs = 5_500;
        ReplayReport report = replay(options(1, 0, 0)).run();
        // it woke up at 6,000: frames 1 to 6 are late, the rest is not
        assertThat(sink.bursts).startsWith(1, 6);
        assertThat(sink.sentAt.subList(1, 7)).containsOnly(6_000L);
        assertThat(sink.sentAt.subList(7, 11)).containsExactly(7_000L, 8_000L, 9_000L, 100_000L);
        assertThat(report.lateNs()).isEqualTo(5_000);
    }

    @Test
    void countsTheTimeThatSendingTakesAsLateness() {
        times.addAll(List.of(0L, 1_000_000L));
        sink.flushNs = 300;
        assertThat(replay(options(1, 0, 0)).run().lateNs()).isEqualTo(300);
    }

    @Test
    void handsOverLateFramesInBurstsOfABound() {
        for (long i = 0; i < 1000; i++) {
            times.add(0L);
        }
        ReplayReport report = replay(ReplayOptions.of(ReplaySpeed.top())).run();
        assertThat(sink.sentAt).hasSize(1000);
        assertThat(sink.bursts).allMatch(burst -> burst <= 64);
        assertThat(report.lateNs()).isZero();
        assertThat(report.framesPerSecond()).isNaN();
    }

    @Test
    void beginsAnewAsOftenAsAskedFor() {
        times.addAll(List.of(0L, 1_000L));
        ReplayReport report = replay(options(3, 0, 0)).run();
        assertThat(sink.sentAt).containsExactly(0L, 1_000L, 2_000L, 3_000L, 4_000L, 5_000L);
        assertThat(report.passes()).isEqualTo(3);
    }

    @Test
    void endsAfterTheFramesAskedFor() {
        times.addAll(List.of(0L, 1_000L));
        ReplayReport report = replay(options(0, 5, 0)).run();
        assertThat(sink.sentAt).hasSize(5);
        assertThat(report.end()).isEqualTo(End.FRAMES);
        assertThat(report.read()).isEqualTo(5);
        assertThat(report.passes()).isEqualTo(2);
    }

    @Test
    void endsBeforeAFrameThatIsDueTooLate() {
        times.addAll(List.of(0L, 1_000L));
        ReplayReport report = replay(options(0, 0, 4_500)).run();
        assertThat(sink.sentAt).containsExactly(0L, 1_000L, 2_000L, 3_000L, 4_000L);
        assertThat(report.end()).isEqualTo(End.DURATION);
        assertThat(report.read()).isEqualTo(5);
        assertThat(clock.now).isEqualTo(4_000);
    }

    @Test
    void endsWithTheInterface() {
        times.addAll(List.of(0L, 1_000L, 2_000L));
        sink.goneAfter = 2;
        ReplayReport report = replay(options(1, 0, 0)).run();
        assertThat(sink.sentAt).hasSize(2);
        assertThat(report.end()).isEqualTo(End.INTERFACE_GONE);
    }

    @Test
    void endsWhenToldTo() {
        times.addAll(List.of(0L, 1_000L));
        Replay replay = replay(options(0, 0, 0));
        replay.stop();
        ReplayReport report = replay.run();
        assertThat(report.end()).isEqualTo(End.STOPPED);
        assertThat(sink.sentAt).isEmpty();
    }

    @Test
    void endsWhereThereIsNothingToSend() {
        assertThat(replay(options(0, 0, 0)).run().end()).isEqualTo(End.NOTHING);
    }

    @Test
    void leavesOutFramesThatWereNotCapturedWhole() {
        times.addAll(List.of(0L, 1_000L));
        ReplayReport report = new Replay(() -> new Source(60), sink, options(1, 0, 0), clock).run();
        assertThat(report.cutShort()).isEqualTo(2);
        assertThat(report.read()).isEqualTo(2);
        assertThat(report.counts().offered()).isZero();
        assertThat(report.end()).isEqualTo(End.DONE);
    }

    @Test
    void fillsThemUpWithZerosWhereAskedTo() {
        times.addAll(List.of(0L, 1_000L));
        ReplayOptions padded = new ReplayOptions(ReplaySpeed.top(), 1, 0, 0, true, IdleStrategy.PARK);
        ReplayReport report = new Replay(() -> new Source(60), sink, padded, clock).run();
        assertThat(report.padded()).isEqualTo(2);
        assertThat(report.cutShort()).isZero();
        assertThat(sink.lengths).containsExactly(FRAME_BYTES, FRAME_BYTES);
        assertThat(sink.lastByte).isZero();
    }

    @Test
    void leavesOutFrameCheckSequences() {
        times.addAll(List.of(0L, 1_000L));
        frameCheckBytes = 4;
        ReplayReport report = replay(options(1, 0, 0)).run();
        assertThat(sink.lengths).containsExactly(FRAME_BYTES - 4, FRAME_BYTES - 4);
        assertThat(report.cutShort()).isZero();
        // of one that was cut just before it nothing is missing, of one that was cut before that there is
        assertThat(new Replay(() -> new Source(FRAME_BYTES - 4), sink, options(1, 0, 0), clock)
                        .run()
                        .cutShort())
                .isZero();
        assertThat(new Replay(() -> new Source(FRAME_BYTES - 5), sink, options(1, 0, 0), clock)
                        .run()
                        .cutShort())
                .isEqualTo(2);
    }
}
