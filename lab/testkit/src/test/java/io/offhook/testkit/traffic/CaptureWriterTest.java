package io.offhook.testkit.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class CaptureWriterTest {
    private static final long TIME = 1_700_000_000_123_456_789L;
    private static final List<Frame> TWO = List.of(
            new Frame(TIME, 1, new byte[] {1, 2, 3, 4, 5}, 9), new Frame(TIME + 1_000_001_000L, 1, new byte[] {6}, 1));

    @Test
    void writesPcapInEveryForm() {
        String header = "02000400" + "0000000000000000" + "00000400" + "01000000";
        assertThat(hex(CaptureWriter.pcap(), 40))
                .isEqualTo("d4c3b2a1" + header + "00f1536540e2010005000000" + "09000000");
        assertThat(hex(CaptureWriter.pcap().nanoseconds(), 40))
                .isEqualTo("4d3cb2a1" + header + "00f1536515cd5b0705000000" + "09000000");
        assertThat(hex(CaptureWriter.pcap().bigEndian(), 40))
                .isEqualTo("a1b2c3d4" + "00020004" + "0000000000000000" + "00040000" + "00000001"
                        + "6553f1000001e2400000000500000009");
        assertThat(hex(CaptureWriter.pcap().modified(), 56))
                .isEqualTo("34cdb2a1" + header + "00f1536540e20100050000000900000001000000" + "00080000" + "0102030405"
                        + "01f153");
        assertThat(CaptureWriter.pcap().write(TWO)).hasSize(24 + 16 + 5 + 16 + 1);
        assertThat(CaptureWriter.pcap().snapLength(3).write(TWO)).hasSize(24 + 16 + 3 + 16 + 1);
    }

    @Test
    void keepsNanosecondsInEveryPcapngResolution() {
        for (int resolution : new int[] {9, 128 + 30, 128 + 31, 128 + 32}) {
            for (long offset : new long[] {0, 3600, -3600}) {
                CaptureWriter writer =
                        CaptureWriter.pcapng().resolution(resolution).timeOffset(offset);
                assertThat(times(writer, resolution, offset)).containsExactly(TIME, TIME + 1_000_001_000L);
            }
        }
        assertThat(times(CaptureWriter.pcapng().bigEndian().resolution(3), 3, 0))
                .containsExactly(TIME / 1_000_000 * 1_000_000, (TIME + 1_000_001_000L) / 1_000_000 * 1_000_000);
    }

    @Test
    void describesEachLinkTypeInEachSection() {
        List<Frame> frames = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            frames.add(new Frame(TIME + i, i % 2 == 0 ? 1 : 113, new byte[20], 20));
        }
        for (CaptureWriter writer :
                List.of(CaptureWriter.pcapng(), CaptureWriter.pcapng().bigEndian())) {
            List<Integer> types = types(writer.sections(2).withOtherBlocks().write(frames));
            assertThat(types.stream().filter(type -> type == 0x0a0d0d0a)).hasSize(2);
            assertThat(types.stream().filter(type -> type == 1)).hasSize(4);
            assertThat(types.stream().filter(type -> type == 6)).hasSize(10);
            assertThat(types).contains(4, 5, 0x0bad, 0x7ffe);
        }
    }

    @Test
    void refusesTwoLinkTypesInOnePcap() {
        List<Frame> mixed = List.of(TWO.getFirst(), new Frame(TIME, 113, new byte[20], 20));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CaptureWriter.pcap().write(mixed))
                .withMessageContaining("113");
    }

    @Test
    void compressesWithoutChange() throws Exception {
        byte[] plain = CaptureWriter.pcapng().write(TWO);
        byte[] packed = CaptureWriter.pcapng().gzip().write(TWO);
        assertThat(new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes())
                .isEqualTo(plain);
    }

    private static String hex(CaptureWriter writer, int length) {
        return HexFormat.of().formatHex(writer.write(TWO), 0, length);
    }

    private static List<Integer> types(byte[] file) {
        List<Integer> types = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(file);
        bytes.order(bytes.getInt(8) == 0x1a2b3c4d ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        while (at < file.length) {
            types.add(bytes.getInt(at));
            int length = bytes.getInt(at + 4);
            assertThat(length % 4).isZero();
            assertThat(bytes.getInt(at + length - 4)).isEqualTo(length);
            at += length;
        }
        return types;
    }

    /** The times of the packets, as a reader works them out that rounds down. */
    private static List<Long> times(CaptureWriter writer, int resolution, long offset) {
        byte[] file = writer.write(TWO);
        List<Long> times = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(file);
        bytes.order(bytes.getInt(8) == 0x1a2b3c4d ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < file.length; at += bytes.getInt(at + 4)) {
            if (bytes.getInt(at) == 6) {
                long units = (bytes.getInt(at + 12) & 0xffff_ffffL) << 32 | bytes.getInt(at + 16) & 0xffff_ffffL;
                long perSecond = resolution < 128 ? (long) Math.pow(10, resolution) : 1L << resolution - 128;
                long seconds = Math.floorDiv(units, perSecond);
                long rest = Math.floorMod(units, perSecond);
                times.add((seconds + offset) * 1_000_000_000 + rest * 1_000_000_000 / perSecond);
            }
        }
        return times;
    }
}
