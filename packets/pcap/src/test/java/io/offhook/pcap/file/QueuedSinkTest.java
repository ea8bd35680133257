package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.FrameDirection;
import io.offhook.packet.LinkType;
import io.offhook.pcap.PacketSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class QueuedSinkTest {
    private static final int MIB = 1 << 20;
    private static final List<FrameDirection> DIRECTIONS =
            List.of(FrameDirection.UNKNOWN, FrameDirection.INCOMING, FrameDirection.OUTGOING);

    private final MemorySegment bytes = Arena.ofAuto().allocate(70_000, 8);
    private final FrameBatch batch = new FrameBatch(1);

    /** Takes down what it is told, and may be slow. */
    private static final class Told implements PacketSink {
        private final List<String> lines = new ArrayList<>();
        private final CountDownLatch open;
        private final long sleepNs;
        private long frames;
        private long lost;
        private final AtomicInteger flushes = new AtomicInteger();
        private volatile boolean isClosed;

        Told(CountDownLatch open, long sleepNs) {
            this.open = open;
            this.sleepNs = sleepNs;
        }

        @Override
        public void write(MemorySegment segment, long offset, int captured, int wire, long timestampNs, int linkType) {
            throw new AssertionError("frames have interfaces");
        }

        @Override
        public void write(FrameBatch batch, int i) {
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            LockSupport.parkNanos(sleepNs);
            frames++;
            int captured = batch.capturedLength(i);
            for (int at = 0; at < captured; at++) {
                byte octet = batch.segmentOf(i).get(ValueLayout.JAVA_BYTE, batch.offset(i) + at);
                if (octet != (byte) (batch.timestampNs(i) + at)) {
                    throw new AssertionError("frame " + batch.timestampNs(i) + " has other bytes");
                }
            }
            lines.add(batch.timestampNs(i) + " " + captured + " " + batch.wireLength(i) + " " + batch.interfaceIndex(i)
                    + " " + batch.linkType(i) + " " + batch.direction(i));
        }

        @Override
        public void lost(int interfaceIndex, long systemDrops, long ownDrops) {
            lost += systemDrops + ownDrops;
            lines.add("lost " + interfaceIndex + " " + systemDrops + " " + ownDrops);
        }

        @Override
        public void time(long nowNs) {
            lines.add("time " + nowNs);
        }

        @Override
        public void flush() {
            flushes.incrementAndGet();
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    private static Told quick() {
        return new Told(new CountDownLatch(0), 0);
    }

    private void write(QueuedSink sink, long number, int length, int interfaceIndex, FrameDirection direction) {
        for (int at = 0; at < length; at++) {
            bytes.set(ValueLayout.JAVA_BYTE, at, (byte) (number + at));
        }
        batch.clear(1);
        batch.add(batch.addSegment(bytes), 0, length, length + 4, number, interfaceIndex, LinkType.RAW);
        batch.direction(direction);
        sink.write(batch, 0);
    }

    @Test
    void reportsItsThreadThatItBeginsAndEnds() {
        List<String> calls = Collections.synchronizedList(new ArrayList<>());
        QueuedSink sink = QueuedSink.of(quick(), MIB, new QueuedSink.Life() {
            @Override
            public void begins() {
                calls.add("begins on " + Thread.currentThread().getName());
            }

            @Override
            public void ends() {
                calls.add("ends on " + Thread.currentThread().getName());
            }
        });
        sink.close();
        assertThat(calls).containsExactly("begins on offhook-writer", "ends on offhook-writer");
    }

    @Test
    void reportsWhatItWritesAndThatItWaits() {
        AtomicLong written = new AtomicLong();
        List<Boolean> waits = Collections.synchronizedList(new ArrayList<>());
        try (QueuedSink sink = QueuedSink.of(quick(), MIB, new QueuedSink.Life() {
            @Override
            public void waits(boolean begins) {
                waits.add(begins);
            }

            @Override
            public void wrote(int frames, long waitingBytes) {
                written.addAndGet(frames);
            }
        })) {
            for (int i = 1; i <= 1000; i++) {
                write(sink, i, 0, 60, FrameDirection.UNKNOWN);
                sink.show();
            }
        }
        assertThat(written).hasValue(1000);
        for (int i = 0; i < waits.size(); i++) {
            assertThat(waits.get(i)).isEqualTo(i % 2 == 0);
        }
        assertThat(waits.size() % 2).isZero();
    }

    @Test
    void aThreadThatCannotBeginIsAFailureOfTheSink() {
        AtomicBoolean ended = new AtomicBoolean();
        QueuedSink sink = QueuedSink.of(quick(), MIB, new QueuedSink.Life() {
            @Override
            public void begins() {
                throw new IllegalArgumentException("no");
            }

            @Override
            public void ends() {
                ended.set(true);
            }
        });
        assertThatThrownBy(sink::close)
                .isInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("no");
        assertThat(ended).isTrue();
    }

    @Test
    void handsOnAllInTheirOrderByteForByte() {
        Told reported = quick();
        Random random = new Random(7);
        List<String> expected = new ArrayList<>();
        try (QueuedSink sink = QueuedSink.of(reported, MIB)) {
            for (int i = 0; i < 5000; i++) {
                int length = random.nextInt(i % 100 == 0 ? 65_000 : 1500);
                FrameDirection direction = DIRECTIONS.get(i % 3);
                while (sink.waitingBytes() > MIB / 2) {
                    Thread.onSpinWait(); // nothing is to be dropped here
                }
                write(sink, i, length, i % 5, direction);
                expected.add(i + " " + length + " " + (length + 4) + " " + i % 5 + " 101 " + direction);
                if (i % 1000 == 0) {
                    sink.lost(6, i, 1);
                    sink.time(i);
                    expected.add("time " + i);
                    expected.add("lost 6 " + i + " 1");
                }
                sink.show();
            }
            assertThat(sink.drops()).isZero();
        }
        assertThat(reported.lines).isEqualTo(expected);
        assertThat(reported.isClosed).isTrue();
    }

    @Test
    void dropsWhatThereIsNoRoomForAndReportsWhere() {
        CountDownLatch open = new CountDownLatch(1);
        Told reported = new Told(open, 0);
        QueuedSink sink = QueuedSink.of(reported, MIB);
        for (int i = 0; i < 2000; i++) { // 2 MB
            write(sink, i, 992, 1, FrameDirection.INCOMING);
        }
        sink.show();
        long drops = sink.drops();
        assertThat(drops).isEqualTo(2000 - MIB / 1024);
        assertThat(sink.drops(1)).isEqualTo(drops);
        assertThat(sink.drops(0)).isZero();
        open.countDown();
        while (sink.waitingBytes() > 0) {
            Thread.onSpinWait();
        }
        write(sink, 2000, 10, 1, FrameDirection.INCOMING);
        sink.close();
        assertThat(reported.lines).hasSize(MIB / 1024 + 2);
        assertThat(reported.lines.subList(MIB / 1024, reported.lines.size()))
                .containsExactly("lost 1 0 " + drops, "2000 10 14 1 101 INCOMING");
    }

    @Test
    void everyFrameIsWrittenOrCountedWhereTheSinkIsSlow() {
        Told reported = new Told(new CountDownLatch(0), 20_000);
        QueuedSink sink = QueuedSink.of(reported, MIB);
        int frames = 20_000;
        for (int i = 0; i < frames; i++) {
            write(sink, i, 1400, i % 2, FrameDirection.INCOMING);
            sink.show();
        }
        sink.close();
        assertThat(sink.drops()).isPositive();
        assertThat(reported.frames + sink.drops()).isEqualTo(frames);
        assertThat(reported.lost).as("the end tells of the last ones, too").isEqualTo(sink.drops());
        assertThat(sink.drops(0) + sink.drops(1)).isEqualTo(sink.drops());
    }

    @Test
    void flushesWhatWaitsOnceNoMoreComes() {
        Told reported = quick();
        try (QueuedSink sink = QueuedSink.of(reported, MIB)) {
            write(sink, 1, 10, 0, FrameDirection.INCOMING);
            sink.show();
            long began = System.nanoTime();
            while (reported.flushes.get() == 0) {
                assertThat(System.nanoTime() - began).isLessThan(20_000_000_000L);
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void aFailureEndsIt() {
        class Full implements PacketSink {
            private boolean isClosed;

            @Override
            public void write(
                    MemorySegment segment, long offset, int captured, int wire, long timestampNs, int linkType) {
                throw new UncheckedIOException("writing failed: full", new IOException("full"));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {
                isClosed = true;
            }
        }

        Full full = new Full();
        QueuedSink sink = QueuedSink.of(full, MIB);
        assertThatThrownBy(() -> {
                    while (true) {
                        write(sink, 1, 10, 0, FrameDirection.INCOMING);
                        sink.show();
                    }
                })
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("writing failed: full");
        assertThatThrownBy(sink::close).isInstanceOf(UncheckedIOException.class);
        assertThat(full.isClosed).isTrue();
        sink.close(); // again does nothing
    }

    /** With a thread that has ended, nothing makes room: who waits for it would wait for ever. */
    @Test
    void anErrorEndsItToo() {
        PacketSink broken = new PacketSink() {
            @Override
            public void write(
                    MemorySegment segment, long offset, int captured, int wire, long timestampNs, int linkType) {
                throw new OutOfMemoryError("of a compressor");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        QueuedSink sink = QueuedSink.of(broken, MIB);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1_000_000; i++) {
                        write(sink, i, 1000, 0, FrameDirection.INCOMING);
                        sink.show();
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("of a compressor");
        assertThatThrownBy(sink::close).hasRootCauseMessage("of a compressor");
    }

    @Test
    void writesWithoutAllocation() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        PacketSink nowhere = new PacketSink() {
            @Override
            public void write(
                    MemorySegment segment, long offset, int captured, int wire, long timestampNs, int linkType) {}

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        try (QueuedSink sink = QueuedSink.of(nowhere, MIB)) {
            long least = Long.MAX_VALUE;
            for (int attempt = 0; attempt < 10; attempt++) {
                long before = threads.getThreadAllocatedBytes(thread);
                for (int i = 0; i < 20_000; i++) {
                    sink.write(batchOfOne(), 0);
                    sink.show();
                }
                least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
            }
            assertThat(least).isLessThan(1_000);
        }
    }

    private FrameBatch batchOfOne() {
        if (batch.count() == 0) {
            batch.add(batch.addSegment(bytes), 0, 60, 60, 1, 0, LinkType.ETHERNET);
        }
        return batch;
    }

    @Test
    void refusesAQueueThatHoldsNoPacket() {
        assertThatThrownBy(() -> QueuedSink.of(quick(), 1000)).isInstanceOf(IllegalArgumentException.class);
    }
}
