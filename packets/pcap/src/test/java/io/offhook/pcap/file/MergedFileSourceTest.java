package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.CaptureInterface;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MergedFileSourceTest {
    @TempDir
    private Path directory;

    private String file(byte[] bytes) {
        return Reading.write(directory, bytes).toString();
    }

    private static byte[] capture(int... secondsAndLengths) {
        PcapBytes capture = PcapBytes.plain();
        for (int i = 0; i < secondsAndLengths.length; i += 2) {
            capture.record(secondsAndLengths[i], 0, secondsAndLengths[i + 1]);
        }
        return capture.toBytes();
    }

    @Test
    void takesEqualTimesInTheOrderOfTheFiles() {
        List<String> files =
                List.of(file(capture(1, 10, 3, 11, 3, 12)), file(capture(1, 20, 2, 21, 3, 22)), file(capture(3, 30)));
        Reading reading = Reading.of(CaptureFiles.open(files), 2);
        assertThat(reading.frames()).extracting(ReadFrame::capturedLength).containsExactly(10, 20, 21, 11, 12, 22, 30);
        assertThat(reading.frames()).extracting(ReadFrame::interfaceIndex).containsExactly(0, 1, 1, 0, 0, 1, 2);
        assertThat(reading.interfaces()).extracting(CaptureInterface::file).isEqualTo(files);
        assertThat(reading.files()).extracting(CaptureFile::packets).containsExactly(3L, 3L, 1L);
    }

    @Test
    void keepsTheOrderOfAFileWhoseTimesGoBack() {
        List<String> files = List.of(file(capture(5, 10, 1, 11, 6, 12)), file(capture(2, 20, 5, 21, 6, 22)));
        Reading reading = Reading.of(CaptureFiles.open(files), 100);
        assertThat(reading.frames()).extracting(ReadFrame::capturedLength).containsExactly(20, 10, 11, 21, 12, 22);
    }

    /** What a buffer gives way to is not given back before the end: so many sizes, so much memory. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void needsFewBuffersForPacketsThatGrow(boolean isMerged) {
        PcapBytes capture = PcapBytes.plain();
        int packets = 500;
        for (int i = 1; i <= packets; i++) {
            capture.record(i, 0, 500 * i);
        }
        String file = file(Reading.gzip(capture.toBytes()));
        List<String> files = isMerged ? List.of(file, file(capture(1, 10))) : List.of(file);
        Set<Long> buffers = new HashSet<>();
        long bytes = 0;
        try (CaptureFileSource source = CaptureFiles.open(files)) {
            FrameBatch batch = new FrameBatch(1);
            while (source.next(batch)) {
                if (buffers.add(batch.buffer().address())) {
                    bytes += batch.buffer().byteSize();
                }
            }
        }
        assertThat(buffers).hasSizeLessThan(20);
        assertThat(bytes).isLessThan(4L * 500 * packets);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void framesOutliveAnotherSourceThatFilledTheBatchBefore(boolean isMerged) {
        String one = file(Reading.gzip(capture(1, 10)));
        String other = file(Reading.gzip(capture(1, 20)));
        FrameBatch batch = new FrameBatch(10);
        try (CaptureFileSource source = CaptureFiles.open(isMerged ? List.of(other, other) : List.of(other))) {
            try (CaptureFileSource before = CaptureFiles.open(isMerged ? List.of(one, one) : List.of(one))) {
                assertThat(before.next(batch)).isTrue();
                assertThat(source.next(batch)).isTrue();
            }
            assertThat(ReadFrame.of(batch, 0).bytes()).isEqualTo(HexFormat.of().formatHex(PcapBytes.packet(20)));
        }
    }

    @Test
    void goesOnWhenOneFileCannotBeRead() {
        byte[] cut = capture(1, 10, 3, 11);
        List<String> files = List.of(
                file(Arrays.copyOf(cut, cut.length - 1)),
                directory.resolve("missing.pcap").toString(),
                file(new byte[] {1, 2, 3, 4, 5}),
                file(Reading.gzip(capture(2, 20, 4, 21))),
                directory.toString());
        try (CaptureFileSource source = CaptureFiles.open(files)) {
            assertThat(ReadFrame.readAll(source, 100))
                    .extracting(ReadFrame::capturedLength)
                    .containsExactly(10, 20, 21);
            assertThat(source.faults())
                    .extracting(CaptureFault::kind)
                    .containsExactlyInAnyOrder(
                            CaptureFault.Kind.CUT_OFF,
                            CaptureFault.Kind.UNREADABLE,
                            CaptureFault.Kind.UNKNOWN_FORMAT,
                            CaptureFault.Kind.UNREADABLE);
            assertThat(source.files()).extracting(CaptureFile::path).isEqualTo(files);
        }
    }

    @Test
    void mergesAsAListWouldBeMerged() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 25; round++) {
            List<String> files = new ArrayList<>();
            List<List<ReadFrame>> contents = new ArrayList<>();
            int count = 2 + random.nextInt(6);
            byte[] standardInput = {};
            for (int i = 0; i < count; i++) {
                byte[] capture = randomCapture(random);
                contents.add(Reading.mapped(directory, capture, 1000).frames());
                if (i == 1) {
                    standardInput = capture;
                    files.add("-");
                } else {
                    files.add(file(random.nextBoolean() ? capture : Reading.gzip(capture)));
                }
            }
            int capacity = 1 + random.nextInt(700);
            Reading reading = Reading.of(CaptureFiles.open(files, new ByteArrayInputStream(standardInput)), capacity);
            assertThat(reading.faults()).isEmpty();
            assertThat(reading.frames()).as("seed %d, round %d", seed, round).isEqualTo(merge(contents));
        }
    }

    private static byte[] randomCapture(Random random) {
        PcapBytes capture = PcapBytes.plain();
        int time = random.nextInt(100);
        int packets = random.nextInt(1500);
        for (int i = 0; i < packets; i++) {
            time += random.nextInt(40) == 0 ? -random.nextInt(50) : random.nextInt(3);
            capture.record(Math.max(time, 0), 0, random.nextInt(random.nextInt(500) == 0 ? 200_000 : 300));
        }
        return capture.toBytes();
    }

    /** The plain way: the earliest head of all lists, the first list of those that have it. */
    private static List<ReadFrame> merge(List<List<ReadFrame>> lists) {
        List<ReadFrame> merged = new ArrayList<>();
        int[] at = new int[lists.size()];
        while (true) {
            int earliest = -1;
            for (int i = 0; i < at.length; i++) {
                if (at[i] < lists.get(i).size()
                        && (earliest < 0
                                || lists.get(i).get(at[i]).timestampNs()
                                        < lists.get(earliest).get(at[earliest]).timestampNs())) {
                    earliest = i;
                }
            }
            if (earliest < 0) {
                return merged;
            }
            ReadFrame frame = lists.get(earliest).get(at[earliest]++);
            merged.add(new ReadFrame(
                    merged.size() + 1,
                    frame.timestampNs(),
                    frame.capturedLength(),
                    frame.wireLength(),
                    earliest,
                    frame.linkType(),
                    frame.bytes()));
        }
    }

    @Test
    void readsMoreFilesThanABatchHasRoomForFrames() {
        List<String> files = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            files.add(file(capture(i % 7, 10, i % 11, 11)));
        }
        Reading reading = Reading.of(CaptureFiles.open(files), 64);
        assertThat(reading.frames()).hasSize(600);
        assertThat(reading.faults()).isEmpty();
    }
}
