package io.offhook.sip.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** SipHash-2-4 with 128 bits: the vectors of its authors, of the bytes 0, 1, 2... with the key 0, 1 ... 15. */
class KeyedHashTest {
    private static final String[] VECTORS = {
        "a3817f04ba25a8e66df67214c7550293",
        "da87c1d86b99af44347659119b22fc45",
        "8177228da4a45dc7fca38bdef60affe4",
        "9c70b60c5267a94e5f33b6b02985ed51",
        "f88164c12d9c8faf7d0f6e7c7bcd5579",
        "1368875980776f8854527a07690e9627",
        "14eeca338b208613485ea0308fd7a15e",
        "a1f1ebbed8dbc153c0b84aa61ff08239",
        "3b62a9ba6258f5610f83e264f31497b4"
    };

    private final KeyedHash hash = new KeyedHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);

    private String text() {
        ByteBuffer out = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(hash.low()).putLong(hash.high());
        return HexFormat.of().formatHex(out.array());
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    @Test
    void agreesWithTheVectorsOfItsAuthors() {
        for (int length = 0; length < VECTORS.length; length++) {
            hash.begin().add(bytes(length), 0, length).end();
            assertThat(text()).as("%d bytes", length).isEqualTo(VECTORS[length]);
        }
    }

    @Test
    void piecesHashAsIfTheyWereJoined() {
        Random random = new Random(20261126);
        for (int round = 0; round < 500; round++) {
            byte[] whole = new byte[random.nextInt(100)];
            random.nextBytes(whole);
            hash.begin().add(whole, 0, whole.length).end();
            String expected = text();
            hash.begin();
            int at = 0;
            while (at < whole.length) {
                if (whole.length - at >= 8 && random.nextInt(3) == 0) {
                    hash.add(ByteBuffer.wrap(whole, at, 8)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getLong());
                    at += 8;
                } else if (random.nextInt(2) == 0) {
                    hash.add(whole[at++]);
                } else {
                    int piece = random.nextInt(whole.length - at + 1);
                    hash.add(whole, at, piece);
                    at += piece;
                }
            }
            hash.end();
            assertThat(text()).isEqualTo(expected);
        }
    }

    @Test
    void hashesInLowerCaseAndByKey() {
        byte[] mixed = "Example.COM:5060[Z]@".getBytes(StandardCharsets.US_ASCII);
        byte[] lower = "example.com:5060[z]@".getBytes(StandardCharsets.US_ASCII);
        hash.begin().addLowerCase(mixed, 0, mixed.length).end();
        String expected = text();
        hash.begin().add(lower, 0, lower.length).end();
        assertThat(text()).isEqualTo(expected);
        KeyedHash other = new KeyedHash(1, 2);
        other.begin().add(lower, 0, lower.length).end();
        assertThat(other.low()).isNotEqualTo(hash.low());
    }
}
