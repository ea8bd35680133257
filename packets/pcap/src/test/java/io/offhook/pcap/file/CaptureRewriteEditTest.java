package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PcapNgBlock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What who edits decides, and what follows from it. */
class CaptureRewriteEditTest {
    /** 2023-11-14T22:13:20Z in microseconds. */
    private static final long START = 1_700_000_000_000_000L;

    @TempDir
    private Path folder;

    private CaptureRewrite open(byte[]... captures) {
        List<String> paths = new ArrayList<>();
        for (byte[] capture : captures) {
            paths.add(Reading.write(folder, capture).toString());
        }
        return CaptureRewrite.open(paths, InputStream.nullInputStream());
    }

    private byte[] rewrite(CaptureFormat format, @Nullable PacketEdit edit, byte[]... captures) {
        try (CaptureRewrite rewrite = open(captures)) {
            rewrite.format(format);
            if (edit != null) {
                rewrite.edit(edit);
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            rewrite.to(Channels.newChannel(bytes));
            return bytes.toByteArray();
        }
    }

    private List<String> parts() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("part"))
                    .sorted()
                    .toList();
        }
    }

    private static PcapNgBytes mixed() {
        return PcapNgBytes.plain()
                .describe(1, 0)
                .describe(113, 0)
                .enhanced(0, START, 5)
                .enhanced(1, START + 90_000_000, 6)
                .enhanced(1, START + 91_000_000, 7);
    }

    @Test
    void pcapHasTheLinkTypeOfThePacketsThatAreWritten() {
        byte[] written = rewrite(CaptureFormat.PCAP, packet -> packet.number() > 1, mixed().toBytes());
        assertThat(Reading.mapped(folder, written, 10).frames())
                .extracting(ReadFrame::linkType, ReadFrame::capturedLength)
                .containsExactly(tuple(113, 6), tuple(113, 7));
    }

    @Test
    void aSeriesOfPcapHasTheLinkTypeOfEachFilesPackets() throws IOException {
        try (CaptureRewrite rewrite = open(mixed().toBytes())) {
            rewrite.format(CaptureFormat.PCAP);
            rewrite.to(new FileSeries(folder.resolve("part.pcap"), 0), new RotationLimits(0, 60_000_000_000L, 0, 0));
        }
        assertThat(parts()).containsExactly("part_00001_20231114221320.pcap", "part_00002_20231114221450.pcap");
    }

    @ParameterizedTest
    @CsvSource({"PCAP", "PCAPNG"})
    void theFirstFileIsNamedByItsFirstPacket(CaptureFormat format) throws IOException {
        try (CaptureRewrite rewrite = open(mixed().toBytes())) {
            rewrite.format(format);
            rewrite.edit(packet -> packet.number() > 1);
            rewrite.to(new FileSeries(folder.resolve("part"), 0), new RotationLimits(0, 0, 1, 0));
        }
        assertThat(parts()).containsExactly("part_00001_20231114221450", "part_00002_20231114221451");
    }

    @Test
    void aFileThatCannotBeMadeIsNotTriedTwice() throws IOException {
        Path source = Reading.write(folder, mixed().toBytes());
        Files.createFile(folder.resolve("part_00001_20231114221320"));
        FileSeries series = new FileSeries(folder.resolve("part"), 0);
        series.spare(List.of(folder.resolve("part_00001_20231114221320")));
        try (CaptureRewrite rewrite = CaptureRewrite.open(List.of(source.toString()), InputStream.nullInputStream())) {
            assertThatThrownBy(() -> rewrite.to(series, RotationLimits.NONE))
                    .isInstanceOf(FileSeries.SparedException.class);
        }
        assertThat(parts()).containsExactly("part_00001_20231114221320");
    }

    /** Keeps statistics, and of options numbers only. */
    private static final PacketEdit NUMBERS_ONLY = new PacketEdit() {
        @Override
        public boolean edit(EditedPacket packet) {
            return true;
        }

        @Override
        public boolean keepsBlock(PcapNgBlockView block) {
            return block.type() == PcapNgBlock.INTERFACE_STATISTICS;
        }

        @Override
        public boolean keepsOption(int blockType, int code) {
            return code != PcapNgOptionsView.COMMENT;
        }
    };

    private static byte[] commented(ByteOrder order) {
        PcapNgBytes file = new PcapNgBytes(order);
        byte[] comment = file.option(1, "of Alice".getBytes(StandardCharsets.UTF_8));
        file.section(1, 0, comment, file.endOfOptions());
        file.describe(1, 0, comment, file.resolution(9), file.endOfOptions());
        file.block(
                4,
                file.body()
                        .put(file.option(1, new byte[] {10, 0, 0, 1, 'a', 0}))
                        .u32(0));
        file.enhancedWith(0, 7, comment, file.option(2, file.body().u32(1).toBytes()), file.endOfOptions());
        file.enhancedWith(0, 8, comment, file.endOfOptions());
        file.block(9, file.body().put("MESSAGE=of Alice".getBytes(StandardCharsets.UTF_8)));
        return file.statistics(0, comment, file.counter(5, 1), file.endOfOptions())
                .toBytes();
    }

    @ParameterizedTest
    @CsvSource({"LITTLE_ENDIAN, 1", "BIG_ENDIAN, 1", "LITTLE_ENDIAN, 2", "BIG_ENDIAN, 2"})
    void whoEditsSaysWhichBlocksAndOptionsAreKept(String name, int files) {
        ByteOrder order = name.startsWith("L") ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        byte[] file = commented(order);
        try (CaptureRewrite rewrite =
                files == 1 ? open(file) : open(PcapNgBytes.plain().toBytes(), file)) {
            rewrite.edit(NUMBERS_ONLY);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            CaptureRewriteReport report = rewrite.to(Channels.newChannel(bytes));
            assertThat(bytes.toString(StandardCharsets.ISO_8859_1)).doesNotContain("Alice");
            assertThat(BlocksByHand.of(bytes.toByteArray()))
                    .extracting(BlocksByHand.Block::type)
                    .containsExactly(0x0a0d0d0a, 1, 6, 6, 5);
            assertThat(report.blocks().leftOut()).isEqualTo(2);
            assertThat(report.blocks().optionsLeftOut()).isEqualTo(5);
            assertThat(Reading.mapped(folder, bytes.toByteArray(), 10).frames())
                    .extracting(ReadFrame::timestampNs)
                    .containsExactly(7L, 8L);
        }
    }

    @Test
    void optionsOfSectionsThatHaveNoPlaceInAMergedFileAreCounted() {
        PcapNgBytes file = new PcapNgBytes(ByteOrder.LITTLE_ENDIAN);
        file.section(1, 0, file.option(2988, file.body().u32(32473).toBytes()), file.endOfOptions());
        file.describe(1, 0).enhanced(0, 1, 5);
        file.section(1, 0, file.option(77, new byte[] {1}), file.endOfOptions());
        try (CaptureRewrite rewrite = open(file.toBytes(), mixed().toBytes())) {
            CaptureRewriteReport report = rewrite.to(Channels.newChannel(new ByteArrayOutputStream()));
            assertThat(report.blocks().optionsLeftOut()).isEqualTo(2);
        }
    }

    @Test
    void whatWaitsForAnInterfaceIsBounded() {
        PcapNgBytes file = PcapNgBytes.plain();
        byte[] comment = file.option(1, new byte[60_000]);
        for (int i = 0; i < 100; i++) {
            file.section(1, 0, comment);
        }
        file.describe(1, 0).enhanced(0, 1, 5);
        try (CaptureRewrite rewrite = open(mixed().toBytes(), file.toBytes())) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            CaptureRewriteReport report = rewrite.to(Channels.newChannel(bytes));
            assertThat(report.blocks().optionsLeftOut()).isBetween(20L, 40L);
            assertThat(Reading.mapped(folder, bytes.toByteArray(), 10).faults()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"0x54000001, 10", "0x04000001, 0", "0x24000001, 4"})
    void theLengthOfTheFrameCheckSequenceIsKept(String network, int bytes) {
        byte[] file = new PcapBytes(ByteOrder.LITTLE_ENDIAN, PcapBytes.MICROSECONDS)
                .header(2, 4, 65_535, Integer.decode(network))
                .record(1, 2, 60)
                .toBytes();
        assertThat(rewrite(CaptureFormat.PCAP, null, file)).isEqualTo(file);
        byte[] ng = rewrite(CaptureFormat.PCAPNG, null, file);
        assertThat(Reading.mapped(folder, ng, 10).interfaces())
                .extracting(CaptureInterface::frameCheckBytes)
                .containsExactly(bytes);
        assertThat(rewrite(CaptureFormat.PCAP, null, ng)).isEqualTo(file);
    }

    @Test
    void theLengthOfTheFrameCheckSequenceMayBeInBits() {
        PcapNgBytes file = PcapNgBytes.plain();
        for (int reported : new int[] {0, 4, 16, 32}) {
            file.describe(1, 0, file.option(13, new byte[] {(byte) reported}));
        }
        assertThat(Reading.mapped(folder, file.describe(1, 0).toBytes(), 10).interfaces())
                .extracting(CaptureInterface::frameCheckBytes)
                .containsExactly(0, 4, 2, 4, CaptureInterface.FRAME_CHECK_NOT_TOLD);
    }
}
