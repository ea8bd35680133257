package io.offhook.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyDecoderTest {
    /** The keys in characters after which nothing comes. */
    private static List<Key> keys(String sent) throws Exception {
        int[] at = {0};
        KeyDecoder decoder = new KeyDecoder(_ -> at[0] < sent.length() ? sent.charAt(at[0]++) : KeyDecoder.NOTHING);
        List<Key> keys = new ArrayList<>();
        while (at[0] < sent.length()) {
            keys.add(decoder.next(100));
        }
        return keys;
    }

    @ParameterizedTest
    @CsvSource({
        "[A, UP",
        "OA, UP",
        "[B, DOWN",
        "[C, RIGHT",
        "[D, LEFT",
        "[H, HOME",
        "[1~, HOME",
        "OF, END",
        "[4~, END",
        "[5~, PAGE_UP",
        "[6~, PAGE_DOWN",
        "[3~, DELETE",
        "[Z, BACK_TAB",
        "[1;5A, UP",
        "[99~, OTHER",
        "x, OTHER"
    })
    void readsSequences(String sequence, Key.Kind kind) throws Exception {
        assertThat(keys("\u001b" + sequence)).containsExactly(Key.of(kind));
    }

    @ParameterizedTest
    @CsvSource({"OP, 1", "[11~, 1", "[[B, 2", "OS, 4", "[15~, 5", "[17~, 6", "[21~, 10", "[23~, 11", "[24~, 12"})
    void readsFunctionKeys(String sequence, int number) throws Exception {
        assertThat(keys("\u001b" + sequence)).containsExactly(Key.function(number));
    }

    @Test
    void readsClicksAndTheWheel() throws Exception {
        assertThat(keys("\u001b[<0;12;7M\u001b[<0;12;7m\u001b[<64;1;1M\u001b[<65;1;1M"))
                .containsExactly(
                        Key.click(6, 11),
                        Key.of(Key.Kind.OTHER),
                        Key.of(Key.Kind.WHEEL_UP),
                        Key.of(Key.Kind.WHEEL_DOWN));
    }

    @Test
    void escapeAloneIsAKey() throws Exception {
        assertThat(keys("\u001b")).containsExactly(Key.of(Key.Kind.ESCAPE));
    }

    @Test
    void readsCharactersBeyondTheBasicPlane() throws Exception {
        assertThat(keys("aé😀")).containsExactly(Key.character('a'), Key.character('é'), Key.character(0x1f600));
    }

    @Test
    void saysThatTheTerminalIsGone() throws Exception {
        assertThat(new KeyDecoder(_ -> KeyDecoder.END).next(1)).isEqualTo(Key.of(Key.Kind.GONE));
    }

    @Test
    void takesAnythingThatATerminalSends() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String signs = "\u001b[O<;~MAm0123456789\ud83d\ude00x";
        StringBuilder sent = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            sent.append(signs.charAt(random.nextInt(signs.length())));
        }
        assertThat(keys(sent.toString())).as("seed %d", seed).isNotEmpty().doesNotContainNull();
    }
}
