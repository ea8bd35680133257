package io.offhook.research;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.offhook.research.Rounds.Amount;
import io.offhook.research.Rounds.Technique;
import io.offhook.research.Rounds.Work;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private static final List<Technique> ALIKE = List.of(
            new Technique("one", false, () -> new Counting(1)), new Technique("other", true, () -> new Counting(1)));
    private static final List<Technique> DIFFERENT = List.of(
            new Technique("one", false, () -> new Counting(1)), new Technique("two", false, () -> new Counting(2)));

    private record Counting(long step) implements Work {
        @Override
        public long round(int number) {
            return step * number;
        }

        @Override
        public long digest() {
            return 7;
        }
    }

    /** The process of {@link #ALIKE}. */
    static final class Alike {
        private Alike() {}

        public static void main(String[] args) {
            Rounds.serve(ALIKE, args);
        }
    }

    /** The process of {@link #DIFFERENT}. */
    static final class Different {
        private Different() {}

        public static void main(String[] args) {
            Rounds.serve(DIFFERENT, args);
        }
    }

    @Test
    void leavesOutWhatLiesAboveTheOuterFenceOnly() {
        // quartiles 11 and 13, so the fence is at 19
        double[] values = {1, 10, 11, 12, 12, 13, 13, 19.5, 12};
        assertThat(Rounds.withoutOutliers(values)).containsExactly(1, 10, 11, 12, 12, 13, 13, 12);
        assertThat(Rounds.withoutOutliers(new double[] {1, 10, 11, 12, 12, 13, 13, 18.9, 12}))
                .hasSize(9);
    }

    @Test
    void reportsEveryTechniqueAndItsFirstRound() {
        List<Measurement> all = new Rounds(Alike.class, ALIKE, new Amount(10, 2, 5, 2)).run("group", null);
        assertThat(all)
                .extracting(Measurement::group, Measurement::technique)
                .containsExactly(
                        tuple("group", "one"),
                        tuple("group", "other"),
                        tuple("group, first round", "one"),
                        tuple("group, first round", "other"));
        assertThat(all.getFirst().samples()).isBetween(2, 10);
        assertThat(all.getLast().samples()).isEqualTo(2);
    }

    @Test
    void leavesOutWhatNeedsTheLibraryWhereItIsMissing() {
        List<Measurement> all = new Rounds(Alike.class, ALIKE, new Amount(10, 1, 2, 1)).run("group", "no compiler");
        assertThat(all).extracting(Measurement::technique).containsOnly("one");
    }

    @Test
    void refusesTechniquesThatDoNotComputeTheSame() {
        Rounds rounds = new Rounds(Different.class, DIFFERENT, new Amount(10, 1, 2, 1));
        assertThatThrownBy(() -> rounds.run("group", null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("one")
                .hasMessageContaining("two");
    }

    @Test
    void refusesTechniquesWhoseProcessFails() {
        List<Technique> unknown = List.of(new Technique("unknown", false, () -> new Counting(1)));
        Rounds rounds = new Rounds(Alike.class, unknown, new Amount(10, 1, 2, 1));
        assertThatThrownBy(() -> rounds.run("group", null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("unknown");
    }
}
