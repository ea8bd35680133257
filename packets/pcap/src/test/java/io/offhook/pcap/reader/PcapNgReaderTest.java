package io.offhook.pcap.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.file.PcapBytes;
import io.offhook.pcap.file.PcapNgBytes;
import io.offhook.pcap.file.ReadFrame;
import io.offhook.pcap.file.Reading;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PcapNgReaderTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path directory;

    private Reading read(PcapNgBytes capture) {
        Reading mapped = Reading.mapped(directory, capture.toBytes(), 4);
        assertThat(Reading.streamed(capture.toBytes(), 4).nameless()).isEqualTo(mapped.nameless());
        return mapped;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsSectionsOfEitherByteOrderWithInterfacesOfTheirOwn(boolean bigFirst) {
        ByteOrder first = bigFirst ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        ByteOrder second = bigFirst ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        PcapNgBytes capture = PcapNgBytes.of(first);
        capture.describe(1, 96, capture.name("eth0"))
                .describe(113, 0, capture.resolution(9), capture.name("any"), capture.endOfOptions())
                .enhanced(1, 5 * SECOND + 7, PcapBytes.packet(50), 1500)
                .enhanced(0, 6_000_001, PcapBytes.packet(3), 3)
                .section(second)
                .describe(276, 0)
                .enhanced(0, 7_000_000, PcapBytes.packet(4), 4);
        Reading reading = read(capture);
        assertThat(reading.faults()).isEmpty();
        assertThat(reading.frames())
                .containsExactly(
                        frame(1, 5 * SECOND + 7, PcapBytes.packet(50), 1500, 1, LinkType.LINUX_SLL),
                        frame(2, 6 * SECOND + 1000, PcapBytes.packet(3), 3, 0, LinkType.ETHERNET),
                        frame(3, 7 * SECOND, PcapBytes.packet(4), 4, 2, LinkType.LINUX_SLL2));
        String file = reading.files().getFirst().path();
        assertThat(reading.interfaces())
                .containsExactly(
                        new CaptureInterface(file, 1, 96, 1_000_000, 0, "eth0"),
                        new CaptureInterface(file, 113, 0, SECOND, 0, "any"),
                        new CaptureInterface(file, 276, 0, 1_000_000, 0, null));
        assertThat(reading.files().getFirst().format()).isEqualTo(CaptureFormat.PCAPNG);
    }

    private static ReadFrame frame(long number, long ns, byte[] packet, int wire, int interfaceIndex, int linkType) {
        return new ReadFrame(
                number,
                ns,
                packet.length,
                wire,
                interfaceIndex,
                linkType,
                HexFormat.of().formatHex(packet));
    }

    @ParameterizedTest
    @CsvSource({
        "6, 1700000000123456, 1700000000123456000",
        "9, 1700000000123456789, 1700000000123456789",
        "3, 1700000000123, 1700000000123000000",
        "0, 1700000000, 1700000000000000000",
        "12, 1700000000123456789, 1700000000123456",
        "0x94, 1782579200524288, 1700000000500000000",
        "0x80, 1700000000, 1700000000000000000",
    })
    void readsTimesOfEveryResolution(String resolution, long units, long ns) {
        for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
            PcapNgBytes capture = PcapNgBytes.of(order);
            capture.describe(1, 0, capture.resolution(Integer.decode(resolution)), capture.offset(-100));
            capture.enhanced(0, units, 10);
            assertThat(read(capture).frames().getFirst().timestampNs()).isEqualTo(ns - 100 * SECOND);
        }
    }

    @Test
    void countsTimesThatDoNotFit() {
        PcapNgBytes capture = PcapNgBytes.plain();
        capture.describe(1, 0).enhanced(0, -1, 10).enhanced(0, 1, 10);
        capture.section(ByteOrder.BIG_ENDIAN).describe(1, 0, capture.offset(Long.MAX_VALUE));
        capture.enhanced(0, 1, 10);
        Reading reading = read(capture);
        assertThat(reading.frames())
                .extracting(ReadFrame::timestampNs)
                .containsExactly(TimestampScale.MOST_NS, 1000L, TimestampScale.MOST_NS);
        assertThat(reading.files().getFirst().timestampsClamped()).isEqualTo(2);
    }

    @Test
    void readsSimplePacketsWithTheTimeOfThePacketBefore() {
        PcapNgBytes capture = PcapNgBytes.plain()
                .describe(1, 6)
                .simple(PcapBytes.packet(6), 9)
                .enhanced(0, 5_000_000, 5)
                .simple(PcapBytes.packet(5), 5);
        Reading reading = read(capture);
        assertThat(reading.faults()).isEmpty();
        assertThat(reading.frames())
                .containsExactly(
                        frame(1, 0, PcapBytes.packet(6), 9, 0, 1),
                        frame(2, 5 * SECOND, PcapBytes.packet(5), 5, 0, 1),
                        frame(3, 5 * SECOND, PcapBytes.packet(5), 5, 0, 1));
    }

    @Test
    void readsObsoletePackets() {
        for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
            PcapNgBytes capture = PcapNgBytes.of(order)
                    .describe(1, 0)
                    .describe(101, 0)
                    .obsolete(1, 5_000_000, PcapBytes.packet(7), 70);
            assertThat(read(capture).frames()).containsExactly(frame(1, 5 * SECOND, PcapBytes.packet(7), 70, 1, 101));
        }
    }

    @Test
    void passesOverOtherBlocks() {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0);
        int[] others = {4, 5, 9, 10, 0xbad, 0x4000_0bad, 0x7fff_ffff, 0x8000_0001};
        for (int type : others) {
            capture.block(type, capture.body().put(new byte[type & 0x3c])).enhanced(0, 1, 9);
        }
        Reading reading = read(capture);
        assertThat(reading.faults()).isEmpty();
        assertThat(reading.frames()).hasSize(others.length);
    }

    @Test
    void passesOverLongBlocksOfAPipeWithoutHoldingThem() {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0).enhanced(0, 1, 9);
        int length = 40 << 20; // more than any buffer may have
        byte[] start = Arrays.copyOf(
                new PcapNgBytes(ByteOrder.LITTLE_ENDIAN)
                        .raw(0xbad, length, capture.body(), length)
                        .toBytes(),
                8);
        byte[] end = new PcapNgBytes(ByteOrder.LITTLE_ENDIAN)
                .raw(0xbad, 0, capture.body(), length)
                .enhanced(0, 2, 10)
                .toBytes();
        InputStream zeros = new InputStream() {
            private int left = length - 12;

            @Override
            public int read() {
                return left-- > 0 ? 0 : -1;
            }

            @Override
            public int read(byte[] target, int offset, int count) {
                int given = Math.min(count, left);
                Arrays.fill(target, offset, offset + Math.max(given, 0), (byte) 0);
                left -= given;
                return given > 0 ? given : -1;
            }
        };
        InputStream whole = new SequenceInputStream(Collections.enumeration(List.of(
                new ByteArrayInputStream(capture.toBytes()),
                new ByteArrayInputStream(start),
                zeros,
                new ByteArrayInputStream(Arrays.copyOfRange(end, 8, end.length)))));
        Reading reading = Reading.streamed(whole, 100);
        assertThat(reading.faults()).isEmpty();
        assertThat(reading.frames()).extracting(ReadFrame::capturedLength).containsExactly(9, 10);
    }

    @Test
    void reportsWhereEveryTruncationCuts() {
        PcapNgBytes capture = PcapNgBytes.plain();
        TreeMap<Integer, Integer> frames = new TreeMap<>();
        frames.put(capture.size(), 0);
        frames.put(capture.describe(1, 0, capture.name("eth0")).size(), 0);
        frames.put(capture.enhanced(0, 1, 13).size(), 1);
        frames.put(capture.block(5, capture.body().put(new byte[40])).size(), 1);
        frames.put(capture.simple(PcapBytes.packet(5), 5).size(), 2);
        frames.put(capture.section(ByteOrder.BIG_ENDIAN).size(), 2);
        byte[] whole = capture.toBytes();
        for (int length = 4; length <= whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            Reading reading = Reading.mapped(directory, cut, 16);
            var before = frames.floorEntry(length);
            int start = before == null ? 0 : before.getKey();
            assertThat(reading.frames()).as("cut to %d", length).hasSize(before == null ? 0 : before.getValue());
            if (start == length) {
                assertThat(reading.faults()).as("cut to %d", length).isEmpty();
            } else {
                int found = length - start;
                var next = frames.higherKey(length - 1);
                int expected = found < 12 ? 12 : (next == null ? whole.length : next) - start;
                assertThat(reading.faults())
                        .containsExactly("CUT_OFF at " + start + ": a block of " + expected
                                + " bytes was expected, the file ends after " + found + " of them");
            }
            assertThat(Reading.streamed(cut, 16).nameless()).isEqualTo(reading.nameless());
        }
    }

    @Test
    void endsAtBlockLengthsThatCannotBe() {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0).enhanced(0, 1, 9);
        int at = capture.size();
        byte[] tooShort = capture.raw(6, 8, capture.body(), 8).enhanced(0, 1, 9).toBytes();
        Reading reading = Reading.mapped(directory, tooShort, 4);
        assertThat(reading.frames()).hasSize(1);
        assertThat(reading.faults())
                .containsExactly("DAMAGED at " + (at + 4) + ": a block length of at least 12 was expected, 8 found");
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 6})
    void endsWhereTheTwoLengthsOfABlockDiffer(int type) {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0).enhanced(0, 1, 9);
        int at = capture.size();
        Reading reading =
                read(capture.raw(type, 44, capture.body().put(new byte[32]), 48).enhanced(0, 1, 9));
        assertThat(reading.frames()).hasSize(1);
        assertThat(reading.faults())
                .containsExactly(
                        "DAMAGED at " + (at + 40) + ": the block's length 44 was expected again at its end, 48 found");
    }

    /** Found by fuzzing: 32 less than the least int is a large one. */
    @ParameterizedTest
    @ValueSource(ints = {0x8000_0000, 0x8000_0010, 0x8000_001c, 0x8000_0020, 0xffff_fffc})
    void endsAtAPacketBlockWhoseLengthHasTheHighestBit(int length) {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0).enhanced(0, 1, 9);
        int at = capture.size();
        Reading reading = read(capture.raw(6, length, capture.body().put(new byte[32]), length));
        assertThat(reading.frames()).hasSize(1);
        assertThat(reading.faults())
                .containsExactly("DAMAGED at " + (at + 4) + ": a block of at most 17825792 bytes was expected, "
                        + Integer.toUnsignedString(length) + " announced");
    }

    @Test
    void endsAtAPacketBlockOfAbsurdLength() {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0).enhanced(0, 1, 9);
        int at = capture.size();
        Reading reading = read(capture.raw(6, 0xffff_fff0, capture.body().put(new byte[32]), 0));
        assertThat(reading.frames()).hasSize(1);
        assertThat(reading.faults())
                .containsExactly("DAMAGED at " + (at + 4)
                        + ": a block of at most 17825792 bytes was expected, 4294967280 announced");
    }

    @Test
    void endsWhereTheCapturedLengthLeavesTheBlock() {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0).enhanced(0, 1, 9);
        int at = capture.size();
        var body = capture.body().u32(0).u32(0).u32(1).u32(17).u32(17).put(new byte[16]);
        Reading reading = read(capture.block(6, body));
        assertThat(reading.frames()).hasSize(1);
        assertThat(reading.faults())
                .containsExactly("DAMAGED at " + (at + 20) + ": at most 16 captured bytes were expected, 17 announced");
    }

    @Test
    void takesBlockLengthsWithoutTheirPadding() {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0);
        var body = capture.body()
                .u32(0)
                .u32(0)
                .u32(1)
                .u32(5)
                .u32(5)
                .put(PcapBytes.packet(5))
                .pad();
        Reading reading = read(capture.raw(6, 37, body, 37).enhanced(0, 1, 9));
        assertThat(reading.faults()).isEmpty();
        assertThat(reading.frames()).extracting(ReadFrame::capturedLength).containsExactly(5, 9);
    }

    @Test
    void endsAtASectionOfUnknownVersion() {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0).enhanced(0, 1, 9);
        int at = capture.size();
        Reading reading = read(capture.section(2, 0).describe(1, 0).enhanced(0, 1, 9));
        assertThat(reading.frames()).hasSize(1);
        assertThat(reading.faults())
                .containsExactly(
                        "UNKNOWN_FORMAT at " + (at + 12) + ": pcapng version 1.0 was expected, a section of 2.0 found");
    }

    @Test
    void readsVersion12() {
        PcapNgBytes capture = new PcapNgBytes(ByteOrder.LITTLE_ENDIAN)
                .section(1, 2)
                .describe(1, 0)
                .enhanced(0, 1, 9);
        assertThat(read(capture).frames()).hasSize(1);
    }

    @Test
    void endsAtAByteOrderMagicThatIsNone() {
        byte[] capture = PcapNgBytes.plain().describe(1, 0).enhanced(0, 1, 9).toBytes();
        capture[8] ^= 1;
        assertThat(Reading.mapped(directory, capture, 4).faults())
                .containsExactly("DAMAGED at 8: the byte-order magic 0x1a2b3c4d was expected, 0x1a2b3c4c found");
    }

    @Test
    void endsAtOptionsThatOverrunTheirBlock() {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0).enhanced(0, 1, 9);
        int at = capture.size();
        byte[] overrunning = capture.body().u16(2).u16(5).put(new byte[4]).toBytes();
        Reading reading = read(capture.describe(1, 0, overrunning).enhanced(0, 1, 9));
        assertThat(reading.frames()).hasSize(1);
        assertThat(reading.faults())
                .containsExactly("DAMAGED at " + (at + 18) + ": an option of at most 4 bytes was expected, 5 found");
    }

    @Test
    void endsAtOptionsOfASectionThatOverrunIt() {
        PcapNgBytes capture = new PcapNgBytes(ByteOrder.LITTLE_ENDIAN);
        byte[] overrunning = capture.body().u16(1).u16(12336).put(new byte[4]).toBytes();
        assertThat(read(capture.section(1, 0, overrunning)).faults())
                .containsExactly("DAMAGED at 26: an option of at most 4 bytes was expected, 12336 found");
    }

    @Test
    void leavesOutPacketsOfInterfacesThatAreNotDescribed() {
        PcapNgBytes capture = PcapNgBytes.plain().simple(PcapBytes.packet(4), 4);
        int at = 28;
        capture.describe(1, 0).enhanced(1, 1, 9).enhanced(-1, 1, 9).enhanced(0, 1, 9);
        Reading reading = read(capture);
        assertThat(reading.frames()).hasSize(1);
        assertThat(reading.files().getFirst().packetsLeftOut()).isEqualTo(3);
        assertThat(reading.faults())
                .containsExactly("DAMAGED at " + at
                        + ": a packet of one of the section's 0 interfaces was expected, one of interface 0 found");
    }

    @Test
    void keepsTheNumberOfAnInterfaceThatEverySectionDescribesAlike() {
        PcapNgBytes capture = new PcapNgBytes(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 35_000; i++) {
            capture.section(1, 0).describe(1, 0).describe(i == 3 ? 9 : 1, 0);
        }
        Reading reading = read(capture.enhanced(1, 1, 9));
        assertThat(reading.faults()).isEmpty();
        assertThat(reading.interfaces()).extracting(CaptureInterface::linkType).containsExactly(1, 1, 9, 1);
        assertThat(reading.frames().getFirst().interfaceIndex()).isEqualTo(3);
    }

    @Test
    void keepsAsManyInterfacesAsCanBeNumbered() {
        PcapNgBytes capture = PcapNgBytes.plain();
        for (int i = 0; i < 65_535; i++) {
            capture.describe(1, i);
        }
        capture.enhanced(65_534, 1, 9);
        int at = capture.size();
        for (int i = 0; i < 5_000; i++) {
            capture.describe(1, i);
        }
        Reading reading =
                read(capture.enhanced(65_535, 1, 8).enhanced(70_000, 1, 8).enhanced(65_533, 1, 7));
        assertThat(reading.interfaces()).hasSize(65_535);
        assertThat(reading.frames()).extracting(ReadFrame::interfaceIndex).containsExactly(65_534, 65_533);
        assertThat(reading.files().getFirst().packetsLeftOut()).isEqualTo(2);
        assertThat(reading.faults()).containsExactly("DAMAGED at " + at + ": more than 65535 interfaces in all files");
    }

    @Test
    void cutsTheNameOfAnInterface() {
        PcapNgBytes capture = PcapNgBytes.plain();
        capture.describe(1, 0, capture.name("x".repeat(60_000)));
        assertThat(read(capture).interfaces().getFirst().name()).isEqualTo("x".repeat(256));
    }
}
