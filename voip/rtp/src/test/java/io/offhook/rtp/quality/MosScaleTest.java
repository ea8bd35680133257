package io.offhook.rtp.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MosScaleTest {
    /** The check values of docs/CALL-QUALITY.md, 3.1. */
    @ParameterizedTest
    @CsvSource({
        "NARROWBAND, 0, 25.1, 100, 0, 90.80, 4.36",
        "NARROWBAND, 0, 25.1, 100, 2, 83.79, 4.16",
        "WIDEBAND, 13, NaN, 0, 0, 116, 4.34",
        "WIDEBAND, 20, 4.3, 100, 0, 109, 4.18",
        "WIDEBAND, 20, 4.3, 100, 1, 94.85, 3.76",
        "WIDEBAND, 20, 4.3, 200, 1, 90.92, 3.62",
        "FULLBAND, 7.2, 11.4, 100, 0, 140.80, 4.44",
        "FULLBAND, 7.2, 11.4, 100, 1, 130.74, 4.30",
        "FULLBAND, 7.2, 11.4, 200, 1, 126.23, 4.21"
    })
    void givesTheCheckValues(
            MosScale scale, double ie, double bpl, double delayMs, double loss, double rFactor, double mos) {
        double r = scale.bestR() - scale.delayImpairment(delayMs) - scale.effectiveImpairment(ie, bpl, loss, 1);
        assertThat(r).isCloseTo(rFactor, within(0.005));
        assertThat(scale.mos(r)).isCloseTo(mos, within(0.005));
    }

    @ParameterizedTest
    @EnumSource(MosScale.class)
    void staysWithinItsScale(MosScale scale) {
        assertThat(scale.mos(-40)).isEqualTo(1);
        assertThat(scale.mos(0)).isEqualTo(1);
        assertThat(scale.mos(150)).isEqualTo(4.5);
        double last = 1;
        for (double r = 0; r <= scale.bestR(); r += 0.1) {
            assertThat(scale.mos(r)).isBetween(1.0, 4.5);
            if (r > 15) {
                assertThat(scale.mos(r)).isGreaterThanOrEqualTo(last);
            }
            last = scale.mos(r);
        }
    }

    @Test
    void narrowbandCountsDelayMoreFromTheKneeOn() {
        assertThat(MosScale.NARROWBAND.delayImpairment(0)).isZero();
        assertThat(MosScale.NARROWBAND.delayImpairment(100)).isCloseTo(2.4, within(1e-9));
        assertThat(MosScale.NARROWBAND.delayImpairment(177.3)).isCloseTo(4.2552, within(1e-9));
        assertThat(MosScale.NARROWBAND.delayImpairment(277.3)).isCloseTo(6.6552 + 11, within(1e-9));
    }

    @Test
    void widerScalesCountNoDelayUpToAHundredMilliseconds() {
        assertThat(MosScale.FULLBAND.delayImpairment(100)).isZero();
        assertThat(MosScale.FULLBAND.delayImpairment(150) / 1.48).isCloseTo(0.1635, within(5e-5));
        assertThat(MosScale.FULLBAND.delayImpairment(200) / 1.48).isCloseTo(3.0444, within(5e-5));
        assertThat(MosScale.WIDEBAND.delayImpairment(300) / 1.29).isCloseTo(14.7607, within(5e-5));
    }
}
