package io.offhook.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Text of a capture stays text: sipp makes the same octets of it, whatever they are. */
class SippTextTest {
    /** What sipp makes of literal text: {@code \xNN} is an octet, a line end is CRLF. */
    static String sent(String text) {
        StringBuilder octets = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (text.startsWith("\\x", i)) {
                octets.append((char) Integer.parseInt(text.substring(i + 2, i + 4), 16));
                i += 3;
            } else if (text.charAt(i) == '\n') {
                octets.append("\r\n");
            } else {
                octets.append(text.charAt(i));
            }
        }
        return octets.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "[call_id], \\x5Bcall_id\\x5D",
        "a]]>b, a\\x5D\\x5D>b",
        "\\x41, \\x5Cx41",
        "<![CDATA[, \\x3C!\\x5BCDATA\\x5B",
        "<?x, \\x3C?x",
        "<sip:bob@example.com>, <sip:bob@example.com>",
        "$(reboot) `x`, $(reboot) `x`"
    })
    void whatSippOrXmlWouldReadIsEscaped(String captured, String written) {
        assertThat(SippText.escaped(captured)).isEqualTo(written);
    }

    @Test
    void blanksAtTheEndsOfLinesAndEmptyLinesAreKept() {
        assertThat(SippText.lines(" a \r\n\tb\r\n\r\nc"))
                .isEqualTo("\\x20a\\x20\n\\x09b\\x0D\\x0A\\x0D\\x0Ac".replace("\\x0D\\x0A\\x0D\\x0A", "\\x0D\\x0A\n"));
        assertThat(SippText.lines("v=0\r\n")).isEqualTo("v=0\\x0D\\x0A");
        assertThat(SippText.lines("a\nb\rc")).isEqualTo("a\\x0Ab\\x0Dc");
    }

    @Test
    void anyOctetsComeOutAsTheyWere() {
        Random random = new Random(7);
        String alphabet = "\r\n\r\n \t[]\\x<>!?&\"'ab\u0000\u007f\u00ff";
        for (int run = 0; run < 2000; run++) {
            StringBuilder octets = new StringBuilder();
            int length = random.nextInt(40);
            for (int i = 0; i < length; i++) {
                octets.append(
                        random.nextInt(8) == 0
                                ? (char) random.nextInt(256)
                                : alphabet.charAt(random.nextInt(alphabet.length())));
            }
            String text = SippText.lines(octets.toString());
            assertThat(sent(text)).as(() -> text).isEqualTo(octets.toString());
            assertThat(text).matches("[\\n -~]*").doesNotContain("[", "]", "<!", "\n ", " \n");
            assertThat(text).doesNotStartWith(" ").doesNotEndWith(" ").doesNotEndWith("\n");
        }
    }
}
