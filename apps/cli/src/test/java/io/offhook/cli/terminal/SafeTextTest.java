package io.offhook.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.SafeText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes of the network are shown, never obeyed. */
class SafeTextTest {

    private static String shown(byte[] bytes) {
        MemorySegment segment = Arena.ofAuto().allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, segment, java.lang.foreign.ValueLayout.JAVA_BYTE, 1, bytes.length);
        StringBuilder to = new StringBuilder();
        SafeText.append(to, segment, 1, bytes.length);
        return to.toString();
    }

    private static String shown(String text) {
        return shown(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void leavesReadableTextAsItIs() {
        String text = "INVITE sip:bob@example.org ~ M\u00fcller \u5fd9 \ud83d\ude00 \\x";
        assertThat(shown(text)).isEqualTo(text);
        assertThat(SafeText.safe(text)).isEqualTo(text);
    }

    @Test
    void escapesWhatControlsATerminal() {
        assertThat(shown("\u001b[2J\u0007\u007f\r\n\t\0")).isEqualTo("\\x1b[2J\\x07\\x7f\\r\\n\\t\\x00");
        assertThat(shown("\u009b31m")).isEqualTo("\\u009b31m");
    }

    @Test
    void escapesWhatReordersOrHides() {
        assertThat(shown("a\u202eb\u2066c\u200fd\u2028e\ufefff\u200b"))
                .isEqualTo("a\\u202eb\\u2066c\\u200fd\\u2028e\\ufefff\\u200b");
        assertThat(shown("\ue000 \udb80\udc00")).isEqualTo("\\ue000 \\u0f0000");
    }

    @Test
    void escapesBytesThatAreNoUtf8OneByOne() {
        byte[] bytes = {'a', (byte) 0xff, 'b', (byte) 0xc3, (byte) 0x28, (byte) 0xe2, (byte) 0x82};
        assertThat(shown(bytes)).isEqualTo("a\\xffb\\xc3(\\xe2\\x82");
    }

    @Test
    void showsRandomBytesAsPrintableText() {
        long seed = 20261121;
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            String fromBytes = shown(bytes);
            String fromText = SafeText.safe(new String(bytes, StandardCharsets.ISO_8859_1));
            assertThat(fromBytes + fromText)
                    .as("seed %d, round %d", seed, i)
                    .isEqualTo(Text.printable(fromBytes + fromText))
                    .doesNotContain("\n", "\u001b");
        }
    }
}
