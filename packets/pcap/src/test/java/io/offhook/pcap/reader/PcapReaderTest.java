package io.offhook.pcap.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.file.PcapBytes;
import io.offhook.pcap.file.ReadFrame;
import io.offhook.pcap.file.Reading;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PcapReaderTest {
    @TempDir
    private Path directory;

    static Stream<Arguments> forms() {
        return Stream.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)
                .flatMap(order -> Stream.of(
                        Arguments.of(order, PcapBytes.MICROSECONDS, CaptureFormat.PCAP, 1000),
                        Arguments.of(order, PcapBytes.NANOSECONDS, CaptureFormat.PCAP_NANOSECOND, 1),
                        Arguments.of(order, PcapBytes.MODIFIED, CaptureFormat.PCAP_MODIFIED, 1000),
                        Arguments.of(order, PcapBytes.IXIA_HARDWARE, CaptureFormat.PCAP_NANOSECOND, 1),
                        Arguments.of(order, PcapBytes.IXIA_SOFTWARE, CaptureFormat.PCAP_NANOSECOND, 1)));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void readsEveryForm(ByteOrder order, int magic, CaptureFormat format, int nsPerUnit) {
        byte[] packet = PcapBytes.packet(60);
        byte[] capture = PcapBytes.of(order, magic)
                .record(1_700_000_000L, 123_456, packet, 1514)
                .record(0xffff_ffffL, 999_999, new byte[0], 0)
                .toBytes();
        Reading reading = Reading.mapped(directory, capture, 16);
        assertThat(reading.faults()).isEmpty();
        assertThat(reading.files().getFirst().format()).isEqualTo(format);
        assertThat(reading.files().getFirst().packets()).isEqualTo(2);
        assertThat(reading.frames())
                .containsExactly(
                        new ReadFrame(
                                1,
                                1_700_000_000_000_000_000L + 123_456L * nsPerUnit,
                                60,
                                1514,
                                0,
                                LinkType.ETHERNET,
                                HexFormat.of().formatHex(packet)),
                        new ReadFrame(
                                2, 4_294_967_295_000_000_000L + 999_999L * nsPerUnit, 0, 0, 0, LinkType.ETHERNET, ""));
        CaptureInterface captureInterface = reading.interfaces().getFirst();
        assertThat(captureInterface.snapLength()).isEqualTo(65535);
        assertThat(captureInterface.timestampUnitsPerSecond()).isEqualTo(1_000_000_000L / nsPerUnit);
    }

    @ParameterizedTest
    @MethodSource("forms")
    void reportsWhereEveryTruncationCuts(ByteOrder order, int magic, CaptureFormat format, int nsPerUnit) {
        PcapBytes builder = PcapBytes.of(order, magic);
        int headerEnd = builder.size();
        int firstEnd = builder.record(1, 0, 10).size();
        byte[] capture = builder.record(2, 0, 20).toBytes();
        int recordHeader = capture.length - firstEnd - 20;
        for (int length = 0; length <= capture.length; length++) {
            byte[] cut = Arrays.copyOf(capture, length);
            Reading reading = Reading.mapped(directory, cut, 16);
            int frames = length == capture.length ? 2 : length >= firstEnd ? 1 : 0;
            assertThat(reading.frames()).as("cut to %d", length).hasSize(frames);
            assertThat(reading.faults())
                    .as("cut to %d", length)
                    .isEqualTo(faultsWhenCut(cut, headerEnd, firstEnd, recordHeader, capture.length));
            assertThat(Reading.streamed(cut, 16).nameless()).isEqualTo(reading.nameless());
        }
    }

    private static List<String> faultsWhenCut(byte[] cut, int headerEnd, int firstEnd, int recordHeader, int end) {
        int length = cut.length;
        if (length == headerEnd || length == firstEnd || length == end) {
            return List.of();
        }
        if (length == 0) {
            return List.of("UNKNOWN_FORMAT at 0: pcap, pcapng or snoop, plain or in gzip or zstd, was expected, "
                    + "an empty file found");
        }
        if (length < headerEnd) {
            return length < 4 ? List.of(unknown(cut)) : List.of(cutOff(0, "file header", headerEnd, length));
        }
        int start = length < firstEnd ? headerEnd : firstEnd;
        int packet = length < firstEnd ? 10 : 20;
        int found = length - start;
        return found < recordHeader
                ? List.of(cutOff(start, "record header", recordHeader, found))
                : List.of(cutOff(start, "packet record", recordHeader + packet, found));
    }

    private static String unknown(byte[] head) {
        return "UNKNOWN_FORMAT at 0: pcap, pcapng or snoop, plain or in gzip or zstd, was expected, found the bytes "
                + HexFormat.ofDelimiter(" ").formatHex(head) + " and no more";
    }

    private static String cutOff(int offset, String what, int expected, int found) {
        return "CUT_OFF at " + offset + ": a " + what + " of " + expected + " bytes was expected, the file ends after "
                + found + " of them";
    }

    @Test
    void endsAtARecordOfAbsurdLength() {
        PcapBytes builder = PcapBytes.plain().record(1, 0, 60);
        int offset = builder.size();
        byte[] capture =
                builder.recordHeader(2, 0, 262_145, 262_145).record(3, 0, 60).toBytes();
        Reading reading = Reading.mapped(directory, capture, 16);
        assertThat(reading.frames()).hasSize(1);
        assertThat(reading.faults())
                .containsExactly("DAMAGED at " + offset
                        + ": a packet of at most 262144 bytes was expected, the record announces 262145");
    }

    @Test
    void takesLengthsWithTheHighestBitForAbsurd() {
        byte[] capture = PcapBytes.plain().recordHeader(2, 0, -1, 60).toBytes();
        assertThat(Reading.mapped(directory, capture, 16).faults())
                .containsExactly(
                        "DAMAGED at 24: a packet of at most 262144 bytes was expected, the record announces 4294967295");
    }

    @Test
    void takesLongerPacketsWhereTheSnapLengthAnnouncesThem() {
        PcapBytes builder = new PcapBytes(ByteOrder.LITTLE_ENDIAN, PcapBytes.MICROSECONDS).header(2, 4, 5_000_000, 1);
        byte[] capture = builder.record(1, 0, 60)
                .record(2, 0, 4_900_000)
                .record(3, 0, 60)
                .toBytes();
        Reading mapped = Reading.mapped(directory, capture, 2);
        assertThat(mapped.faults()).isEmpty();
        assertThat(mapped.frames()).extracting(ReadFrame::capturedLength).containsExactly(60, 4_900_000, 60);
        assertThat(Reading.streamed(capture, 2).nameless()).isEqualTo(mapped.nameless());
    }

    @Test
    void boundsTheMemoryThatASnapLengthCanAskFor() {
        byte[] capture = new PcapBytes(ByteOrder.LITTLE_ENDIAN, PcapBytes.MICROSECONDS)
                .header(2, 4, -1, 1)
                .recordHeader(1, 0, 0x7fff_0000, 60)
                .toBytes();
        assertThat(Reading.streamed(capture, 2).faults())
                .containsExactly(
                        "DAMAGED at 24: a packet of at most 16777216 bytes was expected, the record announces 2147418112");
    }

    @ParameterizedTest
    @ValueSource(ints = {0x1000_0001, 0x3000_0001, 0x0400_0001, 0xf400_0001})
    void keepsTheFrameCheckSequenceOutOfTheLinkType(int network) {
        byte[] capture = new PcapBytes(ByteOrder.LITTLE_ENDIAN, PcapBytes.MICROSECONDS)
                .header(2, 4, 65535, network)
                .record(1, 0, 60)
                .toBytes();
        assertThat(Reading.mapped(directory, capture, 2).frames().getFirst().linkType())
                .isEqualTo(LinkType.ETHERNET);
    }

    @Test
    void takesALinkTypeWithReservedBitsForUnknown() {
        byte[] capture = new PcapBytes(ByteOrder.LITTLE_ENDIAN, PcapBytes.MICROSECONDS)
                .header(2, 4, 65535, 0x0001_0001)
                .record(1, 0, 60)
                .toBytes();
        assertThat(Reading.mapped(directory, capture, 2).frames().getFirst().linkType())
                .isEqualTo(0xffff);
    }

    @Test
    void refusesAnotherVersion() {
        byte[] capture = new PcapBytes(ByteOrder.LITTLE_ENDIAN, PcapBytes.MICROSECONDS)
                .header(3, 1, 65535, 1)
                .record(1, 0, 60)
                .toBytes();
        Reading reading = Reading.mapped(directory, capture, 2);
        assertThat(reading.frames()).isEmpty();
        assertThat(reading.faults()).containsExactly("UNKNOWN_FORMAT at 4: pcap version 2 was expected, 3.1 found");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void swapsTheLengthsOfFilesBeforeVersion23(int minor) {
        byte[] capture = new PcapBytes(ByteOrder.BIG_ENDIAN, PcapBytes.MICROSECONDS)
                .header(2, minor, 65535, 1)
                .recordHeader(1, 0, 1514, 3)
                .toBytes();
        Reading reading = Reading.mapped(directory, Reading.join(capture, new byte[3]), 2);
        assertThat(reading.faults()).isEmpty();
        assertThat(reading.frames().getFirst().capturedLength()).isEqualTo(3);
        assertThat(reading.frames().getFirst().wireLength()).isEqualTo(1514);
    }

    @Test
    void swapsTheLengthsOfVersion23WhereTheyCannotBeOtherwise() {
        byte[] first = new PcapBytes(ByteOrder.LITTLE_ENDIAN, PcapBytes.MICROSECONDS)
                .header(2, 3, 65535, 1)
                .recordHeader(1, 0, 1514, 3)
                .toBytes();
        byte[] second = new PcapBytes(ByteOrder.LITTLE_ENDIAN, PcapBytes.MICROSECONDS)
                .recordHeader(1, 0, 3, 1514)
                .toBytes();
        Reading reading = Reading.mapped(directory, Reading.join(first, new byte[3], second, new byte[3]), 2);
        assertThat(reading.faults()).isEmpty();
        assertThat(reading.frames()).extracting(ReadFrame::capturedLength).containsExactly(3, 3);
        assertThat(reading.frames()).extracting(ReadFrame::wireLength).containsExactly(1514, 1514);
    }

    @Test
    void boundsAWireLengthThatDoesNotFitAnInt() {
        byte[] capture = PcapBytes.plain().record(1, 0, PcapBytes.packet(4), -2).toBytes();
        assertThat(Reading.mapped(directory, capture, 2).frames().getFirst().wireLength())
                .isEqualTo(Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 9, 10, 11, 1000})
    void fillsBatchesOfAnyCapacity(int capacity) {
        PcapBytes builder = PcapBytes.plain();
        for (int i = 0; i < 10; i++) {
            builder.record(i, i, 40 + i);
        }
        Reading reading = Reading.mapped(directory, builder.toBytes(), capacity);
        assertThat(reading.frames())
                .extracting(ReadFrame::capturedLength)
                .containsExactly(40, 41, 42, 43, 44, 45, 46, 47, 48, 49);
        assertThat(Reading.streamed(builder.toBytes(), capacity).frames()).isEqualTo(reading.frames());
    }
}
