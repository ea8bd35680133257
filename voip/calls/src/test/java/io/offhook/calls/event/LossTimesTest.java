package io.offhook.calls.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LossTimesTest {
    @Test
    void overlapWhatTheyTouch() {
        LossTimes times = new LossTimes();
        assertThat(times.overlap(Long.MIN_VALUE, Long.MAX_VALUE)).isFalse();
        times.add(100, 200);
        assertThat(times.overlap(0, 99)).isFalse();
        assertThat(times.overlap(0, 100)).isTrue();
        assertThat(times.overlap(150, 160)).isTrue();
        assertThat(times.overlap(0, 1000)).isTrue();
        assertThat(times.overlap(200, 201)).isTrue();
        assertThat(times.overlap(201, 300)).isFalse();
        LossTimes more = new LossTimes();
        more.add(10, 250);
        times.add(more);
        assertThat(times.overlap(201, 300)).isTrue();
    }

    @Test
    void sayWhatASearchThroughAllSays() {
        Random random = new Random(5);
        for (int round = 0; round < 200; round++) {
            LossTimes times = new LossTimes();
            long[][] ranges = new long[random.nextInt(20)][];
            for (int i = 0; i < ranges.length; i++) {
                long from = random.nextInt(1000);
                ranges[i] = new long[] {from, from + random.nextInt(50)};
                times.add(ranges[i][0], ranges[i][1]);
            }
            for (int i = 0; i < 50; i++) {
                long first = random.nextLong(-50, 1050);
                long last = first + random.nextInt(30);
                boolean any = false;
                for (long[] range : ranges) {
                    any |= range[0] <= last && range[1] >= first;
                }
                assertThat(times.overlap(first, last)).isEqualTo(any);
            }
        }
    }

    @Test
    void areBoundedAndForgetNothing() {
        LossTimes times = new LossTimes();
        for (int i = 0; i < 70_000; i++) {
            times.add(10L * i, 10L * i + 1);
        }
        for (int i = 0; i < 70_000; i++) {
            assertThat(times.overlap(10L * i, 10L * i)).isTrue();
        }
        assertThat(times.overlap(5, 6)).isFalse();
    }
}
