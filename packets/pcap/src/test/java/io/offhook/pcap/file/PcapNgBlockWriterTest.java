package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.WrapStatus;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PcapNgBlockWriterTest {
    @TempDir
    private Path folder;

    private static MemorySegment segment(byte[] bytes) {
        MemorySegment segment = Arena.ofAuto().allocate(Math.max(1, bytes.length));
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return segment;
    }

    /** One block of each kind against the bytes that the tests' own builder makes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void writesEveryKindOfBlock(boolean isBig) {
        ByteOrder order = isBig ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PcapNgBlockWriter writer = PcapNgBlockWriter.to(Channels.newChannel(bytes), order)) {
            writer.section(new PcapNgOptions(order).comment("über").text(4, "us"));
            assertThat(writer.interfaceDescription(
                            1, 65535, new PcapNgOptions(order).u8(9, 9).bits64(14, -5)))
                    .isZero();
            assertThat(writer.interfaceDescription(113, 0, new PcapNgOptions(order)))
                    .isEqualTo(1);
            PcapNgOptions flags = new PcapNgOptions(order).u32(2, 0x8000_0001L);
            writer.packet(1, 0x1122_3344_5566_7788L, segment(PcapBytes.packet(5)), 0, 5, 70, flags);
            writer.packet(0, 1, segment(PcapBytes.packet(4)), 0, 4, 4, null);
            writer.names(new PcapNgOptions(order).bytes(1, new byte[] {10, 0, 0, 1, 'x', 0}), new PcapNgOptions(order));
            writer.statistics(0, 9, new PcapNgOptions(order).timestampUnits(3, 0x1_0000_0002L));
            writer.secrets(0x544c534b, new byte[] {1, 2, 3}, new PcapNgOptions(order));
            writer.custom(true, 32473, new byte[] {1, 2, 3, 4, 5});
            writer.custom(false, 32473, new byte[0]);
            assertThat(writer.bytes()).isPositive();
        }
        PcapNgBytes expected = new PcapNgBytes(order);
        byte[] end = expected.endOfOptions();
        expected.section(
                1,
                0,
                expected.option(1, "über".getBytes(StandardCharsets.UTF_8)),
                expected.option(4, "us".getBytes(StandardCharsets.UTF_8)),
                end);
        expected.describe(1, 65535, expected.resolution(9), expected.offset(-5), end)
                .describe(113, 0);
        PcapNgBytes.Body packet =
                expected.body().u32(1).u32(0x1122_3344).u32(0x5566_7788).u32(5).u32(70);
        packet.put(PcapBytes.packet(5)).pad();
        packet.put(expected.option(2, expected.body().u32(0x8000_0001).toBytes()))
                .put(end);
        expected.block(6, packet).enhanced(0, 1, PcapBytes.packet(4), 4);
        byte[] name = expected.option(1, new byte[] {10, 0, 0, 1, 'x', 0});
        expected.block(4, expected.body().put(name).put(end));
        byte[] time = expected.option(3, expected.body().u32(1).u32(2).toBytes());
        expected.block(5, expected.body().u32(0).u32(0).u32(9).put(time).put(end));
        expected.block(
                10,
                expected.body().u32(0x544c534b).u32(3).put(new byte[] {1, 2, 3}).pad());
        expected.block(
                0xbad,
                expected.body().u32(32473).put(new byte[] {1, 2, 3, 4, 5}).pad());
        expected.block(0x4000_0bad, expected.body().u32(32473));
        assertThat(bytes.toByteArray()).isEqualTo(expected.toBytes());
    }

    @Test
    void sectionsNumberTheirInterfacesAnew() {
        Path file = folder.resolve("a.pcapng.gz");
        try (PcapNgBlockWriter writer = PcapNgBlockWriter.create(file)) {
            writer.section(new PcapNgOptions());
            assertThat(writer.interfaceDescription(1, 0, new PcapNgOptions())).isZero();
            writer.section(new PcapNgOptions());
            assertThat(writer.interfaceDescription(101, 0, new PcapNgOptions())).isZero();
            writer.packet(0, 1, segment(new byte[4]), 0, 4, 4, null);
        }
        List<ReadFrame> frames =
                Reading.of(CaptureFiles.open(file.toString()), 10).frames();
        assertThat(frames).hasSize(1).allMatch(frame -> frame.linkType() == 101);
    }

    @Test
    void copiesBlocksOfItsOwnByteOrder() {
        byte[] file = PcapNgBytes.plain().describe(1, 0).enhanced(0, 1, 6).toBytes();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PcapNgBlockView big = new PcapNgBlockView();
        big.wrap(segment(PcapNgBytes.of(ByteOrder.BIG_ENDIAN).toBytes()), 0, 28, ByteOrder.LITTLE_ENDIAN);
        try (PcapNgBlocks blocks = PcapNgBlocks.open(Reading.write(folder, file).toString());
                PcapNgBlockWriter writer = PcapNgBlockWriter.to(Channels.newChannel(bytes), ByteOrder.LITTLE_ENDIAN)) {
            while (blocks.next()) {
                writer.block(blocks.block());
            }
            assertThatThrownBy(() -> writer.block(big))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a BIG_ENDIAN block in a section that is LITTLE_ENDIAN");
        }
        assertThat(bytes.toByteArray()).isEqualTo(file);
    }

    @Test
    void namesTheFieldThatIsOutOfRange() {
        PcapNgOptions options = new PcapNgOptions();
        assertThatThrownBy(() -> options.u8(9, 256)).hasMessage("value 256 is not within 0 to 255");
        assertThatThrownBy(() -> options.u32(2, -1)).hasMessage("value -1 is not within 0 to 4294967295");
        assertThatThrownBy(() -> options.bytes(0, new byte[1])).hasMessageStartingWith("code 0 is the end of options");
        assertThatThrownBy(() -> options.bytes(70_000, new byte[1])).hasMessage("code 70000 is not within 0 to 65535");
        assertThatThrownBy(() -> options.bytes(1, new byte[65_536]))
                .hasMessage("length 65536 is not within 0 to 65535");
        try (PcapNgBlockWriter writer =
                PcapNgBlockWriter.to(Channels.newChannel(new ByteArrayOutputStream()), ByteOrder.LITTLE_ENDIAN)) {
            assertThatThrownBy(() -> writer.interfaceDescription(65_536, 0, options))
                    .hasMessage("linkType 65536 is not within 0 to 65535");
            assertThatThrownBy(() -> writer.interfaceDescription(1, -1, options))
                    .hasMessage("snapLength -1 is not within 0 to 4294967295");
            assertThatThrownBy(() -> writer.section(new PcapNgOptions(ByteOrder.BIG_ENDIAN).comment("x")))
                    .hasMessage("BIG_ENDIAN options in a section that is LITTLE_ENDIAN");
        }
    }

    @Test
    void viewsStayWithinABlockOfAnyBytes() {
        Random random = new Random(20_261_121);
        int[] types = {0x0a0d0d0a, 1, 2, 3, 4, 5, 6, 10, 0xbad, 0x4000_0bad, 77};
        PcapNgBlockView view = new PcapNgBlockView();
        PcapNgOptionsView options = new PcapNgOptionsView();
        int sound = 0;
        long read = 0;
        for (int round = 0; round < 200_000; round++) {
            byte[] body = new byte[4 * random.nextInt(30)];
            for (int i = 0; i < body.length; i++) {
                body[i] = (byte) (random.nextInt(4) == 0 ? random.nextInt(256) : random.nextInt(9) == 0 ? 1 : 0);
            }
            ByteOrder order = random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
            PcapNgBytes file = new PcapNgBytes(order);
            byte[] block = file.block(
                            types[random.nextInt(types.length)], file.body().put(body))
                    .toBytes();
            WrapStatus status = view.wrap(segment(block), 0, block.length, order, random.nextInt(100));
            sound += status == WrapStatus.OK ? 1 : 0;
            if (status == WrapStatus.OK) {
                assertThat(PcapNgContent.describe(view)).startsWith(Integer.toHexString(view.type()) + ":");
            }
            read += fields(view);
            view.options(options);
            while (options.next()) {
                assertThat(options.offset() + options.length()).isLessThanOrEqualTo(block.length - 4L);
                assertThat(options.text().length()).isLessThanOrEqualTo(options.length());
                read += options.u8() + options.u32() + options.bits64() + options.timestampUnits();
            }
        }
        assertThat(sound).isGreaterThan(50_000);
        assertThat(read).isNotZero();
    }

    /** All fields, of a block of whatever type: a read outside of its memory would throw. */
    private static long fields(PcapNgBlockView view) {
        return view.majorVersion()
                + view.minorVersion()
                + view.sectionLength()
                + view.linkType()
                + view.snapLength()
                + view.interfaceId()
                + view.timestampUnits()
                + view.wireLength()
                + view.drops()
                + view.secretsType()
                + view.dataLength()
                + view.enterpriseNumber();
    }
}
