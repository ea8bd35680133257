package io.offhook.audio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.calls.Side;
import org.junit.jupiter.api.Test;

class WaveformBuilderTest {
    @Test
    void binsHaveTheLowestAndTheHighestSample() {
        WaveformBuilder builder = new WaveformBuilder(8000, 10, 3);
        builder.samples(new short[] {1, -5, 3, 4, 9}, new short[] {0, 0, 7, 0, -1}, 5);
        builder.silence(4);
        builder.samples(new short[] {-3}, new short[] {2}, 1);
        Waveform waveform = builder.waveform();
        assertThat(waveform.framesPerBin()).isEqualTo(4);
        assertThat(waveform.binMs()).isEqualTo(0.5);
        assertThat(waveform.bins()).isEqualTo(3);
        assertThat(waveform.low(Side.CALLER)).containsExactly((short) -5, (short) 0, (short) -3);
        assertThat(waveform.high(Side.CALLER)).containsExactly((short) 4, (short) 9, (short) 0);
        assertThat(waveform.low(Side.CALLEE)).containsExactly((short) 0, (short) -1, (short) 0);
        assertThat(waveform.high(Side.CALLEE)).containsExactly((short) 7, (short) 0, (short) 2);
    }

    @Test
    void whatNothingCameForIsSilent() {
        Waveform waveform = new WaveformBuilder(8000, 1000, 10).waveform();
        assertThat(waveform.bins()).isEqualTo(10);
        assertThat(waveform.low(Side.CALLER)).containsOnly((short) 0);
        assertThat(waveform.high(Side.CALLEE)).containsOnly((short) 0);
    }

    @Test
    void longSilenceIsABinAtATimeAndMoreThanExpectedIsLeftOut() {
        WaveformBuilder builder = new WaveformBuilder(48_000, 1L << 40, 100);
        builder.silence(1L << 41);
        builder.samples(new short[1], new short[1], 1);
        assertThat(builder.waveform().bins()).isEqualTo(100);
    }

    @Test
    void aShortRangeHasFewerBins() {
        assertThat(new WaveformBuilder(8000, 3, 100).waveform().bins()).isEqualTo(3);
        assertThat(new WaveformBuilder(8000, 0, 100).waveform().bins()).isZero();
    }

    @Test
    void tooManyBinsAreRefused() {
        assertThatThrownBy(() -> new WaveformBuilder(8000, 3, 100_001))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("100001 is outside 1 to 100000");
    }
}
