package io.offhook.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is left is needed, all of it. */
class DeltaDebuggingTest {
    @Test
    void onlyWhatIsNeededIsLeftInItsOrder() throws IOException {
        Random random = new Random(3);
        for (int run = 0; run < 200; run++) {
            int size = 1 + random.nextInt(40);
            List<Integer> all = IntStream.range(0, size).boxed().toList();
            List<Integer> needed = new ArrayList<>();
            for (int i : all) {
                if (random.nextInt(6) == 0) {
                    needed.add(i);
                }
            }
            if (needed.isEmpty()) {
                needed.add(size - 1);
            }
            List<Integer> left = new DeltaDebugging<Integer>(some -> some.containsAll(needed)).minimize(all);
            assertThat(left).isEqualTo(needed);
        }
    }

    @Test
    void nothingIsTriedTwiceInVainOnceNoElementCanGo() throws IOException {
        List<Integer> tried = new ArrayList<>();
        List<Integer> all = List.of(1, 2, 3, 4);
        List<Integer> left = new DeltaDebugging<Integer>(some -> {
                    tried.add(some.size());
                    return false;
                })
                .minimize(all);
        assertThat(left).isEqualTo(all);
        assertThat(tried).containsExactly(2, 2, 3, 3, 3, 3);
    }

    @Test
    void oneElementStays() throws IOException {
        assertThat(new DeltaDebugging<String>(_ -> true).minimize(List.of("a", "b", "c")))
                .hasSize(1);
        assertThat(new DeltaDebugging<String>(_ -> true).minimize(List.of("a"))).containsExactly("a");
    }
}
