package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFormat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RotatingSinkTest {
    private static final long SECOND = 1_000_000_000L;
    /** 2023-11-14T22:13:20Z. */
    private static final long START = 1_700_000_000 * SECOND;

    @TempDir
    private Path folder;

    private final MemorySegment bytes = Arena.ofAuto().allocate(1000);

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private int packetsOf(String name) {
        Reading reading = Reading.of(CaptureFiles.open(folder.resolve(name).toString()), 100);
        assertThat(reading.faults()).isEmpty();
        return reading.frames().size();
    }

    private void write(RotatingSink sink, long timestampNs, int length) {
        sink.write(bytes, 0, length, length, timestampNs, LinkType.ETHERNET);
    }

    @Test
    void namesFilesAsDumpcapDoes() throws IOException {
        try (RotatingSink sink =
                RotatingSink.create(folder.resolve("a.b.pcap"), CaptureFormat.PCAP, new RotationLimits(0, 0, 2, 0))) {
            for (int i = 0; i < 5; i++) {
                write(sink, START + i * SECOND, 60);
            }
            assertThat(sink.files()).isEqualTo(3);
            assertThat(sink.packets()).isEqualTo(5);
            assertThat(sink.file()).hasFileName("a.b_00003_20231114221324.pcap");
        }
        assertThat(names())
                .containsExactly(
                        "a.b_00001_20231114221320.pcap",
                        "a.b_00002_20231114221322.pcap",
                        "a.b_00003_20231114221324.pcap");
        assertThat(names().stream().map(this::packetsOf)).containsExactly(2, 2, 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"PCAP", "PCAP_NANOSECOND", "PCAPNG"})
    void noFileIsLargerThanItMay(CaptureFormat format) throws IOException {
        try (RotatingSink sink = RotatingSink.create(folder.resolve("a"), format, new RotationLimits(1000, 0, 0, 0))) {
            for (int i = 0; i < 50; i++) {
                write(sink, START + i, 100 + i);
            }
        }
        int packets = 0;
        for (String name : names()) {
            assertThat(Files.size(folder.resolve(name))).isBetween(100L, 1000L);
            packets += packetsOf(name);
        }
        assertThat(packets).isEqualTo(50);
    }

    @Test
    void noFileIsLargerThanItMayWhereAPacketNeedsAnotherInterface() throws IOException {
        try (RotatingSink sink =
                RotatingSink.create(folder.resolve("a"), CaptureFormat.PCAPNG, new RotationLimits(1000, 0, 0, 0))) {
            write(sink, START, 100);
            int left = (int) (1000 - sink.bytes()) - 32; // the fields of a packet's block take 32 bytes
            sink.write(bytes, 0, left, left, START, LinkType.RAW);
            assertThat(sink.files()).isEqualTo(2);
        }
        for (String name : names()) {
            assertThat(Files.size(folder.resolve(name))).isLessThanOrEqualTo(1000L);
        }
    }

    @Test
    void aPacketThatIsTooLargeHasAFileOfItsOwn() throws IOException {
        try (RotatingSink sink =
                RotatingSink.create(folder.resolve("a"), CaptureFormat.PCAP, new RotationLimits(300, 0, 0, 0))) {
            for (int length : new int[] {50, 900, 50, 50}) {
                write(sink, START, length);
            }
        }
        assertThat(names().stream().map(this::packetsOf)).containsExactly(1, 1, 2);
    }

    @Test
    void spansOfTimeFollowTheFirstPacketAndEmptyOnesHaveNoFile() throws IOException {
        try (RotatingSink sink = RotatingSink.create(
                folder.resolve("a"), CaptureFormat.PCAPNG, new RotationLimits(0, 10 * SECOND, 0, 0))) {
            for (long at : new long[] {0, 9, 10, 8, 19, 47, 50, 59}) {
                write(sink, START + at * SECOND, 60);
            }
        }
        // 0 to 9; 10 to 19, with one that came late; 40 to 49; 50 to 59
        assertThat(names())
                .containsExactly(
                        "a_00001_20231114221320",
                        "a_00002_20231114221330",
                        "a_00003_20231114221407",
                        "a_00004_20231114221410");
        assertThat(names().stream().map(this::packetsOf)).containsExactly(2, 3, 1, 2);
    }

    @Test
    void endsAFileWhoseTimeIsOverThoughNothingComes() throws IOException {
        try (RotatingSink sink = RotatingSink.create(
                folder.resolve("a"), CaptureFormat.PCAPNG, new RotationLimits(0, 10 * SECOND, 0, 0))) {
            write(sink, START, 60);
            sink.endIfDue(START + 9 * SECOND);
            sink.endIfDue(START + 10 * SECOND);
            assertThat(names().stream().map(this::packetsOf)).containsExactly(1);
            sink.endIfDue(START + 90 * SECOND);
            write(sink, START + 95 * SECOND, 60);
        }
        assertThat(names().stream().map(this::packetsOf)).containsExactly(1, 1);
    }

    @Test
    void aRingKeepsTheLastFiles() throws IOException {
        try (RotatingSink sink =
                RotatingSink.create(folder.resolve("a.pcapng"), CaptureFormat.PCAPNG, new RotationLimits(0, 0, 1, 3))) {
            for (int i = 0; i < 20; i++) {
                write(sink, START + i, 60);
                assertThat(names()).hasSizeLessThanOrEqualTo(3);
            }
            assertThat(sink.files()).isEqualTo(20);
        }
        assertThat(names()).hasSize(3).last().asString().startsWith("a_00020_");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.pcapng.gz", "a.pcapng.zst"})
    void compressesWhereTheNameSaysSo(String name) throws IOException {
        try (RotatingSink sink =
                RotatingSink.create(folder.resolve(name), CaptureFormat.PCAPNG, new RotationLimits(0, 0, 3, 0))) {
            for (int i = 0; i < 7; i++) {
                write(sink, START + i, 60);
            }
        }
        String ending = name.substring(1);
        assertThat(names()).hasSize(3).allMatch(file -> file.endsWith("_20231114221320" + ending));
        assertThat(names().stream().map(this::packetsOf)).containsExactly(3, 3, 1);
        try (CaptureFileSource source =
                CaptureFiles.open(folder.resolve(names().getFirst()).toString())) {
            assertThat(source.files().getFirst().compression()).isEqualTo(CaptureCompression.ofName(name));
        }
    }

    @Test
    void doesNotOverwriteWhatIsRead() throws IOException {
        Path read = Files.createFile(folder.resolve("a_00001_20231114221320.pcap"));
        FileSeries series = new FileSeries(folder.resolve("a.pcap"), 0);
        series.spare(List.of(read));
        assertThatThrownBy(() -> series.next(START))
                .isInstanceOf(FileSeries.SparedException.class)
                .hasMessageEndingWith("a_00001_20231114221320.pcap is being read, and would be overwritten");
    }

    @Test
    void saysWhichLimitsAndFormatsMakeSense() {
        assertThatThrownBy(() -> new RotationLimits(0, -1, 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("durationNs -1 is below 0");
        assertThatThrownBy(() -> RotatingSink.create(folder.resolve("a"), CaptureFormat.SNOOP, RotationLimits.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("format snoop can only be read; choose pcap, nsecpcap or pcapng");
    }

    @Test
    void takesNothingOnceItIsClosed() {
        RotatingSink sink = RotatingSink.create(folder.resolve("a"), CaptureFormat.PCAP, RotationLimits.NONE);
        sink.close();
        sink.close();
        assertThatThrownBy(() -> write(sink, 0, 10)).isInstanceOf(IllegalStateException.class);
        assertThat(folder).isEmptyDirectory();
    }
}
