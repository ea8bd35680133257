package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.FileTruncatedException;
import io.offhook.pcap.LinkTypeException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureRewriteTest {
    private static final int CUSTOM = 0xbad;
    private static final int CUSTOM_NOT_COPIED = 0x4000_0bad;

    @TempDir
    private Path folder;

    /** What came of it: the bytes and the report. */
    private static final class Written {
        private final byte[] bytes;
        private final CaptureRewriteReport report;
        private final List<CaptureFault> faults;

        Written(byte[] bytes, CaptureRewriteReport report, List<CaptureFault> faults) {
            this.bytes = bytes;
            this.report = report;
            this.faults = faults;
        }

        byte[] bytes() {
            return bytes;
        }

        CaptureRewriteReport report() {
            return report;
        }

        List<CaptureFault> faults() {
            return faults;
        }
    }

    private Written rewrite(CaptureFormat format, @Nullable PacketEdit edit, byte[]... captures) {
        List<String> paths = new ArrayList<>();
        for (byte[] capture : captures) {
            paths.add(Reading.write(folder, capture).toString());
        }
        try (CaptureRewrite rewrite = CaptureRewrite.open(paths, InputStream.nullInputStream())) {
            rewrite.format(format);
            if (edit != null) {
                rewrite.edit(edit);
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            CaptureRewriteReport report = rewrite.to(Channels.newChannel(bytes));
            return new Written(bytes.toByteArray(), report, rewrite.faults());
        }
    }

    private Reading read(byte[] capture) {
        return Reading.mapped(folder, capture, 100);
    }

    private List<String> content(byte[] capture) {
        PcapNgContent content = PcapNgContent.of(Reading.write(folder, capture).toString());
        assertThat(content.faults()).isEmpty();
        return content.blocks();
    }

    /** A section with a block of every kind. */
    private static PcapNgBytes everything(ByteOrder order) {
        PcapNgBytes file = new PcapNgBytes(order);
        byte[] comment = file.option(1, "on the section".getBytes(StandardCharsets.UTF_8));
        file.section(1, 0, comment, file.endOfOptions());
        return everythingButHeader(file);
    }

    private static PcapNgBytes everythingButHeader(PcapNgBytes file) {
        byte[] zone = file.option(10, file.body().u32(3600).toBytes());
        file.describe(1, 100, file.name("eth0"), file.resolution(9), file.offset(1_000), zone, file.endOfOptions());
        file.describe(113, 0);
        file.block(
                4,
                file.body()
                        .put(file.option(1, new byte[] {127, 0, 0, 1, 'a', 0}))
                        .u32(0)
                        .put(file.option(2, "dns".getBytes(StandardCharsets.UTF_8)))
                        .u32(0));
        file.block(
                10,
                file.body()
                        .u32(0x544c534b)
                        .u32(5)
                        .put(new byte[] {1, 2, 3, 4, 5})
                        .pad());
        byte[] flags = file.option(2, file.body().u32(0x1).toBytes());
        byte[] hash = file.option(3, new byte[] {2, 9, 9, 9, 9});
        byte[] drops = file.counter(4, 7);
        byte[] id = file.counter(5, 0x0102_0304_0506_0708L);
        byte[] queue = file.option(6, file.body().u32(12).toBytes());
        byte[] verdict =
                file.option(7, file.body().put(new byte[] {1}).u64(0x1122).toBytes());
        byte[] ours =
                file.option(2989, file.body().u32(32473).put(new byte[] {5, 6}).toBytes());
        byte[] secret =
                file.option(19373, file.body().u32(32473).put(new byte[] {7}).toBytes());
        file.enhancedWith(0, 5_000, flags, hash, drops, id, queue, verdict, ours, secret, file.endOfOptions());
        file.block(CUSTOM, file.body().u32(32473).put(new byte[] {1, 2, 3, 4}));
        file.block(CUSTOM_NOT_COPIED, file.body().u32(32473).put(new byte[] {1, 2, 3, 4}));
        file.block(0x7777, file.body().u32(1).u32(2));
        file.obsolete(1, 3, 7, PcapBytes.packet(11), 60);
        file.simple(PcapBytes.packet(20), 20);
        byte[] ended = file.option(3, file.body().u32(0).u32(99).toBytes());
        return file.statistics(0, ended, file.counter(5, 1), file.endOfOptions());
    }

    @ParameterizedTest
    @ValueSource(strings = {"LITTLE_ENDIAN", "BIG_ENDIAN"})
    void copiesEverythingAsItStands(String name) {
        ByteOrder order = name.startsWith("L") ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        byte[] file = everythingButHeader(everything(order).section(ByteOrder.BIG_ENDIAN))
                .toBytes();
        Written written = rewrite(CaptureFormat.PCAPNG, null, file);
        assertThat(written.bytes()).isEqualTo(file);
        assertThat(written.report().blocks().leftOut()).isZero();
        assertThat(written.report().packets().read()).isEqualTo(6);
        assertThat(content(file)).hasSize(24);
    }

    @Test
    void leavesOutOfAnEditedFileWhatMustNotBeCopied() {
        byte[] file = everything(ByteOrder.BIG_ENDIAN).toBytes();
        Written written = rewrite(CaptureFormat.PCAPNG, packet -> true, file);
        List<String> expected = new ArrayList<>(content(file));
        expected.removeIf(block -> block.startsWith("40000bad"));
        expected.replaceAll(block -> block.replaceFirst(" \\| 19373=[0-9a-f]+", ""));
        assertThat(content(written.bytes())).isEqualTo(expected);
        assertThat(written.report().blocks().leftOut()).isEqualTo(1);
    }

    @Test
    void keepsOptionsOfPacketsThatChangeButTheirHash() {
        byte[] file = everything(ByteOrder.BIG_ENDIAN).toBytes();
        Written written = rewrite(
                CaptureFormat.PCAPNG,
                packet -> {
                    NetworkOrder.putU8(packet.writable(), packet.offset(), 0xee);
                    packet.cut(6);
                    return true;
                },
                file);
        List<String> packets = content(written.bytes()).stream()
                .filter(block -> block.matches("[236]:.*"))
                .toList();
        assertThat(packets).hasSize(3).allMatch(block -> block.startsWith("6:"));
        assertThat(packets.get(0))
                .matches(
                        "6:0 5000 10 -1 ee[0-9a-f]{10} \\| 2=1 \\| 4=7 \\| 5=72623859790382856 \\| 6=12 \\| 7=\\w+ \\| 2989=\\w+");
        assertThat(packets.get(1)).matches("6:1 7 60 -1 ee[0-9a-f]{10} \\| 4=3");
        // the simple packet has no time: that of the packet before it, in the units of its interface
        assertThat(packets.get(2)).matches("6:0 0 20 -1 ee[0-9a-f]{10}");
        assertThat(read(written.bytes()).faults()).isEmpty();
    }

    @Test
    void keepsSimplePacketsThatChangeWithoutBeingCut() {
        byte[] file = PcapNgBytes.plain()
                .describe(1, 8)
                .simple(PcapBytes.packet(8), 20)
                .toBytes();
        Written written = rewrite(
                CaptureFormat.PCAPNG,
                packet -> {
                    NetworkOrder.putU8(packet.writable(), packet.offset(), 0xee);
                    return true;
                },
                file);
        assertThat(content(written.bytes())).last().asString().matches("3:0 0 20 -1 ee[0-9a-f]{14}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"LITTLE_ENDIAN", "BIG_ENDIAN"})
    void mergesSectionsOfBothByteOrders(String name) {
        ByteOrder order = name.startsWith("L") ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        ByteOrder other = name.startsWith("L") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        byte[] first = everything(order).toBytes();
        byte[] second = everything(other).toBytes();
        Written written = rewrite(CaptureFormat.PCAPNG, null, first, second);
        List<String> blocks = content(written.bytes());
        assertThat(blocks.getFirst()).startsWith("a0d0d0a:1.0 -1 | 1=").contains(" | 4=4f6666686f6f6b");
        assertThat(blocks.stream().filter(block -> block.startsWith("1:"))).hasSize(4);
        // what is told of the second file's packets is the same, turned around, of its own interfaces
        assertThat(blocks.stream().filter(block -> block.startsWith("6:0 5000 ")))
                .hasSize(1);
        String ofFirst = blocks.stream()
                .filter(block -> block.startsWith("6:0 5000 "))
                .findFirst()
                .orElseThrow();
        assertThat(blocks).contains(ofFirst.replaceFirst("6:0", "6:2"));
        assertThat(blocks).contains("5:0 0 | 3=99 | 5=1", "5:2 0 | 3=99 | 5=1");
        assertThat(blocks.stream().filter(block -> block.startsWith("4:")))
                .hasSize(2)
                .allMatch(blocks.stream()
                        .filter(block -> block.startsWith("4:"))
                        .findFirst()
                        .orElseThrow()::equals);
        // the unknown block and the custom one of the other order, and both that must not be copied
        assertThat(blocks.stream().filter(block -> block.startsWith("bad:"))).hasSize(1);
        assertThat(written.report().blocks().leftOut()).isEqualTo(4);
        assertThat(blocks.stream().filter(block -> block.startsWith("7777:"))).hasSize(1);
        assertThat(read(written.bytes()).frames()).hasSize(6);
        assertThat(read(written.bytes()).faults()).isEmpty();
    }

    @Test
    void reportsLaterSectionsAtTheirInterfaces() {
        PcapNgBytes first = new PcapNgBytes(ByteOrder.LITTLE_ENDIAN);
        first.section(1, 0, first.option(1, "one".getBytes(StandardCharsets.UTF_8)), first.endOfOptions());
        first.describe(1, 0).enhanced(0, 1, 10);
        first.section(1, 0, first.option(1, "two".getBytes(StandardCharsets.UTF_8)), first.endOfOptions());
        first.describe(1, 0).enhanced(0, 2, 10);
        Written written = rewrite(
                CaptureFormat.PCAPNG,
                null,
                first.toBytes(),
                PcapBytes.plain().record(0, 3, 5).toBytes());
        String hexTwo = HexFormat.of().formatHex("section 2: two".getBytes(StandardCharsets.UTF_8));
        List<String> blocks = content(written.bytes());
        assertThat(blocks.getFirst()).contains("1=6f6e65");
        assertThat(blocks.stream().filter(block -> block.contains(hexTwo)))
                .hasSize(1)
                .allMatch(block -> block.startsWith("1:"));
        assertThat(read(written.bytes()).frames())
                .extracting(ReadFrame::interfaceIndex)
                .containsExactly(0, 1, 2);
    }

    @Test
    void pcapComesBackByteForByte() {
        for (int magic : new int[] {PcapBytes.MICROSECONDS, PcapBytes.NANOSECONDS}) {
            byte[] file = PcapBytes.of(ByteOrder.LITTLE_ENDIAN, magic)
                    .record(1_700_000_000, 999_999, 60)
                    .record(1_700_000_001, 0, PcapBytes.packet(10), 2000)
                    .toBytes();
            byte[] ng = rewrite(CaptureFormat.PCAPNG, null, file).bytes();
            Written back = rewrite(CaptureFormat.PCAP, null, ng);
            assertThat(back.bytes()).isEqualTo(file);
            assertThat(back.report().timestamps().cut()).isZero();
        }
    }

    @Test
    void anEmptyPcapKeepsItsLinkType() {
        byte[] file = PcapBytes.plain().toBytes();
        byte[] ng = rewrite(CaptureFormat.PCAPNG, null, file).bytes();
        assertThat(rewrite(CaptureFormat.PCAP, null, ng).bytes()).isEqualTo(file);
    }

    @Test
    void nanosecondsThatNobodyAnnouncedAreCutAndCounted() {
        PcapNgBytes file = PcapNgBytes.plain().describe(1, 0).enhanced(0, 5, 10);
        for (int i = 0; i < 5000; i++) {
            file.enhanced(0, 6, 10);
        }
        file.describe(1, 0, file.resolution(9)).enhanced(1, 7_001, 10);
        Written written = rewrite(CaptureFormat.PCAP, null, file.toBytes());
        assertThat(written.report().format()).isEqualTo(CaptureFormat.PCAP);
        assertThat(written.report().timestamps().cut()).isEqualTo(1);
        Written fine = rewrite(CaptureFormat.PCAP_NANOSECOND, null, file.toBytes());
        assertThat(fine.report().timestamps().cut()).isZero();
        assertThat(read(fine.bytes()).frames().getLast().timestampNs()).isEqualTo(7_001);
    }

    @Test
    void pcapHoldsLongPacketsOfOneInterfaceBesideOneWithoutASnapLength() {
        byte[] file = PcapNgBytes.plain()
                .describe(1, 0)
                .describe(1, 1 << 20)
                .enhanced(1, 1, 300_000)
                .toBytes();
        Written written = rewrite(CaptureFormat.PCAP, null, file);
        assertThat(written.report().packets().cut()).isZero();
        assertThat(read(written.bytes()).frames())
                .extracting(ReadFrame::capturedLength)
                .containsExactly(300_000);
    }

    @Test
    void pcapTakesOneLinkTypeAndSaysWhatTakesMore() {
        byte[] file = PcapNgBytes.plain()
                .describe(1, 0)
                .describe(113, 0)
                .enhanced(0, 1, 5)
                .enhanced(1, 2, 5)
                .toBytes();
        assertThatThrownBy(() -> rewrite(CaptureFormat.PCAP, null, file))
                .isInstanceOf(LinkTypeException.class)
                .hasMessage("linkType 113 (linux-sll) in a pcap file of link type 1 (ether): write pcapng, which takes"
                        + " several");
    }

    @Test
    void countsTheBlocksThatPcapHasNoPlaceFor() {
        byte[] file = PcapNgBytes.plain().describe(1, 0).enhanced(0, 1, 5).toBytes();
        byte[] more = Reading.join(
                file, new PcapNgBytes(ByteOrder.LITTLE_ENDIAN).statistics(0).toBytes());
        assertThat(rewrite(CaptureFormat.PCAP, null, more).report().blocks().leftOut())
                .isEqualTo(1);
    }

    @Test
    void readsUpToTheLastPacketThatIsWantedAndNoFurther() {
        PcapBytes file = PcapBytes.plain();
        for (int i = 0; i < 10; i++) {
            file.record(i, 0, 10 + i);
        }
        List<Long> seen = new ArrayList<>();
        PacketEdit firstThree = new PacketEdit() {
            @Override
            public boolean edit(EditedPacket packet) {
                seen.add(packet.number());
                return packet.capturedLength() != 11;
            }

            @Override
            public boolean isDone() {
                return seen.size() == 3;
            }
        };
        Written written = rewrite(CaptureFormat.PCAPNG, firstThree, file.toBytes());
        assertThat(seen).containsExactly(1L, 2L, 3L);
        assertThat(read(written.bytes()).frames())
                .extracting(ReadFrame::capturedLength)
                .containsExactly(10, 12);
    }

    @Test
    void writesWhatComesBeforeDamage() {
        byte[] file = everything(ByteOrder.LITTLE_ENDIAN).toBytes();
        for (int length = 64; length < file.length; length += 4) {
            byte[] cut = Arrays.copyOf(file, length);
            Written written = rewrite(CaptureFormat.PCAPNG, null, cut);
            // a prefix of it, of whole blocks
            assertThat(written.bytes()).isEqualTo(Arrays.copyOf(file, written.bytes().length));
            assertThat(written.bytes().length).isLessThanOrEqualTo(length);
            assertThat(read(written.bytes()).frames()).isEqualTo(read(cut).frames());
            if (written.bytes().length < length) {
                assertThat(written.faults()).hasSize(1);
            }
        }
    }

    @Test
    void aFileThatIsDamagedInItsFirstBlockBecomesAnEmptyOne() {
        byte[] file = Arrays.copyOf(everything(ByteOrder.BIG_ENDIAN).toBytes(), 30);
        Written written = rewrite(CaptureFormat.PCAPNG, null, file);
        assertThat(written.faults()).hasSize(1);
        assertThat(content(written.bytes())).containsExactly("a0d0d0a:1.0 -1");
    }

    @Test
    void whateverIsReadWhatIsWrittenIsSound() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            byte[] one =
                    damaged(everything(random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN), random);
            byte[] other = damaged(everything(ByteOrder.LITTLE_ENDIAN), random);
            PacketEdit edit = random.nextBoolean()
                    ? null
                    : packet -> {
                        packet.cut(packet.capturedLength() / 2);
                        return packet.number() % 3 != 0;
                    };
            Written written = random.nextBoolean()
                    ? rewrite(CaptureFormat.PCAPNG, edit, one)
                    : rewrite(CaptureFormat.PCAPNG, edit, one, other);
            String what = "seed " + seed + ", round " + round;
            if (written.bytes().length > 0) {
                Reading reading = read(written.bytes());
                assertThat(reading.faults()).as(what).isEmpty();
                assertThat(reading.frames()).as(what).hasSize((int)
                        written.report().packets().written());
            }
        }
    }

    private static byte[] damaged(PcapNgBytes file, Random random) {
        byte[] bytes = file.toBytes();
        for (int i = random.nextInt(4); i > 0; i--) {
            bytes[12 + random.nextInt(bytes.length - 12)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    @Test
    void splitsWithWhatEachPartNeeds() throws IOException {
        byte[] file = everything(ByteOrder.BIG_ENDIAN).toBytes();
        Path source = Reading.write(folder, file);
        FileSeries series = new FileSeries(folder.resolve("part.pcapng"), 0);
        try (CaptureRewrite rewrite = CaptureRewrite.open(List.of(source.toString()), InputStream.nullInputStream())) {
            CaptureRewriteReport report = rewrite.to(series, new RotationLimits(0, 0, 1, 0));
            assertThat(report.files()).isEqualTo(3);
            assertThat(report.packets().written()).isEqualTo(3);
        }
        List<ReadFrame> frames = new ArrayList<>();
        try (var parts = Files.newDirectoryStream(folder, "part_*.pcapng")) {
            List<Path> sorted = new ArrayList<>();
            parts.forEach(sorted::add);
            sorted.sort(null);
            for (Path part : sorted) {
                PcapNgContent content = PcapNgContent.of(part.toString());
                assertThat(content.faults()).isEmpty();
                assertThat(content.blocks().stream().map(block -> block.replaceFirst(":.*", "")))
                        .startsWith("a0d0d0a", "1", "1", "4", "a");
                frames.addAll(Reading.of(CaptureFiles.open(part.toString()), 10).frames());
            }
        }
        assertThat(frames)
                .extracting(ReadFrame::bytes)
                .isEqualTo(read(file).frames().stream().map(ReadFrame::bytes).toList());
    }

    @Test
    void partsOfMergedFilesDescribeOnlyTheInterfacesOfTheCurrentSections() throws IOException {
        int sections = 300;
        PcapNgBytes many = new PcapNgBytes(ByteOrder.LITTLE_ENDIAN);
        PcapBytes other = PcapBytes.plain();
        for (int i = 0; i < sections; i++) {
            many.section(1, 0).describe(1, 100 + i).describe(1, 1000 + i);
            many.enhanced(1, i * 1_000_000L, 10);
            other.record(i, 500, 20);
        }
        List<String> paths = List.of(
                Reading.write(folder, many.toBytes()).toString(),
                Reading.write(folder, other.toBytes()).toString());
        FileSeries series = new FileSeries(folder.resolve("part.pcapng"), 0);
        try (CaptureRewrite rewrite = CaptureRewrite.open(paths, InputStream.nullInputStream())) {
            assertThat(rewrite.to(series, new RotationLimits(0, 0, 100, 0)).files())
                    .isEqualTo(2 * sections / 100);
        }
        int part = 0;
        try (var parts = Files.newDirectoryStream(folder, "part_*.pcapng")) {
            List<Path> sorted = new ArrayList<>();
            parts.forEach(sorted::add);
            sorted.sort(null);
            for (Path path : sorted) {
                Reading reading = Reading.of(CaptureFiles.open(path.toString()), 10);
                assertThat(reading.faults()).isEmpty();
                assertThat(reading.interfaces()).hasSizeBetween(100, 103);
                for (ReadFrame frame : reading.frames()) {
                    long second = frame.timestampNs() / 1_000_000_000L;
                    long snapLength =
                            reading.interfaces().get(frame.interfaceIndex()).snapLength();
                    assertThat(snapLength).isEqualTo(frame.capturedLength() == 10 ? 1000 + second : 65535);
                }
                assertThat(reading.frames()).hasSize(100);
                part++;
            }
        }
        assertThat(part).isEqualTo(6);
    }

    @Test
    void eachPartHasItsSectionHeaderHoweverLongThatIs() throws IOException {
        PcapNgBytes file = new PcapNgBytes(ByteOrder.LITTLE_ENDIAN);
        byte[][] comments = new byte[258][];
        Arrays.fill(comments, file.option(1, new byte[0xffff]));
        comments[257] = file.endOfOptions();
        file.section(1, 0, comments).describe(1, 0).enhanced(0, 1, 10).enhanced(0, 2, 10);
        Path source = Reading.write(folder, file.toBytes());
        FileSeries series = new FileSeries(folder.resolve("part.pcapng"), 0);
        try (CaptureRewrite rewrite = CaptureRewrite.open(List.of(source.toString()), InputStream.nullInputStream())) {
            assertThat(rewrite.to(series, new RotationLimits(0, 0, 1, 0)).files())
                    .isEqualTo(2);
            assertThat(rewrite.faults()).isEmpty();
        }
        Reading second = Reading.of(CaptureFiles.open(String.valueOf(series.last())), 10);
        assertThat(second.faults()).isEmpty();
        assertThat(second.frames()).hasSize(1);
    }

    @Test
    void writesAFileWithoutPacketsWhereThereAreNone() {
        byte[] file = PcapNgBytes.plain().describe(1, 0).toBytes();
        FileSeries series = new FileSeries(folder.resolve("part.pcapng"), 0);
        Path source = Reading.write(folder, file);
        try (CaptureRewrite rewrite = CaptureRewrite.open(List.of(source.toString()), InputStream.nullInputStream())) {
            assertThat(rewrite.to(series, new RotationLimits(0, 0, 1, 0)).files())
                    .isEqualTo(1);
        }
        assertThat(folder.resolve("part_00001_19700101000000.pcapng")).exists();
    }

    @Test
    void readsStandardInput() {
        byte[] file = everything(ByteOrder.BIG_ENDIAN).toBytes();
        try (CaptureRewrite rewrite = CaptureRewrite.open(List.of("-"), new ByteArrayInputStream(Reading.gzip(file)))) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            rewrite.to(Channels.newChannel(bytes));
            assertThat(bytes.toByteArray()).isEqualTo(file);
            assertThat(rewrite.size()).isEqualTo(-1);
            assertThatThrownBy(() -> rewrite.to(Channels.newChannel(bytes))).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void reportsAnOutputThatCannotBeWritten() {
        byte[] file = PcapBytes.plain().record(1, 1, 100).toBytes();
        Path source = Reading.write(folder, file);
        try (CaptureRewrite rewrite = CaptureRewrite.open(List.of(source.toString()), InputStream.nullInputStream())) {
            assertThatThrownBy(() ->
                            rewrite.to(new FileSeries(folder.resolve("no/such/folder.pcap"), 0), RotationLimits.NONE))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("cannot create ");
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a mapped file cannot be truncated there")
    void namesAFileThatIsTruncatedWhileItIsRewritten() {
        PcapBytes capture = PcapBytes.plain();
        for (int i = 0; i < 1000; i++) {
            capture.record(i, 0, 1000);
        }
        Path file = Reading.write(folder, capture.toBytes());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (CaptureRewrite rewrite = CaptureRewrite.open(List.of(file.toString()), InputStream.nullInputStream())) {
            rewrite.edit(_ -> {
                Reading.truncate(file, 100);
                return true;
            });
            assertThatThrownBy(() -> rewrite.to(Channels.newChannel(bytes)))
                    .isInstanceOf(FileTruncatedException.class)
                    .hasMessage(file + ": at byte 100: the file was cut shorter while it was read; read it again once"
                            + " it no longer changes");
            assertThat(rewrite.faults()).extracting(CaptureFault::kind).containsExactly(CaptureFault.Kind.CUT_OFF);
        }
    }

    private Path onePacket() {
        Path file = folder.resolve("a.pcapng");
        try (Arena arena = Arena.ofConfined();
                PcapNgWriter writer = PcapNgWriter.create(file)) {
            writer.write(arena.allocate(60), 0, 60, 60, 7, LinkType.ETHERNET);
        }
        return file;
    }

    @Test
    void writesAFileCompressedAsItsNameSays() throws IOException {
        Path input = onePacket();
        Path output = folder.resolve("b.pcapng.gz");
        try (CaptureRewrite rewrite = CaptureRewrite.open(List.of(input.toString()), InputStream.nullInputStream())) {
            rewrite.to(output);
        }
        try (CaptureRewrite rewrite = CaptureRewrite.open(List.of(output.toString()), InputStream.nullInputStream())) {
            assertThat(rewrite.to(Channels.newChannel(new ByteArrayOutputStream()))
                            .packets()
                            .read())
                    .isEqualTo(1);
            assertThat(rewrite.files().getFirst().compression()).isEqualTo(CaptureCompression.GZIP);
        }
    }

    @Test
    void doesNotWriteOverAFileThatItReads() throws IOException {
        Path input = onePacket();
        long before = Files.size(input);
        try (CaptureRewrite rewrite = CaptureRewrite.open(List.of(input.toString()), InputStream.nullInputStream())) {
            Path same = folder.resolve(".").resolve("a.pcapng");
            assertThatThrownBy(() -> rewrite.to(same)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(input).hasSize(before);
    }
}
