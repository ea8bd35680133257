package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.filter.PacketFilter;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.FileTruncatedException;
import io.offhook.pcap.FilteredSource;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.WrappedSource;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class CaptureMemoryTest {
    private static final long PLENTY = 64 << 20;

    @TempDir
    private Path folder;

    private String capture(int packets, int longest) {
        Random random = new Random(packets);
        PcapNgBytes file = PcapNgBytes.of(ByteOrder.BIG_ENDIAN).describe(1, 0).describe(113, 0);
        for (int i = 0; i < packets; i++) {
            file.enhanced(random.nextInt(2), 1000L + i, random.nextInt(longest + 1));
        }
        file.statistics(0, file.counter(5, 3));
        return Reading.write(folder, file.toBytes()).toString();
    }

    private static List<ReadFrame> frames(PacketSource source, int capacity) {
        try (source) {
            return ReadFrame.readAll(source, capacity);
        }
    }

    @Test
    void replaysWhatTheFileHolds() {
        String path = capture(20_000, 200);
        List<ReadFrame> expected = frames(CaptureFiles.open(path), 1000);
        try (CaptureMemory memory = CaptureMemory.load(List.of(path), PLENTY)) {
            assertThat(memory.frames()).isEqualTo(20_000);
            assertThat(memory.bytes())
                    .isEqualTo(expected.stream()
                            .mapToLong(ReadFrame::capturedLength)
                            .sum());
            assertThat(memory.memoryBytes()).isBetween(memory.bytes() + 32 * memory.frames(), PLENTY);
            for (int capacity : new int[] {1, 100, 30_000}) {
                assertThat(frames(memory.replay(), capacity)).isEqualTo(expected);
            }
            try (PacketSource replay = memory.replay()) {
                assertThat(replay.interfaces()).hasSize(2);
                assertThat(replay.faults()).isEmpty();
                assertThat(replay.losses()).hasSize(1);
                assertThat(replay.endNs()).isEqualTo(PacketSource.END_NOT_TOLD);
            }
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a mapped file cannot be truncated there")
    void namesAFileThatIsTruncatedWhileItIsLoaded() {
        PcapBytes capture = PcapBytes.plain();
        for (int i = 0; i < 1000; i++) {
            capture.record(i, 0, 1000);
        }
        Path file = Reading.write(folder, capture.toBytes());
        PacketSource source = new WrappedSource(CaptureFiles.open(file.toString())) {
            @Override
            public boolean next(FrameBatch batch) {
                boolean hasFrames = super.next(batch);
                Reading.truncate(file, 100);
                return hasFrames;
            }
        };
        try (source) {
            assertThatThrownBy(() -> CaptureMemory.load(source, PLENTY))
                    .isInstanceOf(FileTruncatedException.class)
                    .hasMessageStartingWith(file + ": at byte 100: the file was cut shorter while it was read");
        }
    }

    @Test
    void severalThreadsReplayAtTheSameTime() throws InterruptedException, ExecutionException {
        String path = capture(5_000, 100);
        List<ReadFrame> expected = frames(CaptureFiles.open(path), 1000);
        try (CaptureMemory memory = CaptureMemory.load(List.of(path), PLENTY);
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<List<ReadFrame>>> replays = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int capacity = 10 + 300 * i;
                replays.add(threads.submit(() -> frames(memory.replay(), capacity)));
            }
            for (Future<List<ReadFrame>> replay : replays) {
                assertThat(replay.get()).isEqualTo(expected);
            }
        }
    }

    @Test
    void takesNoMoreThanItMay() {
        String path = capture(3_000, 500);
        long needed;
        try (CaptureMemory memory = CaptureMemory.load(List.of(path), PLENTY)) {
            needed = memory.bytes() + 32 * memory.frames();
        }
        assertThatThrownBy(() -> CaptureMemory.load(List.of(path), needed - 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("the captures need more than the " + (needed - 1)
                        + " bytes allowed; \\d+ frames with \\d+ bytes fit");
        // what is lost to the ends of pieces is little
        try (CaptureMemory memory = CaptureMemory.load(List.of(path), needed * 3 / 2)) {
            assertThat(memory.frames()).isEqualTo(3_000);
            assertThat(memory.memoryBytes()).isLessThanOrEqualTo(needed * 3 / 2);
        }
        assertThatThrownBy(() -> CaptureMemory.load(List.of(path), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("mostBytes 0 is below 1");
    }

    @Test
    void keepsWhatComesBeforeDamage() {
        PcapBytes file = PcapBytes.plain().record(1, 0, 10);
        Path path = Reading.write(folder, Reading.join(file.toBytes(), new byte[] {1, 2, 3}));
        try (CaptureMemory memory = CaptureMemory.load(List.of(path.toString()), PLENTY);
                PacketSource replay = memory.replay()) {
            assertThat(memory.frames()).isEqualTo(1);
            assertThat(replay.faults()).hasSize(1);
        }
    }

    @Test
    void closingEndsThoseWhoStillReadWithAnException() throws InterruptedException, ExecutionException {
        CaptureMemory memory = CaptureMemory.load(List.of(capture(5_000, 100)), PLENTY);
        CountDownLatch reading = new CountDownLatch(3);
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Future<Throwable>> readers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                readers.add(threads.submit(() -> {
                    long sum = 0;
                    try {
                        sum = sumOf(memory.replay());
                        reading.countDown();
                        while (true) {
                            sum += sumOf(memory.replay());
                        }
                    } catch (IllegalStateException e) {
                        assertThat(sum).isPositive();
                        return e;
                    }
                }));
            }
            reading.await();
            memory.close();
            for (Future<Throwable> reader : readers) {
                assertThat(reader.get()).isInstanceOf(IllegalStateException.class);
            }
        }
    }

    private static long sumOf(PacketSource source) {
        FrameBatch batch = new FrameBatch(100);
        long sum = 0;
        while (source.next(batch)) {
            for (int i = 0; i < batch.count(); i++) {
                for (int at = 0; at < batch.capturedLength(i); at++) {
                    sum += batch.segmentOf(i).get(ValueLayout.JAVA_BYTE, batch.offset(i) + at) & 0xff;
                }
            }
        }
        return sum;
    }

    @Test
    void numbersWhatAFilterLeftFromOne() {
        String path = capture(100, 50);
        try (PacketSource source =
                        new FilteredSource(CaptureFiles.open(path), linkType -> PacketFilter.of("less 20", linkType));
                CaptureMemory memory = CaptureMemory.load(source, PLENTY)) {
            assertThat(memory.frames()).isBetween(1L, 99L);
            assertThat(frames(memory.replay(), 10))
                    .extracting(ReadFrame::number)
                    .isEqualTo(
                            LongStream.rangeClosed(1, memory.frames()).boxed().toList());
        }
    }

    @Test
    void isGoneOnceItIsClosed() {
        CaptureMemory memory = CaptureMemory.load(List.of(capture(10, 10)), PLENTY);
        FrameBatch batch = new FrameBatch(4);
        try (PacketSource replay = memory.replay()) {
            assertThat(replay.next(batch)).isTrue();
            memory.close();
            memory.close();
            assertThatThrownBy(() -> replay.next(batch)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> ReadFrame.of(batch, 0)).isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(memory::replay)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the captures in memory are closed");
    }

    @Test
    void replayingAllocatesNothing() {
        try (CaptureMemory memory = CaptureMemory.load(List.of(capture(5_000, 100)), PLENTY)) {
            FrameBatch batch = new FrameBatch(256);
            for (int round = 0; round < 20; round++) {
                drain(memory.replay(), batch);
            }
            var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
            PacketSource replay = memory.replay();
            long before = threads.getCurrentThreadAllocatedBytes();
            long sum = drain(replay, batch);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(sum).isEqualTo(5_000);
            assertThat(allocated).isZero();
        }
    }

    private static long drain(PacketSource source, FrameBatch batch) {
        long frames = 0;
        while (source.next(batch)) {
            frames += batch.count();
        }
        return frames;
    }
}
