package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.offhook.rtp.quality.Basis;
import io.offhook.rtp.quality.CodecImpairment;
import io.offhook.rtp.quality.EModel;
import io.offhook.rtp.quality.MosScale;
import io.offhook.rtp.quality.Quality;
import io.offhook.rtp.quality.QualitySettings;
import io.offhook.rtp.quality.Rating;
import java.util.List;
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
        assertThat(quality(PCMU, 5, 1, NO_DELAY.withSettings(QualitySettings.DEFAULT.withConcealment(false)))
                        .mos())
                .isCloseTo(2.17, within(0.005));
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
        EModel.Conditions noEstimates = NO_DELAY.withSettings(QualitySettings.DEFAULT.withEstimates(false));
        assertThat(EModel.rate(new Codec("opus", 48_000, 2), 0, 1, noEstimates))
                .isEqualTo(new Rating.Unrated("opus", "no Ie and Bpl are agreed for opus"));
        assertThat(EModel.rate(new Codec("H264", 90_000), 0, 1, NO_DELAY))
                .isEqualTo(new Rating.Unrated("H264", "it is no speech codec"));
        assertThat(EModel.rate(new Codec("telephone-event", 8000), 0, 1, NO_DELAY))
                .isEqualTo(new Rating.Unrated("telephone-event", "it carries no speech"));
        assertThat(EModel.rate(new Codec("AMR", 8000), 0, 1, NO_DELAY)).isInstanceOf(Rating.Unrated.class);
        assertThat(EModel.rate(new Codec("X-NEW", 8000), 0, 1, NO_DELAY)).isInstanceOf(Rating.Unrated.class);
    }

    @Test
    void ratesOpusByAnEstimateOnTheFullbandScale() {
        Quality quality = quality(new Codec("opus", 48_000, 2), 2, 1, EModel.Conditions.DEFAULT);
        assertThat(quality.scale()).isEqualTo(MosScale.FULLBAND);
        assertThat(quality.isEstimate()).isTrue();
        assertThat(quality.rFactor()).isCloseTo(148 - (10.2 + 121.8 * 2 / (2 + 4.3)), within(1e-9));
        assertThat(quality.toString()).startsWith("MOS ~3.45").contains(" fb (opus, loss 2.0 %");
    }

    @Test
    void ratesACodecWithoutBplOnlyWhileNothingIsLost() {
        assertThat(quality(new Codec("G726-32", 8000), 0, 1, NO_DELAY).rFactor())
                .isEqualTo(86.2);
        assertThat(EModel.rate(new Codec("G726-32", 8000), 0.1, 1, NO_DELAY))
                .isEqualTo(new Rating.Unrated("G726-32", "no Bpl is known for G.726, 32 kbit/s"));
    }

    @Test
    void valuesOfTheUserWinOverTheTables() {
        QualitySettings.CodecValues own =
                new QualitySettings.CodecValues("g722", MosScale.WIDEBAND, 13, Double.NaN, "our laboratory");
        QualitySettings settings = QualitySettings.DEFAULT.withCodecs(List.of(own));
        Quality quality = quality(new Codec("G722", 8000), 0, 1, NO_DELAY.withSettings(settings));
        assertThat(quality.scale()).isEqualTo(MosScale.WIDEBAND);
        assertThat(quality.impairment().note()).isEqualTo("given by configuration: our laboratory");
        assertThat(quality.isEstimate()).isFalse();
    }

    private static CodecImpairment g722(String parameters, QualitySettings settings) {
        return quality(new Codec("G722", 8000, 1, parameters), 0, 1, NO_DELAY.withSettings(settings))
                .impairment();
    }

    @Test
    void unverifiedValuesApplyOnlyIfTheyAreSwitchedOnAndNothingElseIs() {
        QualitySettings unverified = QualitySettings.DEFAULT.withUnverified(true);
        assertThat(g722("bitrate=56", QualitySettings.DEFAULT).basis()).isEqualTo(Basis.ITU);
        CodecImpairment quoted = g722("bitrate=56", unverified);
        assertThat(quoted.scale()).isEqualTo(MosScale.WIDEBAND);
        assertThat(quoted.ie()).isEqualTo(20);
        assertThat(quoted.basis()).isEqualTo(Basis.UNVERIFIED);
        assertThat(quoted.note()).contains("not verified");
        assertThat(quoted.isEstimate()).isTrue();
        assertThat(g722("bitrate=48000", unverified).ie()).isEqualTo(31);
        // the stand-in that is on at 64 kbit/s stays as it is
        assertThat(g722("", unverified)).isEqualTo(g722("", QualitySettings.DEFAULT));
        assertThat(g722("bitrate=64", unverified).scale()).isEqualTo(MosScale.NARROWBAND);
        assertThat(g722("bitrate=56", unverified.withEstimates(false)).basis()).isEqualTo(Basis.ITU);
    }

    @Test
    void valuesOfTheUserMayHoldAtOneRateOnly() {
        QualitySettings settings = QualitySettings.DEFAULT.withCodecs(List.of(
                new QualitySettings.CodecValues(
                        "G722", new QualitySettings.Rate(-1, 48), MosScale.WIDEBAND, 30, 5, "lab"),
                new QualitySettings.CodecValues("G722", MosScale.WIDEBAND, 12, 6, "maker")));
        assertThat(g722("bitrate=48", settings).ie()).isEqualTo(30);
        assertThat(g722("", settings).ie()).isEqualTo(12);
        assertThat(g722("", settings).note()).isEqualTo("given by configuration: maker");
    }

    @Test
    void ratesG7221ByItsBitRateOnTheWidebandScale() {
        assertThat(g7221("bitrate=32000")).isEqualTo(13);
        assertThat(g7221(" bitrate = 24000 ")).isEqualTo(19);
        assertThat(EModel.rate(new Codec("G7221", 16_000), 0, 1, NO_DELAY))
                .isEqualTo(new Rating.Unrated("G7221", "no Ie is known for the bit rate that SDP states"));
    }

    private static double g7221(String parameters) {
        CodecImpairment impairment = quality(new Codec("G7221", 16_000, 1, parameters), 0, 1, NO_DELAY)
                .impairment();
        assertThat(impairment.scale()).isEqualTo(MosScale.WIDEBAND);
        return impairment.ie();
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
                .hasToString(
                        "MOS 3.82 nb (PCMU, loss 5.0 %, BurstR 1.00, delay 100 ms assumed, Bpl 25.1, untrusted: the"
                                + " capture lost packets)");
        assertThatIllegalArgumentException().isThrownBy(() -> NO_DELAY.withMeasuredDelay(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> NO_DELAY.withMeasuredDelay(Double.NaN));
    }
}
