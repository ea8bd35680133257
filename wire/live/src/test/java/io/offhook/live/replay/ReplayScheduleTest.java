package io.offhook.live.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplayScheduleTest {
    private static final long EPOCH_NS = 1_700_000_000_000_000_000L;

    private static ReplaySchedule of(ReplaySpeed speed) {
        ReplaySchedule schedule = new ReplaySchedule(speed);
        schedule.beginPass();
        return schedule;
    }

    @Test
    void keepsRecordedGapsToTheNanosecond() {
        ReplaySchedule schedule = of(ReplaySpeed.recorded(1));
        Random random = new Random(1);
        long at = 0;
        for (int i = 0; i < 1000; i++) {
            assertThat(schedule.next(EPOCH_NS + at, 100)).isEqualTo(at);
            at += random.nextLong(10_000_000_000_000L);
        }
    }

    @Test
    void dividesRecordedGaps() {
        ReplaySchedule schedule = of(ReplaySpeed.recorded(2.5));
        assertThat(schedule.next(EPOCH_NS, 100)).isZero();
        assertThat(schedule.next(EPOCH_NS + 1_000, 100)).isEqualTo(400);
        assertThat(schedule.next(EPOCH_NS + 1_000_000_000, 100)).isEqualTo(400_000_000);
        ReplaySchedule slow = of(ReplaySpeed.recorded(0.1));
        assertThat(slow.next(EPOCH_NS, 100)).isZero();
        assertThat(slow.next(EPOCH_NS + 7, 100)).isEqualTo(70);
    }

    @Test
    void neverGoesBackWhereTheRecordingDoes() {
        ReplaySchedule schedule = of(ReplaySpeed.recorded(1));
        assertThat(schedule.next(EPOCH_NS, 100)).isZero();
        assertThat(schedule.next(EPOCH_NS + 500, 100)).isEqualTo(500);
        assertThat(schedule.next(EPOCH_NS - 500, 100)).isEqualTo(500);
        assertThat(schedule.next(EPOCH_NS + 400, 100)).isEqualTo(500);
        assertThat(schedule.next(EPOCH_NS + 501, 100)).isEqualTo(501);
    }

    @Test
    void passesFollowEachOtherAfterTheMeanGap() {
        ReplaySchedule schedule = of(ReplaySpeed.recorded(2));
        for (int pass = 0; pass < 3; pass++) {
            // gaps of 100 and 500 at twice the speed: 150 on average
            long begin = pass * 450L;
            assertThat(schedule.next(EPOCH_NS, 100)).isEqualTo(begin);
            assertThat(schedule.next(EPOCH_NS + 100, 100)).isEqualTo(begin + 50);
            assertThat(schedule.next(EPOCH_NS + 600, 100)).isEqualTo(begin + 300);
            schedule.beginPass();
        }
    }

    @Test
    void passesOfOneFrameFollowAtOnce() {
        ReplaySchedule schedule = of(ReplaySpeed.recorded(1));
        assertThat(schedule.next(EPOCH_NS, 100)).isZero();
        schedule.beginPass();
        assertThat(schedule.next(EPOCH_NS, 100)).isZero();
    }

    @Test
    void spacesFramesEvenlyWithoutDrift() {
        ReplaySchedule schedule = of(ReplaySpeed.framesPerSecond(3));
        long last = 0;
        for (int i = 0; i < 3_000_000; i++) {
            last = schedule.next(EPOCH_NS, 100);
            if (i % 500_000 == 0) {
                schedule.beginPass();
            }
        }
        assertThat(last).isBetween(999_999_666_666_665L, 999_999_666_666_667L);
    }

    @Test
    void spacesFramesByTheBitsOfThoseBefore() {
        ReplaySchedule schedule = of(ReplaySpeed.bitsPerSecond(1e9));
        assertThat(schedule.next(EPOCH_NS, 1514)).isZero();
        assertThat(schedule.next(EPOCH_NS, 60)).isEqualTo(12_112);
        assertThat(schedule.next(EPOCH_NS, 60)).isEqualTo(12_592);
        assertThat(schedule.next(EPOCH_NS, 60)).isEqualTo(13_072);
    }

    @Test
    void isDueAtOnceAtTopSpeed() {
        ReplaySchedule schedule = of(ReplaySpeed.top());
        assertThat(schedule.next(EPOCH_NS, 100)).isZero();
        assertThat(schedule.next(EPOCH_NS + 1_000_000_000, 100)).isZero();
    }

    @Test
    void refusesSpeedsThatAreNone() {
        for (double value : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> ReplaySpeed.framesPerSecond(value))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("speed " + value + " is not above 0");
        }
    }
}
