package io.offhook.audio;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpsamplerTest {
    private static final int AMPLITUDE = 10_000;

    private static short[] sine(double hertz, int rate, int count) {
        short[] samples = new short[count];
        for (int i = 0; i < count; i++) {
            samples[i] = (short) Math.round(AMPLITUDE * Math.sin(2 * Math.PI * hertz * i / rate));
        }
        return samples;
    }

    private static int[] raised(int from, int to, short[] samples, int block) {
        int[] out = new int[(int) ((long) samples.length * to / from) + 200];
        Upsampler upsampler = new Upsampler(from, to, (position, sample) -> out[(int) position] += sample);
        for (int at = 0; at < samples.length; at += block) {
            upsampler.write(at, samples, at, Math.min(block, samples.length - at));
        }
        upsampler.end();
        return out;
    }

    @ParameterizedTest
    @CsvSource({
        "8000, 16000, 300",
        "8000, 48000, 1000",
        "8000, 48000, 3300",
        "16000, 48000, 5000",
        "44100, 48000, 9000",
        "8000, 44100, 2000",
        "11025, 48000, 3000",
        "12000, 48000, 2500"
    })
    void aToneIsTheSameToneAtTheSameTime(int from, int to, double hertz) {
        int[] out = raised(from, to, sine(hertz, from, from), 160);
        double signal = 0;
        double error = 0;
        for (int i = to / 10; i < to * 9 / 10; i++) {
            double want = AMPLITUDE * Math.sin(2 * Math.PI * hertz * i / to);
            signal += want * want;
            error += (out[i] - want) * (out[i] - want);
        }
        assertThat(10 * Math.log10(signal / error)).isGreaterThan(hertz > 0.8 * from / 2 ? 25 : 58);
    }

    /** Near half the lower rate, where the image is nearest. */
    @Test
    void imagesAreSixtyDecibelsDown() {
        int[] out = raised(8000, 48_000, sine(3000, 8000, 8000), 160);
        double tone = level(out, 3000);
        assertThat(20 * Math.log10(tone / level(out, 5000))).isGreaterThan(60);
        assertThat(20 * Math.log10(tone / level(out, 11_000))).isGreaterThan(60);
    }

    private static double level(int[] samples, double hertz) {
        double real = 0;
        double imaginary = 0;
        for (int i = 4800; i < 43_200; i++) {
            real += samples[i] * Math.cos(2 * Math.PI * hertz * i / 48_000);
            imaginary += samples[i] * Math.sin(2 * Math.PI * hertz * i / 48_000);
        }
        return Math.hypot(real, imaginary);
    }

    @Test
    void theSizeOfBlocksDoesNotMatter() {
        short[] tone = sine(700, 8000, 4000);
        assertThat(raised(8000, 48_000, tone, 1)).isEqualTo(raised(8000, 48_000, tone, 4000));
    }

    @Test
    void atOneRateSamplesAreUntouched() {
        short[] tone = sine(3900, 8000, 800);
        int[] out = raised(8000, 8000, tone, 160);
        for (int i = 0; i < tone.length; i++) {
            assertThat(out[i]).isEqualTo(tone[i]);
        }
    }

    @Test
    void anImpulseBehindAGapIsWhereItBelongs() {
        int[] out = new int[60_000];
        Upsampler upsampler = new Upsampler(8000, 48_000, (position, sample) -> out[(int) position] += sample);
        short[] impulse = {20_000};
        for (int at : new int[] {0, 10, 60, 5000, 5049, 9000}) {
            upsampler.write(at, impulse, 0, 1);
        }
        upsampler.end();
        for (int at : new int[] {0, 10, 60, 5000, 5049, 9000}) {
            int place = at * 6;
            int from = Math.max(0, place - 12);
            int highest = Arrays.stream(out, from, place + 12).max().orElseThrow();
            assertThat(out[place]).as("at %d", at).isEqualTo(highest).isGreaterThan(18_000);
        }
        assertThat(Arrays.stream(out, 1000, 29_000)).containsOnly(0);
    }
}
