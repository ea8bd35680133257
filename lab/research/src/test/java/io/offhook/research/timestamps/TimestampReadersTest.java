package io.offhook.research.timestamps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampReadersTest {
    private final TimestampReaders strict = new TimestampReaders().strict();

    private final OldReaders old = new OldReaders();

    @Test
    void readTheSame() {
        assertThatCode(() -> new TimestampsBenchmark().check()).doesNotThrowAnyException();
        for (String text : TimestampTexts.compact()) {
            long expected = TimestampReaders.dateTimeFormatterCompact(text);
            assertThat(expected).isNotEqualTo(TimestampReaders.REFUSED);
            assertThat(TimestampReaders.oursCompact(text)).isEqualTo(expected);
            assertThat(strict.simpleDateFormatCompact(text)).isEqualTo(expected);
            assertThat(old.digits(text)).isEqualTo(expected);
            assertThat(old.parseInt(text)).isEqualTo(expected);
        }
        for (String text : TimestampTexts.rfc3339(3)) {
            long expected = TimestampReaders.dateTimeFormatterRfc3339(text);
            assertThat(expected).isNotEqualTo(TimestampReaders.REFUSED);
            assertThat(TimestampReaders.oursRfc3339(text)).isEqualTo(expected);
            assertThat(strict.simpleDateFormatRfc3339(text)).isEqualTo(expected);
        }
        for (String text : TimestampTexts.rfc3339(9)) {
            assertThat(TimestampReaders.oursRfc3339(text)).isEqualTo(TimestampReaders.dateTimeFormatterRfc3339(text));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"20261321140307", "20270229140307", "20261121240000", "20261121140x07"})
    void refuseTheSame(String text) {
        assertThat(TimestampReaders.oursCompact(text)).isEqualTo(TimestampReaders.REFUSED);
        assertThat(TimestampReaders.dateTimeFormatterCompact(text)).isEqualTo(TimestampReaders.REFUSED);
        assertThat(strict.simpleDateFormatCompact(text)).isEqualTo(TimestampReaders.REFUSED);
    }

    @Test
    void onlyTheOldRoutineAndALenientFormatAcceptHoursThatAreNone() {
        assertThat(TimestampsSuite.acceptedHours(old::digits)).isEqualTo(76);
        assertThat(TimestampsSuite.acceptedHours(old::parseInt)).isEqualTo(76);
        assertThat(TimestampsSuite.acceptedHours(new TimestampReaders()::simpleDateFormatCompact))
                .isEqualTo(76);
        assertThat(TimestampsSuite.acceptedHours(strict::simpleDateFormatCompact))
                .isZero();
        assertThat(TimestampsSuite.acceptedHours(TimestampReaders::dateTimeFormatterCompact))
                .isZero();
        assertThat(TimestampsSuite.acceptedHours(TimestampReaders::oursCompact)).isZero();
        assertThat(old.digits("20261121250000")).isEqualTo(TimestampReaders.oursCompact("20261122010000"));
    }
}
