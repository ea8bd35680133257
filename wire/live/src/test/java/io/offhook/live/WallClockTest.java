package io.offhook.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WallClockTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long HOUR_NS = 3600 * SECOND_NS;

    private long runningNs;
    private long timeOfDayNs = 100 * HOUR_NS;
    private final WallClock clock = new WallClock(() -> runningNs, () -> timeOfDayNs);

    private long after(long ns) {
        runningNs += ns;
        timeOfDayNs += ns;
        return clock.nowNs();
    }

    @Test
    void runsBetweenTwoLooksAtTheTimeOfDay() {
        assertThat(after(7)).isEqualTo(100 * HOUR_NS + 7);
        assertThat(after(2 * SECOND_NS)).isEqualTo(timeOfDayNs);
    }

    @Test
    void waitsWhereTheTimeOfDayWentBackALittle() {
        long before = after(SECOND_NS);
        timeOfDayNs -= SECOND_NS / 2 + 2 * SECOND_NS;
        assertThat(after(2 * SECOND_NS)).isEqualTo(before);
        assertThat(after(2 * SECOND_NS)).isEqualTo(timeOfDayNs);
    }

    @Test
    void followsAClockThatIsSetBackAnHour() {
        after(SECOND_NS);
        timeOfDayNs -= HOUR_NS;
        assertThat(after(2 * SECOND_NS)).isEqualTo(timeOfDayNs);
        assertThat(after(10)).as("frames do not all have the time of before").isEqualTo(timeOfDayNs);
    }
}
