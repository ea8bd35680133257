package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.CaptureFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompressedCaptureTest {
    private static final byte[] CAPTURE = capture();

    @TempDir
    private Path directory;

    private static byte[] capture() {
        Random random = new Random(1);
        PcapBytes capture = PcapBytes.plain();
        for (int i = 0; i < 500; i++) {
            byte[] packet = new byte[random.nextInt(400)];
            random.nextBytes(packet); // so that it does not shrink to nothing
            capture.record(i, 0, packet, packet.length);
        }
        return capture.toBytes();
    }

    private Reading read(byte[] file) {
        return Reading.mapped(directory, file, 100);
    }

    @Test
    void reportsTheCompressionByContent() {
        assertThat(read(CAPTURE).files().getFirst().compression()).isEqualTo(CaptureCompression.NONE);
        byte[] gzip = Reading.gzip(CAPTURE);
        CaptureFile file = read(gzip).files().getFirst();
        assertThat(file.compression()).isEqualTo(CaptureCompression.GZIP);
        assertThat(file.format()).isEqualTo(CaptureFormat.PCAP);
        assertThat(file.sizeBytes()).isEqualTo(gzip.length);
        assertThat(read(Reading.zstd(CAPTURE)).files().getFirst().compression()).isEqualTo(CaptureCompression.ZSTD);
    }

    @Test
    void readsGzipHeadersWithEveryField() {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(new byte[] {0x1f, (byte) 0x8b, 8, 1 | 2 | 4 | 8 | 16, 1, 2, 3, 4, 0, 3});
        file.writeBytes(new byte[] {3, 0, 'a', 'b', 'c'});
        file.writeBytes("name.pcap\0".getBytes(StandardCharsets.ISO_8859_1));
        file.writeBytes("a comment\0".getBytes(StandardCharsets.ISO_8859_1));
        file.writeBytes(new byte[] {1, 2});
        Deflater deflater = new Deflater(9, true);
        deflater.setInput(CAPTURE);
        deflater.finish();
        byte[] deflated = new byte[CAPTURE.length * 2];
        file.write(deflated, 0, deflater.deflate(deflated));
        deflater.end();
        CRC32 crc = new CRC32();
        crc.update(CAPTURE);
        file.writeBytes(ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) crc.getValue())
                .putInt(CAPTURE.length)
                .array());
        Reading reading = read(file.toByteArray());
        assertThat(reading.faults()).isEmpty();
        assertThat(reading.frames()).hasSize(500);
    }

    @Test
    void readsMembersAndFramesOneAfterTheOther() throws IOException {
        byte[] start = Arrays.copyOf(CAPTURE, 12_345);
        byte[] end = Arrays.copyOfRange(CAPTURE, 12_345, CAPTURE.length);
        byte[] none = {};
        List<ReadFrame> frames = read(CAPTURE).frames();
        Reading gzip = read(Reading.join(Reading.gzip(start), Reading.gzip(none), Reading.gzip(end)));
        assertThat(gzip.faults()).isEmpty();
        assertThat(gzip.frames()).isEqualTo(frames);
        byte[] skippable = {0x53, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4};
        ByteArrayOutputStream streamed = new ByteArrayOutputStream();
        try (ZstdOutputStreamNoFinalizer zstd = new ZstdOutputStreamNoFinalizer(streamed)) {
            zstd.write(end); // a frame that does not tell its length
        }
        Reading zstd = read(Reading.join(skippable, Reading.zstd(start), skippable, streamed.toByteArray()));
        assertThat(zstd.faults()).isEmpty();
        assertThat(zstd.frames()).isEqualTo(frames);
    }

    @Test
    void handsOutWhatComesBeforeACut() {
        byte[] gzip = Reading.gzip(CAPTURE);
        Reading cut = read(Arrays.copyOf(gzip, gzip.length / 2));
        assertThat(cut.frames())
                .hasSizeBetween(200, 300)
                .isEqualTo(read(CAPTURE).frames().subList(0, cut.frames().size()));
        assertThat(cut.faults()).singleElement().asString().matches("CUT_OFF at \\d+: gzip data ends in the middle");
        byte[] zstd = Reading.zstd(CAPTURE);
        Reading cutZstd = read(Arrays.copyOf(zstd, zstd.length - 5));
        assertThat(cutZstd.faults())
                .singleElement()
                .asString()
                .matches("CUT_OFF at \\d+: zstd data ends in the middle");
    }

    @Test
    void reportsEveryCutOfASmallFile() {
        byte[] small = PcapBytes.plain().record(1, 2, 40).toBytes();
        for (byte[] file : List.of(Reading.gzip(small), Reading.zstd(small))) {
            for (int length = 4; length < file.length; length++) {
                Reading reading = read(Arrays.copyOf(file, length));
                assertThat(reading.faults()).as("cut to %d", length).hasSize(1);
                assertThat(reading.faults().getFirst()).startsWith("CUT_OFF");
                assertThat(reading.frames()).hasSizeLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void handsOutWhatComesBeforeDamage() {
        byte[] gzip = Reading.gzip(CAPTURE);
        int damaged = 0;
        for (int at = gzip.length / 2; at < gzip.length / 2 + 40; at++) {
            byte[] file = gzip.clone();
            file[at] ^= 0x55;
            Reading reading = read(file);
            // a block that is stored as it is shows its damage by the checksum only, at the end
            assertThat(reading.frames()).hasSizeGreaterThan(200);
            assertThat(reading.faults()).isNotEmpty();
            damaged += reading.faults().stream().anyMatch(fault -> fault.startsWith("DAMAGED")) ? 1 : 0;
        }
        assertThat(damaged).isPositive();
    }

    @Test
    void checksTheChecksumAndTheLength() {
        for (int fromEnd : new int[] {1, 8}) {
            byte[] gzip = Reading.gzip(CAPTURE);
            gzip[gzip.length - fromEnd] ^= 1;
            Reading reading = read(gzip);
            assertThat(reading.frames()).hasSize(500);
            assertThat(reading.faults())
                    .containsExactly("DAMAGED at " + CAPTURE.length + ": gzip data does not match its checksum");
        }
    }

    @Test
    void ignoresZerosAfterTheLastMember() {
        Reading reading = read(Reading.join(Reading.gzip(CAPTURE), new byte[100_000]));
        assertThat(reading.frames()).hasSize(500);
        assertThat(reading.faults()).isEmpty();
    }

    @Test
    void reportsOtherDataAfterTheLastMember() {
        Reading reading = read(Reading.join(Reading.gzip(CAPTURE), new byte[] {0, 0, 'x', 'y'}));
        assertThat(reading.frames()).hasSize(500);
        assertThat(reading.faults())
                .containsExactly("DAMAGED at " + CAPTURE.length
                        + ": another gzip member was expected after the last, other data found");
    }

    @Test
    void doesNotTakeCompressedNonsenseForACapture() {
        byte[] text = "not a capture at all".getBytes(StandardCharsets.UTF_8);
        for (byte[] file : List.of(Reading.gzip(text), Reading.zstd(text))) {
            Reading reading = read(file);
            assertThat(reading.frames()).isEmpty();
            assertThat(reading.faults())
                    .containsExactly(
                            "UNKNOWN_FORMAT at 0: pcap, pcapng or snoop, plain or in gzip or zstd, was expected, "
                                    + "found the bytes 6e 6f 74 20 61 20 63 61");
        }
    }

    @Test
    void doesNotLookIntoTwoLayersOfCompression() {
        Reading reading = read(Reading.gzip(Reading.gzip(CAPTURE)));
        assertThat(reading.faults()).singleElement().asString().startsWith("UNKNOWN_FORMAT at 0: ");
    }

    @Test
    void reportsZstdThatIsDamaged() {
        byte[] zstd = Reading.zstd(CAPTURE);
        byte[] file = zstd.clone();
        Arrays.fill(file, 4, 30, (byte) 0xff);
        Reading reading = read(file);
        assertThat(reading.frames()).isEmpty();
        assertThat(reading.faults()).singleElement().asString().startsWith("DAMAGED at 0: zstd data is damaged: ");
    }
}
