package io.offhook.decrypt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.decrypt.KeyLog.ClientRandom;
import io.offhook.decrypt.KeyLog.Label;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyLogTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final String ONE = "01".repeat(32);
    private static final String TWO = "02".repeat(32);
    private static final String MASTER = "ab".repeat(48);
    private static final String TRAFFIC = "cd".repeat(32);

    @TempDir
    private Path folder;

    @Test
    void hasTheSecretsOfItsLines() throws IOException {
        Path file = Files.writeString(
                folder.resolve("log"),
                "# comment\r\nCLIENT_RANDOM " + ONE + " " + MASTER + "\r\n\nSERVER_TRAFFIC_SECRET_0 " + TWO + " "
                        + TRAFFIC);
        try (KeyLog log = KeyLog.open(file)) {
            assertThat(hex(Objects.requireNonNull(log.secret(Label.CLIENT_RANDOM, random(ONE)))))
                    .isEqualTo(MASTER);
            assertThat(hex(Objects.requireNonNull(log.secret(Label.SERVER_TRAFFIC_SECRET_0, random(TWO)))))
                    .isEqualTo(TRAFFIC);
            assertThat(log.secret(Label.CLIENT_RANDOM, random(TWO))).isNull();
            assertThat(log.sessions()).isEqualTo(2);
            assertThat(log.malformed()).isZero();
        }
    }

    /** A line is read once it is whole. */
    @Test
    void readsOnWhereAFileGrew() throws IOException {
        Path file = Files.writeString(folder.resolve("log"), "");
        try (KeyLog log = KeyLog.open(file)) {
            Files.writeString(file, "CLIENT_RANDOM " + ONE + " ab", StandardOpenOption.APPEND);
            assertThat(log.secret(Label.CLIENT_RANDOM, random(ONE))).isNull();
            Files.writeString(file, MASTER.substring(2) + "\n", StandardOpenOption.APPEND);
            Secret found = null;
            while (found == null) { // it looks some times a second
                found = log.secret(Label.CLIENT_RANDOM, random(ONE));
                Thread.onSpinWait();
            }
            assertThat(hex(found)).isEqualTo(MASTER);
            assertThat(log.malformed()).isZero();
        }
    }

    @Test
    void countsMalformedLines() {
        try (KeyLog log = KeyLog.empty()) {
            add(log, "CLIENT_RANDOM " + ONE + " " + MASTER.substring(2) + "\n");
            add(log, "CLIENT_RANDOM " + ONE + " " + TRAFFIC + "\n");
            add(log, "CLIENT_RANDOM xyz " + MASTER + "\n");
            add(log, "CLIENT_RANDOM\nSOMETHING_ELSE " + ONE + " " + MASTER + "\n");
            assertThat(log.malformed()).isEqualTo(4);
            assertThat(log.sessions()).isZero();
        }
    }

    @Test
    void hasNothingOnceClosed() {
        KeyLog log = KeyLog.empty();
        add(log, "CLIENT_RANDOM " + ONE + " " + MASTER + "\n");
        Secret secret = Objects.requireNonNull(log.secret(Label.CLIENT_RANDOM, random(ONE)));
        log.close();
        assertThat(log.secret(Label.CLIENT_RANDOM, random(ONE))).isNull();
        assertThatThrownBy(secret::getEncoded).isInstanceOf(IllegalStateException.class);
        add(log, "CLIENT_RANDOM " + ONE + " " + MASTER + "\n");
        assertThat(log.sessions()).isZero();
    }

    @Test
    void survivesRandomText() throws IOException {
        Random random = new Random(8446);
        String alphabet = "CLIENT_RANDOM abcdef0123456789 \n\r\t#|;:inlineAES_CM_128_HMAC_SHA1_80\0\u00ff";
        Path file = folder.resolve("keys");
        for (int i = 0; i < 5000; i++) {
            StringBuilder text =
                    new StringBuilder(i % 3 == 0 ? "CLIENT_RANDOM " + ONE + " " : "any AES_CM_128_HMAC_SHA1_80 ");
            for (int k = random.nextInt(200); k > 0; k--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try (KeyLog log = KeyLog.empty()) {
                add(log, text.toString());
            }
            if (i % 50 == 0) {
                Files.writeString(file, text, StandardCharsets.ISO_8859_1);
                try {
                    SrtpKeys.read(file).close();
                } catch (KeyFileException e) {
                    assertThat(e).hasMessageContaining("line ");
                }
            }
        }
    }

    /** RFC 8448, 3: the keys of a simple handshake, and its first record of application data. */
    @Test
    void derivesTheKeysOfRfc8448() {
        try (SecretMemory memory = new SecretMemory()) {
            TlsSuite suite = Objects.requireNonNull(TlsSuite.of(0x1301));
            Secret handshake =
                    memory.take(HEX.parseHex("b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38"));
            assertThat(hex(TlsKeySchedule.expandLabel(memory, suite.hmac(), handshake, "key", 16)))
                    .isEqualTo("3fce516009c21727d0f2e4e86ee403bc");
            assertThat(hex(TlsKeySchedule.expandLabel(memory, suite.hmac(), handshake, "iv", 12)))
                    .isEqualTo("5d313eb2671276ee13000b30");
            Secret application =
                    memory.take(HEX.parseHex("9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5"));
            byte[] record =
                    HEX.parseHex("1703030043a23f7054b62c94d0affafe8228ba55cbefacea42f914aa66bcab3f2b9819a8a5b46b"
                            + "395bd54a9a20441e2b62974e1f5a6292a2977014bd1e3deae63aeebb21694915e4");
            byte[] opened = new byte[record.length];
            int length = new TlsConnection(KeyLog.empty(), memory)
                    .cipher13(suite, application)
                    .open(record, 0, record.length - 5, 0, opened);
            StringBuilder content = new StringBuilder();
            for (int i = 0; i < 50; i++) {
                content.append(HexFormat.of().toHexDigits((byte) i));
            }
            assertThat(HEX.formatHex(opened, 0, Math.max(0, length))).isEqualTo(content + "17");
        }
    }

    private static void add(KeyLog log, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(Math.max(1, bytes.length));
            segment.copyFrom(MemorySegment.ofArray(bytes));
            log.add(segment, 0, bytes.length);
        }
    }

    private static ClientRandom random(String hex) {
        return ClientRandom.of(HEX.parseHex(hex), 0);
    }

    private static String hex(Secret secret) {
        return HEX.formatHex(secret.getEncoded());
    }
}
