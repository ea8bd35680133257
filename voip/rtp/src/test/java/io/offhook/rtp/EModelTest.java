package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EModelTest {
    private static final OneRow ROW = new OneRow();

    private static final Codec PCMU = new Codec("PCMU", 8000);
    private static final EModel.Conditions NO_DELAY = EModel.Conditions.DEFAULT.withMeasuredDelay(0);

    private static Quality quality(Codec codec, double loss, double burst, EModel.Conditions conditions) {
        Rating rating = EModel.rate(codec, loss, burst, conditions);
        assertThat(rating).isInstanceOf(Quality.class);
        return (Quality) rating;
    }

    @Test
    void givesTheCheckValues() {
        assertThat(quality(PCMU, 5, 1, NO_DELAY.withConcealment(false)).mos()).isCloseTo(2.17, within(0.005));
        assertThat(quality(PCMU, 5, 1, NO_DELAY).mos()).isCloseTo(3.92, within(0.005));
    }

    @Test
    void isBestWithoutLossAndDelay() {
        Quality best = quality(PCMU, 0, 1, NO_DELAY);
        assertThat(best.rFactor()).isEqualTo(93.2);
        assertThat(best.mos()).isCloseTo(4.41, within(0.005));
        assertThat(best.effectiveImpairment()).isZero();
    }

    @Test
    void staysWithinItsScale() {
        assertThat(EModel.mos(-40)).isEqualTo(1);
        assertThat(EModel.mos(0)).isEqualTo(1);
        assertThat(EModel.mos(100)).isEqualTo(4.5);
        assertThat(EModel.mos(200)).isEqualTo(4.5);
        double last = 1;
        for (double r = 0; r <= 100; r += 0.1) {
            assertThat(EModel.mos(r)).isBetween(1.0, 4.5);
            if (r > 10) {
                assertThat(EModel.mos(r)).isGreaterThanOrEqualTo(last);
            }
            last = EModel.mos(r);
        }
    }

    @Test
    void countsDelayMoreFromTheKneeOn() {
        assertThat(EModel.delayImpairment(0)).isZero();
        assertThat(EModel.delayImpairment(100)).isCloseTo(2.4, within(1e-9));
        assertThat(EModel.delayImpairment(177.3)).isCloseTo(4.2552, within(1e-9));
        assertThat(EModel.delayImpairment(277.3)).isCloseTo(6.6552 + 11, within(1e-9));
    }

    @Test
    void ratesBurstsWorse() {
        double random = quality(PCMU, 3, 1, NO_DELAY).mos();
        double bursts = quality(PCMU, 3, 4, NO_DELAY).mos();
        assertThat(bursts).isLessThan(random);
        assertThat(quality(PCMU, 3, 0.9, NO_DELAY).burstRatio()).isEqualTo(1);
    }

    @Test
    void knowsTheCodecsOfTheTable() {
        assertValues("PCMA", 0, 25.1);
        assertValues("pcmu", 0, 25.1);
        assertValues("G729", 10, 19);
        assertValues("G723", 15, 16.1);
        assertValues("GSM", 20, 10);
        assertValues("G722", 5, 7.1);
        Quality vad = quality(new Codec("G729", 8000), 0, 1, NO_DELAY.withSilenceSuppression(true));
        assertThat(vad.impairment().ie()).isEqualTo(11);
        assertThat(quality(new Codec("G722", 8000), 0, 1, NO_DELAY).impairment().note())
                .contains("wideband");
    }

    private static void assertValues(String name, double ie, double bpl) {
        CodecImpairment impairment =
                quality(new Codec(name, 8000), 0, 1, NO_DELAY).impairment();
        assertThat(impairment.ie()).as(name).isEqualTo(ie);
        assertThat(impairment.bpl()).as(name).isEqualTo(bpl);
    }

    @Test
    void saysWhyThereIsNoRating() {
        assertThat(EModel.rate(new Codec("opus", 48_000, 2), 0, 1, NO_DELAY))
                .isEqualTo(new Rating.Unrated("opus", "no Ie and Bpl are agreed for opus"));
        assertThat(EModel.rate(new Codec("H264", 90_000), 0, 1, NO_DELAY))
                .isEqualTo(new Rating.Unrated("H264", "it is no speech codec"));
        assertThat(EModel.rate(new Codec("telephone-event", 8000), 0, 1, NO_DELAY))
                .isEqualTo(new Rating.Unrated("telephone-event", "it carries no speech"));
        assertThat(EModel.rate(new Codec("AMR", 8000), 0, 1, NO_DELAY)).isInstanceOf(Rating.Unrated.class);
        assertThat(EModel.rate(new Codec("X-NEW", 8000), 0, 1, NO_DELAY)).isInstanceOf(Rating.Unrated.class);
    }

    @Test
    void ratesAStreamByItsDistinctLosses() {
        RtpStream stream = new RtpStream();
        assertThat(EModel.rate(stream, NO_DELAY)).isEqualTo(new Rating.Unrated("", "nothing says which codec it is"));
        for (int i = 0; i < 1000; i++) {
            if (i % 20 != 10) {
                ROW.packet(stream, i * 20_000_000L, i, i * 160L, 0, false, 160, i, i);
            }
        }
        Quality quality = (Quality) EModel.rate(stream, NO_DELAY);
        assertThat(quality.lossPercent()).isEqualTo(5);
        assertThat(quality.mos()).isCloseTo(3.92, within(0.005));
        assertThat(EModel.rate(new RtpStream(), NO_DELAY)).isInstanceOf(Rating.Unrated.class);
    }

    @Test
    void namesAnUnknownPayloadType() {
        RtpStream stream = new RtpStream();
        ROW.packet(stream, 0, 1, 1, 97, false, 20, 0, -1);
        assertThat(EModel.rate(stream, NO_DELAY).codec()).isEqualTo("payload type 97");
    }

    @Test
    void printsWhatWentIntoIt() {
        Quality quality = quality(PCMU, 5, 1, EModel.Conditions.DEFAULT.withCaptureComplete(false));
        assertThat(quality)
                .hasToString("MOS 3.82 (PCMU, loss 5.0 %, BurstR 1.00, delay 100 ms assumed, Bpl 25.1, untrusted: the"
                        + " capture lost packets)");
        assertThatIllegalArgumentException().isThrownBy(() -> NO_DELAY.withMeasuredDelay(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> NO_DELAY.withMeasuredDelay(Double.NaN));
    }
}
