package io.offhook.cluster.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LimitsTest {
    @Test
    void textsAreCutBetweenCharacters() {
        String text = "a\u00e9\u20ac\ud83d\ude00z";
        for (int octets = 0; octets < 12; octets++) {
            String cut = Limits.cut(text, octets);
            assertThat(text).startsWith(cut);
            assertThat(cut.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(octets);
            assertThat(new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                    .isEqualTo(cut);
        }
        assertThat(Limits.cut(text, 1)).isEqualTo("a");
        assertThat(Limits.cut(text, 5)).isEqualTo("a\u00e9");
        assertThat(Limits.cut(text, 9)).isEqualTo("a\u00e9\u20ac");
        assertThat(Limits.cut(text, 10)).isEqualTo("a\u00e9\u20ac\ud83d\ude00");
        assertThat(Limits.cut(text, 11)).isEqualTo(text);
    }

    @Test
    void aTextThatIsTooLongIsNamedWithItsLimit() {
        assertThat(new Fault("what", "\u20ac".repeat(341), 0, Octets.EMPTY)).isNotNull();
        assertThatThrownBy(() -> new Fault("what", "\u20ac".repeat(342), 0, Octets.EMPTY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("where 1026 is not in 0 to 1024");
    }

    @Test
    void octetsAreComparedByTheirValues() {
        byte[] values = {1, 2, 3};
        Octets octets = Octets.of(values);
        values[0] = 9;
        assertThat(octets)
                .isEqualTo(Octets.of(new byte[] {0, 1, 2, 3}, 1, 3))
                .hasSameHashCodeAs(Octets.of(new byte[] {1, 2, 3}));
        assertThat(octets.toArray()).containsExactly(1, 2, 3);
        assertThat(octets).hasToString("3 octets 010203").isNotEqualTo(Octets.EMPTY);
        assertThat(Octets.of(new byte[17]).toString())
                .startsWith("17 octets 00")
                .endsWith("...");
        assertThatThrownBy(() -> Octets.of(values, 2, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
