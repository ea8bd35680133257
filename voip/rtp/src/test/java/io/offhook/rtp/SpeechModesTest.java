package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offhook.rtp.quality.Basis;
import io.offhook.rtp.quality.CodecRates;
import io.offhook.rtp.quality.EModel;
import io.offhook.rtp.quality.MosScale;
import io.offhook.rtp.quality.Quality;
import io.offhook.rtp.quality.QualitySettings;
import io.offhook.rtp.quality.Rating;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Codecs whose values depend on the mode of each frame. */
class SpeechModesTest {
    private static final OneRow ROW = new OneRow();
    private static final int TYPE = 97;

    private final RtpStream stream = new RtpStream();
    private int number;

    private void packets(int count, long head, int length) {
        for (int i = 0; i < count; i++, number++) {
            ROW.packet(stream, number * 20_000_000L, number, number * 320L, TYPE, false, length, head, number);
        }
    }

    private Quality quality(EModel.Conditions conditions) {
        return (Quality) EModel.rate(stream, conditions);
    }

    @ParameterizedTest
    @CsvSource({
        // octet-aligned: CMR 15 and reserved bits, then F, FT, Q: mode 2, 12.65 kbit/s
        "octet-align=1, f014000000000000, 34",
        // bandwidth-efficient: CMR 15, F, FT, Q without padding between
        "'', f100000000000000, 33"
    })
    void amrWidebandIsRatedByItsModeOnTheWidebandScale(String parameters, String head, int length) {
        stream.codec(TYPE, new Codec("AMR-WB", 16_000, 1, parameters));
        packets(100, Long.parseUnsignedLong(head, 16), length);
        Quality quality = quality(EModel.Conditions.DEFAULT);
        assertThat(quality.scale()).isEqualTo(MosScale.WIDEBAND);
        assertThat(quality.impairment().ie()).isEqualTo(20);
        assertThat(quality.impairment().bpl()).isEqualTo(4.3);
        assertThat(quality.mos()).isCloseTo(4.18, within(0.005));
        assertThat(quality.isEstimate()).isFalse();
        Quality monotic = quality(EModel.Conditions.DEFAULT.withSettings(
                QualitySettings.DEFAULT.withListening(QualitySettings.Listening.MONOTIC)));
        assertThat(monotic.impairment().ie()).isEqualTo(13);
        assertThat(monotic.impairment().bpl()).isNaN();
    }

    @Test
    void severalModesAreWeightedByTheirPackets() {
        stream.codec(TYPE, new Codec("AMR-WB", 16_000, 1, "octet-align=1"));
        packets(50, 0xf014_0000_0000_0000L, 34);
        packets(150, 0xf044_0000_0000_0000L, 62); // mode 8
        assertThat(quality(EModel.Conditions.DEFAULT).impairment().ie()).isEqualTo((20 + 3 * 10) / 4.0);
        packets(1, 0xf01c_0000_0000_0000L, 38); // mode 3 has no diotic value
        assertThat(EModel.rate(stream, EModel.Conditions.DEFAULT))
                .isEqualTo(new Rating.Unrated("AMR-WB", "no Ie is known for the modes of its frames"));
    }

    @Test
    void readsNoModesFromEncryptedPayloads() {
        stream.codec(TYPE, new Codec("AMR", 8000, 1, "octet-align=1"));
        stream.tag(TYPE, 10);
        packets(60, 0xf03c_0000_0000_0000L, 43);
        assertThat(stream.modesOf(TYPE)).isNull();
        assertThat(EModel.rate(stream, EModel.Conditions.DEFAULT)).isInstanceOf(Rating.Unrated.class);
    }

    @Test
    void silenceDescriptorsDoNotCount() {
        stream.codec(TYPE, new Codec("AMR", 8000, 1, "octet-align=1"));
        packets(60, 0xf03c_0000_0000_0000L, 33); // 12.2 kbit/s
        packets(60, 0xf044_0000_0000_0000L, 7); // SID
        Quality quality = quality(EModel.Conditions.DEFAULT);
        assertThat(quality.impairment().ie()).isEqualTo(5);
        assertThat(quality.impairment().basis()).isEqualTo(Basis.ASSUMED);
        assertThat(quality.isEstimate()).isTrue();
    }

    @Test
    void evsIsRatedWhereTheSessionAllowsSuperWideband() {
        stream.codec(TYPE, new Codec("EVS", 16_000, 1, "bw=nb-swb"));
        packets(60, 0, 61); // 24.4 kbit/s
        Quality quality = quality(EModel.Conditions.DEFAULT);
        assertThat(quality.scale()).isEqualTo(MosScale.FULLBAND);
        assertThat(quality.mos()).isCloseTo(4.44, within(0.005));
        stream.correctCodec(TYPE, new Codec("EVS", 16_000, 1, "bw=wb"));
        assertThat(EModel.rate(stream, EModel.Conditions.DEFAULT)).isInstanceOf(Rating.Unrated.class);
    }

    @Test
    void theTwoRatesOfG723AreToldApart() {
        stream.codec(TYPE, new Codec("G723", 8000));
        packets(60, 0x0100_0000_0000_0000L, 20);
        assertThat(quality(EModel.Conditions.DEFAULT).impairment().ie()).isEqualTo(19);
    }

    private static EModel.Conditions given(QualitySettings.CodecValues... values) {
        return EModel.Conditions.DEFAULT.withSettings(QualitySettings.DEFAULT.withCodecs(List.of(values)));
    }

    private static QualitySettings.CodecValues amrWideband(QualitySettings.Rate rate, double ie) {
        return new QualitySettings.CodecValues("amr-wb", rate, MosScale.WIDEBAND, ie, 5, "lab " + ie);
    }

    @Test
    void valuesOfTheUserForAModeFillAGapOfTheTable() {
        stream.codec(TYPE, new Codec("AMR-WB", 16_000, 1, "octet-align=1"));
        packets(50, 0xf014_0000_0000_0000L, 34); // mode 2
        packets(150, 0xf01c_0000_0000_0000L, 38); // mode 3, 14.25 kbit/s
        Quality quality = quality(given(amrWideband(new QualitySettings.Rate(3, Double.NaN), 16)));
        assertThat(quality.impairment().ie()).isEqualTo((20 + 3 * 16) / 4.0);
        assertThat(quality.impairment().bpl()).isCloseTo((4.3 + 3 * 5) / 4, within(1e-9));
        assertThat(quality.impairment().note()).isEqualTo("given by configuration: lab 16.0");
        assertThat(quality.impairment().basis()).isEqualTo(Basis.CONFIGURED);
    }

    @Test
    void theFirstValuesThatFitTheRateWin() {
        stream.codec(TYPE, new Codec("AMR-WB", 16_000, 1, "octet-align=1"));
        packets(60, 0xf014_0000_0000_0000L, 34); // mode 2, 12.65 kbit/s
        QualitySettings.CodecValues other = amrWideband(new QualitySettings.Rate(-1, 23.85), 1);
        QualitySettings.CodecValues rate = amrWideband(new QualitySettings.Rate(-1, 12.65), 2);
        QualitySettings.CodecValues any = amrWideband(QualitySettings.Rate.ANY, 3);
        assertThat(quality(given(other, rate, any)).impairment().ie()).isEqualTo(2);
        assertThat(quality(given(other, any, rate)).impairment().ie()).isEqualTo(3);
        assertThat(quality(given(other)).impairment().ie()).isEqualTo(20);
    }

    @Test
    void modesOnSeveralScalesHaveNoMean() {
        stream.codec(TYPE, new Codec("AMR-WB", 16_000, 1, "octet-align=1"));
        packets(60, 0xf014_0000_0000_0000L, 34);
        packets(60, 0xf044_0000_0000_0000L, 62);
        QualitySettings.CodecValues narrow = new QualitySettings.CodecValues(
                "AMR-WB", new QualitySettings.Rate(8, Double.NaN), MosScale.NARROWBAND, 5, 5, "lab");
        assertThat(EModel.rate(stream, given(narrow))).isInstanceOf(Rating.Unrated.class);
    }

    @Test
    void aModeByAnAssumptionMakesAnEstimateOfAll() {
        stream.codec(TYPE, new Codec("AMR", 8000, 1, "octet-align=1"));
        packets(60, 0xf03c_0000_0000_0000L, 33); // 12.2 kbit/s, assumed
        packets(60, 0xf02c_0000_0000_0000L, 22); // mode 5
        QualitySettings.CodecValues own = new QualitySettings.CodecValues(
                "AMR", new QualitySettings.Rate(5, Double.NaN), MosScale.NARROWBAND, 9, 10, "lab");
        assertThat(quality(given(own)).isEstimate()).isTrue();
        assertThat(quality(given(own)).impairment().ie()).isEqualTo(7);
    }

    /** The modes of {@link SpeechModes} and the rates by which a user names them are one list. */
    @Test
    void everyModeHasARate() {
        assertThat(CodecRates.of("amr").count()).isEqualTo(8);
        assertThat(CodecRates.of("AMR-WB").count()).isEqualTo(9);
        assertThat(CodecRates.of("EVS").count()).isEqualTo(12);
        assertThat(CodecRates.of("G723")).hasToString("6.3, 5.3");
        assertThat(CodecRates.of("PCMU").count()).isZero();
    }
}
