package io.offhook.proxy.media;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BencodeTest {
    private static @Nullable Bencode read(String text) {
        byte[] octets = text.getBytes(StandardCharsets.ISO_8859_1);
        return BencodeReader.read(octets, 0, octets.length);
    }

    @Test
    void writesWhatTheFormatSays() {
        Bencode value = new Bencode.Dictionary(
                Map.of("b", Bencode.texts(List.of("x", "")), "a", new Bencode.Whole(-42), "c", Bencode.text("\u00e4")));

        assertThat(new String(Bencode.written(value), StandardCharsets.UTF_8))
                .isEqualTo("d1:ai-42e1:bl1:x0:e1:c2:\u00e4e");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "i",
                "ie",
                "i-e",
                "i1",
                "i1x",
                "i1234567890123456789e",
                "1",
                "1:",
                "2:a",
                "-1:a",
                "99999999999:a",
                "l",
                "l1:a",
                "d",
                "d1:a",
                "d1:ae",
                "di1e1:ae",
                "1:ab",
                "i1ei2e",
                "dle1:ae"
            })
    void refusesWhatIsNoValue(String text) {
        assertThat(read(text)).isNull();
    }

    @Test
    void boundsDepthAndNumberOfValues() {
        assertThat(read("l".repeat(BencodeReader.MAX_DEPTH + 1) + "e".repeat(BencodeReader.MAX_DEPTH + 1)))
                .isNotNull();
        assertThat(read("l".repeat(BencodeReader.MAX_DEPTH + 2) + "e".repeat(BencodeReader.MAX_DEPTH + 2)))
                .isNull();
        assertThat(read("l".repeat(60_000))).isNull();
        assertThat(read("l" + "i1e".repeat(BencodeReader.MAX_VALUES - 1) + "e")).isNotNull();
        assertThat(read("l" + "i1e".repeat(BencodeReader.MAX_VALUES) + "e")).isNull();
    }

    @Test
    void anyValueIsReadAsItWasWritten() {
        Random random = new Random(9);
        for (int run = 0; run < 3000; run++) {
            Bencode value = value(random, 0);
            byte[] octets = Bencode.written(value);
            assertThat(BencodeReader.read(octets, 0, octets.length))
                    .as("seed 9, run %d", run)
                    .isEqualTo(value);
            for (int cut = 0; cut < octets.length; cut++) {
                assertThat(BencodeReader.read(octets, 0, cut))
                        .as("seed 9, run %d, cut %d", run, cut)
                        .isNull();
            }
        }
    }

    private static Bencode value(Random random, int depth) {
        return switch (random.nextInt(depth < 4 ? 4 : 2)) {
            case 0 -> {
                byte[] octets = new byte[random.nextInt(20)];
                random.nextBytes(octets);
                yield new Bencode.Text(new String(octets, StandardCharsets.ISO_8859_1));
            }
            case 1 -> new Bencode.Whole(random.nextLong() >> 5 + random.nextInt(50));
            case 2 -> {
                List<Bencode> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(value(random, depth + 1));
                }
                yield new Bencode.Sequence(list);
            }
            default -> {
                Map<String, Bencode> dictionary = new TreeMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    dictionary.put("k" + random.nextInt(100), value(random, depth + 1));
                }
                yield new Bencode.Dictionary(dictionary);
            }
        };
    }

    @Test
    void anyBytesAreReadOrRefused() {
        byte[] seed = "d6:result2:ok3:sdp5:v=0\r\n4:tagsd1:ad5:mediali1ei2eeeee".getBytes(StandardCharsets.ISO_8859_1);
        Random random = new Random(10);
        for (int run = 0; run < 100_000; run++) {
            byte[] octets = Arrays.copyOf(seed, 1 + random.nextInt(seed.length));
            for (int i = random.nextInt(6); i >= 0; i--) {
                octets[random.nextInt(octets.length)] =
                        "idle0123456789:-\0".getBytes(StandardCharsets.ISO_8859_1)[random.nextInt(17)];
            }
            Bencode value = BencodeReader.read(octets, 0, octets.length);
            if (value != null && !(value instanceof Bencode.Text)) {
                assertThat(Bencode.written(value).length)
                        .as("seed 10, run %d", run)
                        .isLessThanOrEqualTo(octets.length); // shorter by zeros in front, and keys that occur twice
            }
        }
    }
}
