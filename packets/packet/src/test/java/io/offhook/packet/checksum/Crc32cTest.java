package io.offhook.packet.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.walk.GoldenFrame;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class Crc32cTest {
    /** The check value of the polynomial, as catalogues have it, and the vectors of RFC 3720, B.4. */
    @Test
    void agreesWithThePublishedValues() {
        assertThat(of("123456789".getBytes(StandardCharsets.US_ASCII))).isEqualTo(0xe306_9283);
        assertThat(of(new byte[32])).isEqualTo(0x8a91_36aa);
        byte[] ones = new byte[32];
        byte[] rising = new byte[32];
        for (int i = 0; i < 32; i++) {
            ones[i] = (byte) 0xff;
            rising[i] = (byte) i;
        }
        assertThat(of(ones)).isEqualTo(0x62a8_ab43);
        assertThat(of(rising)).isEqualTo(0x46dd_794e);
    }

    @Test
    void agreesWithTheOneOfTheLibrary() {
        Random random = new Random(6);
        for (int round = 0; round < 5_000; round++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            CRC32C theirs = new CRC32C();
            theirs.update(bytes);
            assertThat(of(bytes)).as("seed 6, round %d", round).isEqualTo((int) theirs.getValue());
        }
    }

    private static int of(byte[] bytes) {
        MemorySegment segment = GoldenFrame.segment(bytes);
        return Crc32c.of(segment, 0, bytes.length);
    }
}
