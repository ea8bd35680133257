package io.offhook.packet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlacedCountTest {
    private static void assertPlace(
            PlacedCount count, long times, long firstFrame, long lastFrame, long firstNs, long lastNs) {
        assertThat(count.count()).isEqualTo(times);
        assertThat(count.firstFrame()).isEqualTo(firstFrame);
        assertThat(count.lastFrame()).isEqualTo(lastFrame);
        assertThat(count.firstNs()).isEqualTo(firstNs);
        assertThat(count.lastNs()).isEqualTo(lastNs);
    }

    @Test
    void knowsFirstAndLastWhateverTheOrder() {
        PlacedCount count = new PlacedCount();
        count.add(20, 700);
        count.add(3, 900); // a capture whose times go back
        count.add(5, 31, 800);
        assertPlace(count, 7, 3, 31, 700, 900);
    }

    @Test
    void noneLeavesNoPlace() {
        PlacedCount count = new PlacedCount();
        count.add(0, 5, 500);
        count.add(new PlacedCount());
        assertPlace(count, 0, 0, 0, 0, 0);
        count.add(9, 900);
        count.add(0, 5, 500);
        count.add(new PlacedCount());
        assertPlace(count, 1, 9, 9, 900, 900);
    }

    @Test
    void sumsDoNotDependOnTheOrderOfLanes() {
        PlacedCount one = new PlacedCount();
        one.add(10, 100);
        one.add(40, 90);
        PlacedCount other = new PlacedCount();
        other.add(7, 300);
        PlacedCount there = new PlacedCount();
        there.add(one);
        there.add(other);
        PlacedCount back = new PlacedCount();
        back.add(other);
        back.add(one);
        assertPlace(there, 3, 7, 40, 90, 300);
        assertPlace(back, 3, 7, 40, 90, 300);
    }
}
