package io.offhook.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class TimesTest {
    private static final long NS = 1_700_000_000_123_456_789L; // 2023-11-14T22:13:20.123456789Z

    @Test
    void timeOfDayIsCutNotRounded() {
        Times utc = new Times(ZoneOffset.UTC);
        assertThat(utc.timeOfDay(NS)).isEqualTo("22:13:20.123");
        assertThat(utc.timeOfDayMicros(NS)).isEqualTo("22:13:20.123456");
        assertThat(utc.timeOfDay(NS - 123_456_789L - 1)).isEqualTo("22:13:19.999");
        assertThat(utc.timeOfDay(-1)).isEqualTo("23:59:59.999");
    }

    @Test
    void dateDependsOnTheTimeZone() {
        assertThat(new Times(ZoneId.of("Asia/Tokyo")).date(NS)).isEqualTo("2023-11-15");
        assertThat(new Times(ZoneId.of("Asia/Tokyo")).dateLine(NS)).isEqualTo("2023-11-15 (Asia/Tokyo, +09:00)");
        assertThat(new Times(ZoneOffset.UTC).dateLine(NS)).isEqualTo("2023-11-14 (UTC)");
        assertThat(new Times(ZoneId.of("Etc/UTC")).dateLine(NS)).isEqualTo("2023-11-14 (UTC)");
        assertThat(new Times(ZoneId.of("Europe/London")).dateLine(NS)).isEqualTo("2023-11-14 (Europe/London, Z)");
    }

    @Test
    void epochHasNineDecimals() {
        assertThat(Times.epoch(NS)).isEqualTo("1700000000.123456789");
        assertThat(Times.epoch(0)).isEqualTo("0.000000000");
        assertThat(Times.epoch(-1)).isEqualTo("-0.000000001");
        assertThat(Times.epoch(-1_500_000_000L)).isEqualTo("-1.500000000");
        assertThat(Times.epoch(Long.MAX_VALUE)).isEqualTo("9223372036.854775807");
    }

    @Test
    void formatsDurations() {
        assertThat(Times.duration(999_999_999L)).isEqualTo("0:00");
        assertThat(Times.duration(28_000_000_000L)).isEqualTo("0:28");
        assertThat(Times.duration(725_000_000_000L)).isEqualTo("12:05");
        assertThat(Times.duration(3_659_000_000_000L)).isEqualTo("1:00:59");
        assertThat(Times.duration(-5)).isEqualTo("0:00");
    }

    @Test
    void delaysHaveHundredthsWhereTheyMatter() {
        assertThat(Times.delay(312_000_000L)).isEqualTo("0.31 s");
        assertThat(Times.delay(9_994_000_000L)).isEqualTo("9.99 s");
        assertThat(Times.delay(9_996_000_000L)).isEqualTo("10.0 s");
        assertThat(Times.delay(31_500_000_000L)).isEqualTo("31.5 s");
    }

    @Test
    void decimalsAreRoundedHalfUpInEveryLocale() {
        assertThat(Decimals.text(2.345, 2)).isEqualTo("2.35");
        assertThat(Decimals.text(-0.001, 2)).isEqualTo("0.00");
        assertThat(Decimals.text(-1.5, 0)).isEqualTo("-2");
        assertThat(Decimals.text(0.000001, 6)).isEqualTo("0.000001");
        assertThat(Decimals.text(1e300, 2))
                .hasSize(304)
                .startsWith("1000000000000000")
                .endsWith(".00");
        assertThat(Decimals.shortest(2.5, 6)).isEqualTo("2.5");
        assertThat(Decimals.shortest(20, 4)).isEqualTo("20");
        assertThat(Decimals.shortest(100, 0)).isEqualTo("100");
        assertThat(Decimals.grouped(1_234_567)).isEqualTo("1,234,567");
        assertThat(Decimals.grouped(-1234)).isEqualTo("-1,234");
        assertThat(Decimals.grouped(-123)).isEqualTo("-123");
        assertThat(Decimals.grouped(999)).isEqualTo("999");
    }
}
