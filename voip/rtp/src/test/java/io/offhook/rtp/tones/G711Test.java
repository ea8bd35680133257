package io.offhook.rtp.tones;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.rtp.Codec;
import org.junit.jupiter.api.Test;

class G711Test {
    /** ITU-T G.711, table 2: decoder output values y128, y113, y16 and y1 of 14 bits, here of 16. */
    @Test
    void expandsMuLaw() {
        assertThat(G711.PCMU.sample(0x80)).isEqualTo(4 * 8031);
        assertThat(G711.PCMU.sample(0x8f)).isEqualTo(4 * 4191);
        assertThat(G711.PCMU.sample(0xfe)).isEqualTo(4 * 2);
        assertThat(G711.PCMU.sample(0xff)).isZero();
        assertThat(G711.PCMU.sample(0x00)).isEqualTo(-4 * 8031);
    }

    /** ITU-T G.711, table 1: decoder output values of 13 bits, here of 16; even bits are inverted. */
    @Test
    void expandsALaw() {
        assertThat(G711.PCMA.sample(0xff ^ 0x55)).isEqualTo(8 * 4032);
        assertThat(G711.PCMA.sample(0xf0 ^ 0x55)).isEqualTo(8 * 2112);
        assertThat(G711.PCMA.sample(0x80 ^ 0x55)).isEqualTo(8);
        assertThat(G711.PCMA.sample(0x00 ^ 0x55)).isEqualTo(-8);
        assertThat(G711.PCMA.sample(0x90 ^ 0x55)).isEqualTo(8 * 33);
        assertThat(G711.PCMA.sample(0x7f ^ 0x55)).isEqualTo(-8 * 4032);
    }

    @Test
    void onlyOneChannelAt8000HertzHasALaw() {
        assertThat(G711.of(new Codec("pcmu", 8000))).isEqualTo(G711.PCMU);
        assertThat(G711.of(new Codec("PCMA", 8000))).isEqualTo(G711.PCMA);
        assertThat(G711.of(new Codec("PCMA", 16_000))).isNull();
        assertThat(G711.of(new Codec("PCMA", 8000, 2))).isNull();
        assertThat(G711.of(new Codec("G729", 8000))).isNull();
    }
}
