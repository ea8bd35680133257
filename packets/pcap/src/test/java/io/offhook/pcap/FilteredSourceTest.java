package io.offhook.pcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import io.offhook.filter.PacketFilter;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.PlacedCount;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.pcap.file.PcapBytes;
import io.offhook.pcap.file.Reading;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilteredSourceTest {
    /** A frame's length is its number in the file: those of which it is a multiple of 3. */
    private static final PacketFilter EVERY_THIRD = (segment, offset, capturedLength, wireLength) ->
            capturedLength % 3 == 0 && wireLength == capturedLength && hasFrameAt(segment, offset, capturedLength)
                    ? 1
                    : 0;

    @TempDir
    private Path directory;

    private static boolean hasFrameAt(java.lang.foreign.MemorySegment segment, long offset, int length) {
        return NetworkOrder.u8(segment, offset) == (length * 31 & 0xff);
    }

    /** Frames of 1, 2, 3... bytes, at 1, 2, 3... seconds. */
    private static byte[] frames(int count, int linkType) {
        PcapBytes capture =
                new PcapBytes(ByteOrder.LITTLE_ENDIAN, PcapBytes.MICROSECONDS).header(2, 4, 65535, linkType);
        for (int i = 1; i <= count; i++) {
            capture.record(i, linkType, i);
        }
        return capture.toBytes();
    }

    private CaptureFileSource open(byte[]... captures) {
        List<String> paths = new ArrayList<>();
        for (byte[] capture : captures) {
            paths.add(Reading.write(directory, capture).toString());
        }
        return CaptureFiles.open(paths);
    }

    private static List<Long> numbers(PacketSource source, int capacity) {
        List<Long> numbers = new ArrayList<>();
        FrameBatch batch = new FrameBatch(capacity);
        while (source.next(batch)) {
            assertThat(batch.count()).isPositive();
            for (int i = 0; i < batch.count(); i++) {
                assertThat(batch.timestampNs(i) / 1_000_000_000).isEqualTo(batch.capturedLength(i));
                numbers.add(batch.number(i));
            }
        }
        assertThat(batch.count()).isZero();
        return numbers;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 100})
    void framesThatAreLeftKeepTheirNumbers(int capacity) {
        try (PacketSource source = new FilteredSource(open(frames(20, 1)), _ -> EVERY_THIRD)) {
            assertThat(numbers(source, capacity)).containsExactly(3L, 6L, 9L, 12L, 15L, 18L);
            PlacedCount filtered = source.filtered();
            assertThat(filtered.count()).isEqualTo(14);
            assertThat(filtered.firstFrame()).isEqualTo(1);
            assertThat(filtered.lastFrame()).isEqualTo(20);
            assertThat(filtered.firstNs()).isEqualTo(1_000_001_000L);
            assertThat(filtered.lastNs()).isEqualTo(20_000_001_000L);
            assertThat(source.interfaces()).hasSize(1);
        }
    }

    @Test
    void leavesNothingOutThatIsWanted() {
        try (PacketSource source = new FilteredSource(open(frames(20, 1)), _ -> (_, _, _, _) -> -1)) {
            assertThat(numbers(source, 7)).hasSize(20);
            assertThat(source.filtered().count()).isZero();
        }
    }

    @Test
    void endsWhereNothingIsWanted() {
        try (PacketSource source = new FilteredSource(open(frames(20, 1)), _ -> (_, _, _, _) -> 0)) {
            assertThat(source.next(new FrameBatch(3))).isFalse();
            assertThat(source.filtered().count()).isEqualTo(20);
        }
    }

    @Test
    void aLiveSourceWithoutWantedFramesReturnsAfterEachBatch() {
        try (PacketSource source = new FilteredSource(
                new WrappedSource(open(frames(20, 1))) {
                    @Override
                    public boolean isLive() {
                        return true;
                    }
                },
                _ -> (_, _, _, _) -> 0)) {
            FrameBatch batch = new FrameBatch(10);
            assertThat(source.next(batch)).isTrue();
            assertThat(batch.count()).isZero();
            assertThat(source.filtered().count()).isEqualTo(10);
            assertThat(source.isLive()).isTrue();
        }
    }

    @Test
    void asksForAFilterOncePerLinkType() {
        List<Integer> asked = new ArrayList<>();
        try (PacketSource source = new FilteredSource(open(frames(9, 1), frames(9, 276)), linkType -> {
            asked.add(linkType);
            return linkType == 1 ? EVERY_THIRD : (_, _, length, _) -> length % 5 == 0 ? 1 : 0;
        })) {
            // merged: frame n of the one is 2n - 1, of the other 2n
            assertThat(numbers(source, 4)).containsExactly(5L, 10L, 11L, 17L);
            assertThat(asked).containsExactly(1, 276);
            assertThat(source.filtered().count()).isEqualTo(14);
        }
    }

    @Test
    void aLinkTypeWithoutFramesIsNotAskedFor() {
        try (PacketSource source = new FilteredSource(open(frames(0, 1)), _ -> {
            throw new AssertionError();
        })) {
            assertThat(source.next(new FrameBatch(1))).isFalse();
            assertThat(source.interfaces()).hasSize(1);
        }
    }

    @Test
    void filtersOfFiltersCountBoth() {
        PacketSource even = new FilteredSource(open(frames(20, 1)), _ -> (_, _, length, _) -> (length + 1) % 2);
        try (PacketSource source = new FilteredSource(even, _ -> EVERY_THIRD)) {
            assertThat(numbers(source, 6)).containsExactly(6L, 12L, 18L);
            assertThat(source.filtered().count()).isEqualTo(17);
        }
    }

    @Test
    void whatMakesNoFilterIsTold() {
        try (PacketSource source = new FilteredSource(open(frames(1, 1)), _ -> {
            throw new IllegalStateException("no such language");
        })) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> source.next(new FrameBatch(1)))
                    .withMessage("no such language");
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a mapped file cannot be cut there")
    void aFileThatIsCutShortMeanwhileEndsIt() throws IOException {
        Path file = Reading.write(directory, frames(2_000, 1));
        try (PacketSource source = new FilteredSource(CaptureFiles.open(file.toString()), _ -> EVERY_THIRD)) {
            FrameBatch batch = new FrameBatch(16);
            assertThat(source.next(batch)).isTrue();
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(100);
            }
            while (source.next(batch)) {
                // what still lies in the page that is left
            }
            assertThat(batch.count()).isZero();
            assertThat(source.faults()).extracting(CaptureFault::kind).containsExactly(CaptureFault.Kind.CUT_OFF);
        }
    }

    @Test
    void siftsWithoutAllocation() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        int frames = 60_000;
        PcapBytes capture = PcapBytes.plain();
        byte[] packet = new byte[3];
        packet[0] = 3 * 31;
        for (int i = 0; i < frames; i++) {
            capture.record(i, 0, packet, i % 2 == 0 ? 3 : 4);
        }
        FrameBatch batch = new FrameBatch(256);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            try (PacketSource source = new FilteredSource(open(capture.toBytes()), _ -> EVERY_THIRD)) {
                assertThat(source.next(batch)).isTrue();
                long before = threads.getThreadAllocatedBytes(thread);
                long count = 0;
                while (source.next(batch)) {
                    count += batch.count();
                }
                least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
                assertThat(count).isEqualTo(frames / 2 - 128);
            }
        }
        assertThat(least).isLessThan(2_000);
    }
}
