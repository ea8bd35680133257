package io.offhook.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class TextTest {
    @Test
    void keepsOrdinaryText() {
        assertThat(Text.printable("sip:alice@example.com")).isEqualTo("sip:alice@example.com");
        assertThat(Text.printable("Jörg Müller, 東京")).isEqualTo("Jörg Müller, 東京");
    }

    @Test
    void masksControlCharacters() {
        assertThat(Text.printable("a\u001b[2Jb\r\n\tc\u009bd\u202ee\u2028"))
                .isEqualTo("a\ufffd[2Jb\ufffd\ufffd\ufffdc\ufffdd\ufffde\ufffd");
    }

    @Test
    void masksInvisibleCharacters() {
        assertThat(Text.printable("a\u061cb\ufeffc\u200bd\u200de\u00adf\u2060g"))
                .isEqualTo("a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg");
        assertThat(Text.printable("tag \udb40\udc41, half \ud83d")).isEqualTo("tag \ufffd, half \ufffd");
        assertThat(Text.printable("📞")).isEqualTo("📞");
    }

    @Test
    void keepsLineEnds() {
        assertThat(Text.printableLines("a\r\nb\tc\n\u001b[2Jd\re")).isEqualTo("a\r\nb\tc\n\ufffd[2Jd\ufffde");
    }

    @Test
    void widthIsThatOfATerminal() {
        assertThat(Text.width("bob")).isEqualTo(3);
        assertThat(Text.width("Jörg")).isEqualTo(4);
        assertThat(Text.width("Jo\u0308rg")).isEqualTo(4);
        assertThat(Text.width("東京")).isEqualTo(4);
        assertThat(Text.width("📞")).isEqualTo(2);
    }

    @Test
    void cutsBetweenCharacters() {
        assertThat(Text.cut("+4930123456", 8, "…")).isEqualTo("+493012…");
        assertThat(Text.cut("東京タワー", 5, "…")).isEqualTo("東京…");
        assertThat(Text.cut("📞📞", 3, "…")).isEqualTo("📞…");
        assertThat(Text.cut("abc", 3, "…")).isEqualTo("abc");
        assertThat(Text.cut("abc", 0, "…")).isEmpty();
    }

    @Test
    void cutTextFitsAndIsAPrefix() {
        long seed = 42;
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(12); i > 0; i--) {
                text.appendCodePoint(random.nextBoolean() ? random.nextInt(0x20, 0x7f) : random.nextInt(0xa0, 0xd7ff));
            }
            int columns = random.nextInt(14);
            String cut = Text.cut(text.toString(), columns, "~");
            assertThat(Text.width(cut)).as("seed %d round %d", seed, round).isLessThanOrEqualTo(columns);
            String kept = cut.equals(text.toString()) || cut.isEmpty() ? cut : cut.substring(0, cut.length() - 1);
            assertThat(text.toString()).startsWith(kept);
        }
    }
}
