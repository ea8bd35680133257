package io.offhook.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.live.packetsocket.PacketSocketOptions;
import io.offhook.live.packetsocket.PacketSocketSource;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.FrameDirection;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PacketSink;
import io.offhook.pcap.file.QueuedSink;
import io.offhook.testkit.network.Network;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** Several interfaces as one source, and a disk that is slow: every packet that was sent is somewhere. */
@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(120)
class MergedCaptureTest {
    private static final int FRAMES = 20_000;

    @AutoClose
    private final Network network = Network.pair();

    MergedCaptureTest() throws IOException {}

    private static List<byte[]> frames(int count) {
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] frame = new byte[200];
            frame[0] = 2;
            frame[6] = 2;
            frame[12] = 8;
            frame[20] = (byte) (i >>> 8);
            frame[21] = (byte) i;
            frames.add(frame);
        }
        return frames;
    }

    /** Both ends of the cable. */
    private MergedLiveSource both(int blockBytes, int blocks) throws Exception {
        LiveSource left = network.left()
                .on(() -> PacketSocketSource.open(
                        PacketSocketOptions.of(Network.LEFT).withRing(blockBytes, blocks), ""));
        LiveSource right = network.right()
                .on(() -> PacketSocketSource.open(
                        PacketSocketOptions.of(Network.RIGHT).withRing(blockBytes, blocks), ""));
        return MergedLiveSource.of(List.of(left, right));
    }

    /** Sends while somebody takes what arrives: a ring that nobody reads is full sooner than its bytes are, as blocks have a time. */
    private Future<?> sendAndStop(ExecutorService sender, LiveSource source) {
        return sender.submit(() -> {
            network.send(frames(FRAMES));
            source.stop();
            return true;
        });
    }

    @Test
    void hasEachFrameAsItLeavesAndAsItArrives() throws Exception {
        try (MergedLiveSource source = both(1 << 18, 64);
                ExecutorService sender = Executors.newSingleThreadExecutor()) {
            Future<?> sent = sendAndStop(sender, source);
            int[] next = new int[2];
            long latestNs = 0;
            long late = 0;
            FrameBatch batch = new FrameBatch(1000);
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    int end = batch.interfaceIndex(i);
                    assertThat(batch.direction(i))
                            .isEqualTo(end == 0 ? FrameDirection.OUTGOING : FrameDirection.INCOMING);
                    int number = (batch.segmentOf(i).get(ValueLayout.JAVA_BYTE, batch.offset(i) + 20) & 0xff) << 8
                            | batch.segmentOf(i).get(ValueLayout.JAVA_BYTE, batch.offset(i) + 21) & 0xff;
                    assertThat(number).isEqualTo(next[end]++);
                    late += batch.timestampNs(i) < latestNs ? 1 : 0;
                    latestNs = Math.max(latestNs, batch.timestampNs(i));
                }
            }
            sent.get();
            assertThat(next).containsExactly(FRAMES, FRAMES);
            assertThat(source.lateFrames()).isEqualTo(late);
            assertThat(source.counts()).isEqualTo(new LiveCounts(2L * FRAMES, 2L * FRAMES, 0, 0, 0, 0));
            assertThat(source.counts(0)).isEqualTo(new LiveCounts(FRAMES, FRAMES, 0, 0, 0, 0));
            assertThat(source.counts(1)).isEqualTo(source.counts(0));
        }
    }

    @Test
    void countsWhatASlowConsumerCosts() throws Exception {
        try (MergedLiveSource source = both(64 << 10, 2)) {
            network.send(frames(FRAMES)); // nobody takes any: readers fill what they have, then rings are full
            source.stop();
            FrameBatch batch = new FrameBatch(1000);
            long got = 0;
            while (source.next(batch)) {
                got += batch.count();
            }
            LiveCounts counts = source.counts();
            assertThat(counts.ringDrops()).isPositive();
            assertThat(counts.delivered()).isEqualTo(got);
            assertThat(counts.received()).isEqualTo(2L * FRAMES);
            assertThat(counts.delivered() + counts.drops()).isEqualTo(counts.received());
            assertThat(source.losses().stream()
                            .mapToLong(loss -> loss.packets())
                            .sum())
                    .isEqualTo(counts.drops());
        }
    }

    @Test
    @SuppressWarnings("try") // what the disk has got is asked for once it is done
    void countsWhatASlowDiskCosts() throws Exception {
        class Slow implements PacketSink {
            private long frames;
            private long lost;

            @Override
            public void write(
                    MemorySegment segment, long offset, int captured, int wire, long timestampNs, int linkType) {
                frames++;
                LockSupport.parkNanos(frames % 50 == 0 ? 1_000_000 : 0);
            }

            @Override
            public void lost(int interfaceIndex, long systemDrops, long ownDrops) {
                lost += ownDrops;
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        }

        Slow slow = new Slow();
        try (LiveSource source =
                        network.right().on(() -> PacketSocketSource.open(PacketSocketOptions.of(Network.RIGHT), ""));
                ExecutorService sender = Executors.newSingleThreadExecutor()) {
            QueuedSink sink = QueuedSink.of(slow, 1 << 20);
            Future<?> sent = sendAndStop(sender, source);
            FrameBatch batch = new FrameBatch(1000);
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    sink.write(batch, i);
                }
                sink.show();
            }
            sent.get();
            sink.close();
            LiveCounts counts = source.counts();
            // the ring had room for all of it: it is the disk that was too slow
            assertThat(counts.drops()).isZero();
            assertThat(counts.delivered()).isEqualTo(FRAMES);
            assertThat(sink.drops()).isPositive();
            assertThat(slow.frames + sink.drops()).isEqualTo(FRAMES);
            assertThat(slow.lost).isEqualTo(sink.drops());
        }
    }

    /** A source that always has as many frames as a batch takes. */
    private static final class Endless implements LiveSource {
        private final MemorySegment memory;
        private long number;

        Endless(MemorySegment memory) {
            this.memory = memory;
        }

        @Override
        public boolean next(FrameBatch batch) {
            batch.clear(number + 1);
            int segment = batch.addSegment(memory);
            while (!batch.isFull()) {
                batch.add(segment, 0, 60, 60, number++, 0, LinkType.ETHERNET);
                batch.direction(FrameDirection.INCOMING);
            }
            return true;
        }

        @Override
        public void stop() {}

        @Override
        public LiveCounts counts() {
            return LiveCounts.NONE;
        }

        @Override
        public List<CaptureInterface> interfaces() {
            return List.of(new CaptureInterface("endless", LinkType.ETHERNET, 0, 1_000_000_000, 0, "endless"));
        }

        @Override
        public List<CaptureFault> faults() {
            return List.of();
        }

        @Override
        public void close() {}
    }

    @Test
    void mergesWithoutAllocation() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        try (Arena arena = Arena.ofShared();
                MergedLiveSource source = MergedLiveSource.of(
                        List.of(new Endless(arena.allocate(64)), new Endless(arena.allocate(64))))) {
            FrameBatch batch = new FrameBatch(4096);
            long least = Long.MAX_VALUE;
            for (int attempt = 0; attempt < 10; attempt++) {
                long before = threads.getThreadAllocatedBytes(thread);
                long frames = 0;
                while (frames < 200_000) {
                    assertThat(source.next(batch)).isTrue();
                    frames += batch.count();
                }
                least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
            }
            // what a batch costs: its lock, its assertion above; a frame costs nothing
            assertThat(least).isLessThan(200_000);
        }
    }
}
