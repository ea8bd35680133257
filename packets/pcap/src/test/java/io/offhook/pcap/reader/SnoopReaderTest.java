package io.offhook.pcap.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.file.ReadFrame;
import io.offhook.pcap.file.Reading;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnoopReaderTest {
    @TempDir
    private Path directory;

    private static byte[] header(int version, int dataLink) {
        return ByteBuffer.allocate(16)
                .put("snoop\0\0\0".getBytes(StandardCharsets.ISO_8859_1))
                .putInt(version)
                .putInt(dataLink)
                .array();
    }

    private static byte[] record(int wire, int captured, int record, int seconds, int microseconds) {
        return record(wire, captured, record, 0, seconds, microseconds);
    }

    private static byte[] record(int wire, int captured, int record, int drops, int seconds, int microseconds) {
        return ByteBuffer.allocate(Math.max(24, Math.min(record, 1000)))
                .putInt(wire)
                .putInt(captured)
                .putInt(record)
                .putInt(drops)
                .putInt(seconds)
                .putInt(microseconds)
                .put(new byte[] {1, 2, 3})
                .array();
    }

    @Test
    void readsPackets() {
        byte[] capture =
                Reading.join(header(2, 4), record(60, 3, 28, 911_274_719, 885_516), record(3, 3, 32, -1, 999_999));
        Reading reading = Reading.mapped(directory, capture, 4);
        assertThat(reading.faults()).isEmpty();
        assertThat(reading.files().getFirst().format()).isEqualTo(CaptureFormat.SNOOP);
        String bytes = HexFormat.of().formatHex(new byte[] {1, 2, 3});
        assertThat(reading.frames())
                .containsExactly(
                        new ReadFrame(1, 911_274_719_885_516_000L, 3, 60, 0, 1, bytes),
                        new ReadFrame(2, 4_294_967_295_999_999_000L, 3, 3, 0, 1, bytes));
        assertThat(Reading.streamed(capture, 1).nameless()).isEqualTo(reading.nameless());
    }

    @Test
    void reportsWhereTheCaptureLostPackets() {
        byte[] capture = Reading.join(
                header(2, 4),
                record(3, 3, 28, 2, 10, 0), // two before the first: they count from the first packet on, but who knows
                record(3, 3, 28, 2, 11, 0),
                record(3, 3, 28, 7, 12, 0),
                record(3, 3, 28, 7, 13, 0),
                record(3, 3, 28, 1, 14, 0)); // the counter began again
        Reading reading = Reading.mapped(directory, capture, 2);
        long second = 1_000_000_000L;
        assertThat(reading.nameless().losses())
                .containsExactly(
                        new CaptureLoss("", 2, 1, 1, 10 * second, 10 * second),
                        new CaptureLoss("", 5, 2, 3, 11 * second, 12 * second));
        assertThat(Reading.streamed(capture, 1).nameless()).isEqualTo(reading.nameless());
    }

    @Test
    void reportsWhereEveryTruncationCuts() {
        byte[] capture = Reading.join(header(2, 4), record(60, 3, 28, 1, 2));
        for (int length = 8; length < capture.length; length++) {
            Reading reading = Reading.mapped(directory, Arrays.copyOf(capture, length), 4);
            assertThat(reading.frames()).isEmpty();
            if (length == 16) {
                assertThat(reading.faults()).isEmpty();
                continue;
            }
            String expected = length < 16
                    ? "CUT_OFF at 0: a file header of 16 bytes was expected, the file ends after " + length
                    : "CUT_OFF at 16: a " + (length < 40 ? "record header of 24" : "packet record of 28")
                            + " bytes was expected, the file ends after " + (length - 16);
            assertThat(reading.faults()).containsExactly(expected + " of them");
        }
    }

    @Test
    void endsAtLengthsThatCannotBe() {
        byte[] captured = Reading.join(header(2, 4), record(60, 262_145, 28, 1, 2));
        assertThat(Reading.mapped(directory, captured, 4).faults())
                .containsExactly(
                        "DAMAGED at 20: a packet of at most 262144 bytes was expected, the record announces 262145");
        byte[] record = Reading.join(header(2, 4), record(60, 10, 33, 1, 2));
        assertThat(Reading.mapped(directory, record, 4).faults())
                .containsExactly("DAMAGED at 24: a record of 34 to 17825792 bytes was expected, 33 announced");
    }

    @Test
    void refusesAnotherVersion() {
        assertThat(Reading.mapped(directory, header(3, 4), 4).faults())
                .containsExactly("UNKNOWN_FORMAT at 8: snoop version 2 was expected, 3 found");
    }
}
