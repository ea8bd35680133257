package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.PacketSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is in a file at any time can be read: who writes it may be killed. */
class WholeRecordsTest {
    @TempDir
    private Path folder;

    private final MemorySegment bytes = Arena.ofAuto().allocate(300_000);

    /** Remembers what the file was after each write. */
    private static final class Watched implements WritableByteChannel {
        private final ByteArrayOutputStream file = new ByteArrayOutputStream();
        private final List<Integer> sizes = new ArrayList<>();

        @Override
        public int write(ByteBuffer source) {
            byte[] some = new byte[source.remaining()];
            source.get(some);
            file.writeBytes(some);
            sizes.add(file.size());
            return some.length;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private void assertWholeAfterEachWrite(Watched watched, int packets) {
        byte[] all = watched.file.toByteArray();
        assertThat(watched.sizes).hasSizeGreaterThan(10);
        int before = 0;
        for (int size : watched.sizes) {
            Reading reading = Reading.mapped(folder, Arrays.copyOf(all, size), 1000);
            assertThat(reading.faults()).isEmpty();
            assertThat(reading.frames().size()).isGreaterThanOrEqualTo(before);
            before = reading.frames().size();
        }
        assertThat(before).isEqualTo(packets);
    }

    @ParameterizedTest
    @EnumSource(names = {"PCAP", "PCAP_NANOSECOND", "PCAPNG"})
    void aFileEndsBehindAWholeFrameAfterEachWrite(CaptureFormat format) {
        Watched watched = new Watched();
        Random random = new Random(1);
        try (PacketSink sink = format == CaptureFormat.PCAPNG
                ? PcapNgWriter.to(watched)
                : PcapWriter.to(watched, format, LinkType.ETHERNET)) {
            for (int i = 0; i < 3000; i++) {
                int length = random.nextInt(i % 50 == 0 ? 100_000 : 2000);
                sink.write(bytes, 0, length, length, i, LinkType.ETHERNET);
            }
        }
        assertWholeAfterEachWrite(watched, 3000);
    }

    @Test
    void rewrittenFilesEndBehindAWholeBlockAfterEachWrite() {
        PcapNgBytes one = PcapNgBytes.plain().describe(1, 0);
        PcapNgBytes other = PcapNgBytes.of(ByteOrder.BIG_ENDIAN).describe(1, 0);
        for (int i = 0; i < 3000; i++) {
            one.enhanced(0, 2L * i, 700 + i % 100);
            other.enhanced(0, 2L * i + 1, 300 + i % 100);
            other.statistics(0, other.counter(5, i), other.endOfOptions());
        }
        List<String> paths = List.of(
                Reading.write(folder, one.toBytes()).toString(),
                Reading.write(folder, other.toBytes()).toString());
        for (int files = 1; files <= 2; files++) {
            Watched watched = new Watched();
            try (CaptureRewrite rewrite = CaptureRewrite.open(paths.subList(0, files), InputStream.nullInputStream())) {
                rewrite.to(watched);
            }
            byte[] all = watched.file.toByteArray();
            assertThat(watched.sizes).hasSizeGreaterThan(5);
            for (int size : watched.sizes) {
                assertThat(Reading.mapped(folder, Arrays.copyOf(all, size), 1000)
                                .faults())
                        .isEmpty();
            }
        }
    }

    @Test
    void aFrameThatIsLargerThanTheBufferIsWrittenAllTheSame() {
        Watched watched = new Watched();
        try (PacketSink sink = PcapNgWriter.to(watched)) {
            for (int length : new int[] {262_144, 10, 262_144, 262_130, 0}) {
                sink.write(bytes, 0, length, length, 5, LinkType.ETHERNET);
            }
        }
        Reading reading = Reading.mapped(folder, watched.file.toByteArray(), 10);
        assertThat(reading.faults()).isEmpty();
        assertThat(reading.frames())
                .extracting(ReadFrame::capturedLength)
                .containsExactly(262_144, 10, 262_144, 262_130, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.pcapng", "a.pcap", "a.pcapng.gz", "a.pcap.zst"})
    void flushingHandsOnAllThatWasWritten(String name) throws IOException {
        Path file = folder.resolve(name);
        try (RotatingSink sink = RotatingSink.create(
                file, name.contains("pcapng") ? CaptureFormat.PCAPNG : CaptureFormat.PCAP, RotationLimits.NONE)) {
            sink.flush();
            for (int i = 1; i <= 20; i++) {
                sink.write(bytes, 0, 60, 60, 1000L * i, LinkType.ETHERNET);
                sink.flush();
                Path written = Objects.requireNonNull(sink.file());
                // as it would be found if the process were gone now
                Path found = Files.write(folder.resolve("found-" + name), Files.readAllBytes(written));
                Reading reading = Reading.of(CaptureFiles.open(found.toString()), 10);
                assertThat(reading.frames()).hasSize(i);
                // compressed data has an end, which is not there yet
                assertThat(reading.faults()).hasSize(name.matches(".*(gz|zst)") ? 1 : 0);
            }
        }
    }
}
