package io.offhook.pcap.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimestampScaleTest {
    private static final BigInteger NS_PER_SECOND = BigInteger.valueOf(1_000_000_000);

    @Test
    void agreesWithArithmeticOfAnySize() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int resolution = 0; resolution < 256; resolution++) {
            for (int i = 0; i < 200; i++) {
                long units = random.nextLong() >>> random.nextInt(64);
                long offset = random.nextBoolean() ? 0 : random.nextInt();
                TimestampScale scale = new TimestampScale(resolution, offset);
                assertThat(scale.toNs(units))
                        .as("seed %d, resolution %d, units %d, offset %d", seed, resolution, units, offset)
                        .isEqualTo(expected(resolution, units, offset));
            }
        }
    }

    private static long expected(int resolution, long units, long offset) {
        int exponent = resolution & 0x7f;
        BigInteger unitsPerSecond =
                (resolution & 0x80) != 0 ? BigInteger.TWO.pow(exponent) : BigInteger.TEN.pow(exponent);
        // a resolution of 10^-28 leaves one nanosecond at most in 64 bits, which is not told apart from none
        BigInteger ns = (resolution & 0x80) == 0 && exponent >= 28
                ? BigInteger.ZERO
                : new BigInteger(Long.toUnsignedString(units))
                        .multiply(NS_PER_SECOND)
                        .divide(unitsPerSecond);
        BigInteger sum = ns.add(BigInteger.valueOf(offset).multiply(NS_PER_SECOND));
        return sum.max(BigInteger.ZERO)
                .min(BigInteger.valueOf(TimestampScale.MOST_NS))
                .longValueExact();
    }

    @Test
    void setsTimesThatDoNotFitToTheEndOfTheRange() {
        assertThat(new TimestampScale(6, Long.MAX_VALUE).toNs(5)).isEqualTo(TimestampScale.MOST_NS);
        assertThat(new TimestampScale(6, Long.MIN_VALUE).toNs(5)).isZero();
        assertThat(new TimestampScale(6, -1).toNs(999_999)).isZero();
        assertThat(new TimestampScale(6, -1).toNs(1_000_001)).isEqualTo(1000);
        assertThat(new TimestampScale(6, 4_611_686_018L).toNs(0)).isEqualTo(4_611_686_018_000_000_000L);
        assertThat(new TimestampScale(6, 4_611_686_019L).toNs(0)).isEqualTo(TimestampScale.MOST_NS);
    }

    @Test
    void countsTimesThatDoNotFit() {
        TimestampScale scale = new TimestampScale(0, -5);
        assertThat(scale.toNs(4)).isZero();
        assertThat(scale.toNs(5)).isZero();
        assertThat(scale.toNs(-1)).isEqualTo(TimestampScale.MOST_NS);
        assertThat(scale.clamped()).isEqualTo(2);
    }

    @Test
    void reportsUnitsPerSecond() {
        assertThat(new TimestampScale(6, 0).unitsPerSecond()).isEqualTo(1_000_000);
        assertThat(new TimestampScale(18, 0).unitsPerSecond()).isEqualTo(1_000_000_000_000_000_000L);
        assertThat(new TimestampScale(19, 0).unitsPerSecond()).isEqualTo(Long.MAX_VALUE);
        assertThat(new TimestampScale(0x80 | 20, 0).unitsPerSecond()).isEqualTo(1 << 20);
        assertThat(new TimestampScale(0x80 | 64, 0).unitsPerSecond()).isEqualTo(Long.MAX_VALUE);
    }
}
