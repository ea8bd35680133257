package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.LinkTypeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupedSinkTest {
    @TempDir
    private Path folder;

    private final MemorySegment bytes = Arena.ofAuto().allocate(2000);

    private static CaptureFormat format(String name) {
        return name.contains("pcapng") ? CaptureFormat.PCAPNG : CaptureFormat.PCAP_NANOSECOND;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.pcap", "a.pcapng", "a.pcap.gz", "a.pcapng.zst"})
    void writesManyFilesWithinItsMemory(String name) throws IOException {
        int groups = 300;
        Random random = new Random(3);
        int[] written = new int[groups];
        FileSeries series = new FileSeries(folder.resolve(name), 0);
        try (GroupedSink sink = GroupedSink.create(series, format(name), groups, 200_000)) {
            for (int i = 0; i < 5000; i++) {
                int group = i < groups ? i : random.nextInt(groups);
                int length = random.nextInt(500);
                String comment = sink.has(group) ? null : "group " + group;
                sink.write(group, comment, bytes, 0, length, length, i, LinkType.ETHERNET);
                written[group]++;
                assertThat(sink.pendingBytes()).isLessThanOrEqualTo(200_000);
            }
            assertThat(sink.packets()).isEqualTo(5000);
            assertThat(sink.files()).isEqualTo(groups);
            assertThat(sink.isFull()).isTrue();
            sink.endOfCapture(1_000_000);
            assertThat(sink.pendingBytes()).isLessThanOrEqualTo(200_000);
        }
        List<Path> files = files();
        assertThat(files).hasSize(groups);
        for (int group = 0; group < groups; group++) {
            Reading reading = Reading.of(CaptureFiles.open(files.get(group).toString()), 10);
            assertThat(reading.faults()).isEmpty();
            assertThat(reading.frames()).hasSize(written[group]);
            assertThat(reading.frames().getFirst().timestampNs()).isEqualTo(group);
            assertThat(reading.frames()).extracting(ReadFrame::timestampNs).isSorted();
        }
    }

    @Test
    void overwritesWhatIsThereAndNamesFilesByTheirFirstFrame() throws IOException {
        Files.writeString(folder.resolve("a_00007_20231114221320.pcapng"), "before");
        try (GroupedSink sink =
                GroupedSink.create(new FileSeries(folder.resolve("a.pcapng"), 0), CaptureFormat.PCAPNG, 10)) {
            sink.write(7, null, bytes, 0, 10, 10, 1_700_000_000_000_000_000L, LinkType.ETHERNET);
            sink.write(7, null, bytes, 0, 11, 11, 1_700_000_100_000_000_000L, LinkType.RAW);
        }
        assertThat(files()).hasSize(1);
        assertThat(Reading.of(CaptureFiles.open(files().getFirst().toString()), 10)
                        .frames())
                .extracting(ReadFrame::linkType)
                .containsExactly(LinkType.ETHERNET, LinkType.RAW);
    }

    @Test
    void hasNoMoreFilesThanItMay() {
        FileSeries series = new FileSeries(folder.resolve("a.pcap"), 0);
        try (GroupedSink sink = GroupedSink.create(series, CaptureFormat.PCAP, 2)) {
            IntStream.range(0, 2).forEach(group -> sink.write(group, null, bytes, 0, 1, 1, 0, LinkType.RAW));
            assertThatThrownBy(() -> sink.write(2, null, bytes, 0, 1, 1, 0, LinkType.RAW))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("more than 2 groups, the limit of this sink");
            assertThatThrownBy(() -> sink.write(1, null, bytes, 0, 1, 1, 0, LinkType.ETHERNET))
                    .isInstanceOf(LinkTypeException.class);
            sink.write(0, null, bytes, 0, 1, 1, 1_500, LinkType.RAW);
            assertThat(sink.timestampsCut()).isEqualTo(1);
        }
    }

    @Test
    void reportsAFileThatCannotBeWritten() {
        FileSeries series = new FileSeries(folder.resolve("no/such/a.pcap"), 0);
        GroupedSink sink = GroupedSink.create(series, CaptureFormat.PCAP, 2);
        sink.write(1, null, bytes, 0, 1, 1, 0, LinkType.RAW);
        assertThatThrownBy(sink::close).isInstanceOf(UncheckedIOException.class).hasMessageContaining("cannot write ");
        assertThatThrownBy(() -> sink.write(1, null, bytes, 0, 1, 1, 0, LinkType.RAW))
                .isInstanceOf(IllegalStateException.class);
    }
}
