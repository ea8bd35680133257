package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.PacketSource;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When capturing ended, by isb_endtime (pcapng, 4.6). */
class CaptureEndTest {
    private static final int END_TIME = 3;
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path directory;

    private long endNs(byte[]... files) {
        List<String> paths = Arrays.stream(files)
                .map(file -> Reading.write(directory, file).toString())
                .toList();
        try (CaptureFileSource source = CaptureFiles.open(paths)) {
            FrameBatch batch = new FrameBatch(10);
            while (source.next(batch)) {
                assertThat(batch.count()).isPositive();
            }
            assertThat(source.faults()).isEmpty();
            assertThat(source.files()).allMatch(file -> file.timestampsClamped() == 0);
            return source.endNs();
        }
    }

    private static byte[] end(PcapNgBytes capture, long units) {
        return capture.option(
                END_TIME,
                capture.body().u32((int) (units >>> 32)).u32((int) units).toBytes());
    }

    @Test
    void isTheLatestThatAnInterfaceReports() {
        for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
            PcapNgBytes capture = PcapNgBytes.of(order);
            capture.describe(1, 0, capture.resolution(6)).describe(1, 0, capture.resolution(9));
            capture.enhanced(0, 5_000_000, 60)
                    .statistics(0, capture.counter(4, 1), end(capture, 90_000_000))
                    .statistics(1, end(capture, 70 * SECOND));
            assertThat(endNs(capture.toBytes())).as("%s", order).isEqualTo(90 * SECOND);
        }
    }

    @Test
    void isNotToldByOtherFilesNorByTimesThatCannotBe() {
        assertThat(endNs(PcapBytes.plain().record(1, 0, 60).toBytes())).isEqualTo(PacketSource.END_NOT_TOLD);
        PcapNgBytes capture = PcapNgBytes.plain();
        capture.describe(1, 0);
        capture.enhanced(0, 5_000_000, 60)
                .statistics(0, end(capture, -1))
                .statistics(0, capture.option(END_TIME, new byte[4]));
        assertThat(endNs(capture.toBytes())).isEqualTo(PacketSource.END_NOT_TOLD);
    }

    @Test
    void comesBackFromTheWriterAndFromSeveralFiles() {
        byte[] early = written(40 * SECOND);
        byte[] late = written(41 * SECOND + 7);
        assertThat(endNs(early)).isEqualTo(40 * SECOND);
        assertThat(endNs(late, early)).isEqualTo(41 * SECOND + 7);
        assertThat(endNs(Reading.gzip(late))).isEqualTo(41 * SECOND + 7);
    }

    private static byte[] written(long endNs) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        MemorySegment frame = Arena.ofAuto().allocate(60);
        try (PcapNgWriter writer = PcapNgWriter.to(Channels.newChannel(bytes))) {
            writer.write(frame, 0, 60, 60, 5, LinkType.ETHERNET);
            writer.write(frame, 0, 60, 60, 6, LinkType.RAW);
            writer.endOfCapture(endNs);
        }
        return bytes.toByteArray();
    }
}
