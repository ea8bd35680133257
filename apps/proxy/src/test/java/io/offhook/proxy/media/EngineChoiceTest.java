package io.offhook.proxy.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offhook.packet.Endpoint;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineChoiceTest {
    private static final int CALLS = 20_000;

    private static MediaConfig.Engine engine(int last, int weight) {
        return new MediaConfig.Engine(Endpoint.of("192.0.2." + last, 2223), weight);
    }

    private static final List<MediaConfig.Engine> ENGINES = List.of(engine(1, 1), engine(2, 2), engine(3, 1));

    private static BitSet all() {
        BitSet all = new BitSet();
        all.set(0, 3);
        return all;
    }

    @Test
    void sharesCallsByWeight() {
        int[] calls = new int[3];
        for (int i = 0; i < CALLS; i++) {
            calls[EngineChoice.of("call-" + i + "@host", ENGINES, all())]++;
        }
        assertThat(calls[0] / (double) CALLS).isCloseTo(0.25, within(0.02));
        assertThat(calls[1] / (double) CALLS).isCloseTo(0.5, within(0.02));
        assertThat(calls[2] / (double) CALLS).isCloseTo(0.25, within(0.02));
    }

    @Test
    void movesNoCallsButThoseOfAnEngineThatFails() {
        BitSet without = all();
        without.clear(1);
        int[] moved = new int[3];
        for (int i = 0; i < CALLS; i++) {
            int before = EngineChoice.of("call-" + i, ENGINES, all());
            int after = EngineChoice.of("call-" + i, ENGINES, without);
            if (before != 1) {
                assertThat(after).isEqualTo(before);
            } else {
                moved[after]++;
            }
        }
        assertThat(moved[0] / (double) moved[2]).isCloseTo(1, within(0.1));
    }

    @Test
    void choosesNoneWhereNoneMay() {
        assertThat(EngineChoice.of("x", ENGINES, new BitSet())).isEqualTo(-1);
    }
}
