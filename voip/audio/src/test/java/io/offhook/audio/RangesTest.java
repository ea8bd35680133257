package io.offhook.audio;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RangesTest {
    private static final long MS = 1_000_000;

    private static Ranges of(long... ms) {
        Ranges ranges = new Ranges();
        for (int i = 0; i < ms.length; i += 2) {
            ranges.add(ms[i] * MS, ms[i + 1] * MS);
        }
        return ranges;
    }

    private static String text(Ranges ranges) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < ranges.count(); i++) {
            text.append(ranges.from(i) / MS)
                    .append('-')
                    .append(ranges.until(i) / MS)
                    .append(' ');
        }
        return text.toString().strip();
    }

    @Test
    void rangesThatTouchAreOne() {
        assertThat(text(of(0, 20, 20, 40, 60, 80, 70, 75, 90, 90))).isEqualTo("0-40 60-80");
        assertThat(text(of(60, 80, 0, 20, 20, 60).sorted())).isEqualTo("0-80");
    }

    @Test
    void subtractionLeavesWhatIsInNoOther() {
        assertThat(text(of(0, 100).without(of(10, 20, 50, 60)))).isEqualTo("0-10 20-50 60-100");
        assertThat(text(of(0, 10, 20, 30, 40, 50).without(of(5, 45)))).isEqualTo("0-5 45-50");
        assertThat(text(of(0, 10).without(of(0, 10)))).isEmpty();
        assertThat(text(of(0, 10).without(of()))).isEqualTo("0-10");
    }

    @Test
    void subtractionIsThatOfSets() {
        Random random = new Random(5);
        for (int round = 0; round < 300; round++) {
            boolean[] left = new boolean[200];
            boolean[] right = new boolean[200];
            Ranges a = random(random, left).sorted();
            Ranges b = random(random, right).sorted();
            boolean[] rest = new boolean[200];
            Ranges difference = a.without(b);
            for (int i = 0; i < difference.count(); i++) {
                for (long at = difference.from(i) / MS; at < difference.until(i) / MS; at++) {
                    rest[(int) at] = true;
                }
            }
            for (int at = 0; at < 200; at++) {
                assertThat(rest[at]).as("round %d at %d", round, at).isEqualTo(left[at] && !right[at]);
            }
        }
    }

    private static Ranges random(Random random, boolean[] set) {
        Ranges ranges = new Ranges();
        for (int i = 0; i < 8; i++) {
            int from = random.nextInt(180);
            int until = from + random.nextInt(20);
            ranges.add(from * MS, until * MS);
            for (int at = from; at < until; at++) {
                set[at] = true;
            }
        }
        return ranges;
    }

    @Test
    void beyondTheLimitTheyAreCounted() {
        Ranges ranges = new Ranges();
        for (int i = 0; i < 60_000; i++) {
            ranges.add(2L * i * MS, (2L * i + 1) * MS);
        }
        assertThat(ranges.count()).isEqualTo(50_000);
        assertThat(ranges.dropped()).isEqualTo(10_000);
    }
}
