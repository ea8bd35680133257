package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.offhook.rtp.figures.ConversationFigures;
import io.offhook.rtp.figures.ConversationUpdate;
import io.offhook.rtp.figures.ReceptionFigures;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Reports of figures answer as those did of which they were taken, whenever that was. */
class ConversationFiguresTest {
    private static final int SEEDS = 40;
    private static final int STEPS = 80;

    @Test
    void reportsOfFiguresAnswerEverythingAsTheOriginalsDid() {
        for (long seed = 0; seed < SEEDS; seed++) {
            RtcpReports reports = new RtcpReports(seed % 2 == 0);
            RtcpReports unasked = new RtcpReports(seed % 2 == 0);
            RandomConversation feeder = new RandomConversation(seed, List.of(reports, unasked));
            Random random = new Random(seed);
            for (int step = 0; step < STEPS; step++) {
                feeder.step();
                if (random.nextInt(20) == 0 || step == STEPS - 1) {
                    ConversationFigures figures = reports.figures();
                    assertThat(Answers.differences(Answers.of(figures), Answers.of(reports)))
                            .as("seed %d step %d", seed, step)
                            .isEmpty();
                    assertThat(RtcpReports.of(figures).figures()).isEqualTo(figures);
                }
            }
            assertThat(Answers.differences(Answers.of(reports), Answers.of(unasked)))
                    .isEmpty();
        }
    }

    @Test
    void allUpdatesTogetherAreTheWhole() {
        for (long seed = 0; seed < SEEDS; seed++) {
            RtcpReports reports = new RtcpReports(true);
            RandomConversation feeder = new RandomConversation(seed, List.of(reports));
            Random random = new Random(seed);
            ConversationMark mark = new ConversationMark();
            ConversationFigures folded = null;
            int news = 0;
            for (int step = 0; step < STEPS; step++) {
                feeder.step();
                if (random.nextInt(5) == 0 || step == STEPS - 1) {
                    ConversationUpdate update = reports.figuresSince(mark);
                    folded = folded == null ? update.alone() : folded.with(update);
                    assertThat(folded).as("seed %d step %d", seed, step).isEqualTo(reports.figures());
                    assertThat(folded.with(update)).isEqualTo(folded);
                    news += update.figures().receptions().stream()
                            .mapToInt(reception -> Math.max(0, reports(reception) - 1))
                            .sum(); // the last one of before is repeated
                }
            }
            if (folded != null && folded.counts().evicted() == 0) {
                int kept = folded.receptions().stream()
                        .mapToInt(ConversationFiguresTest::reports)
                        .sum();
                assertThat(news).as("seed %d", seed).isLessThanOrEqualTo(kept);
            }
        }
    }

    private static int reports(ReceptionFigures reception) {
        return Objects.requireNonNull(reception.history()).reports().size();
    }

    @Test
    void eachComponentMattersToSomeAnswer() {
        Set<String> survivors = new TreeSet<>(Mutants.paths(ConversationUpdate.class));
        assertThat(survivors).hasSizeGreaterThan(50);
        for (long seed = 0; seed < SEEDS && !survivors.isEmpty(); seed++) {
            RtcpReports reports = new RtcpReports(true);
            RandomConversation feeder = new RandomConversation(seed, List.of(reports));
            ConversationMark mark = new ConversationMark();
            for (int step = 0; step < STEPS; step++) {
                feeder.step();
            }
            ConversationFigures before = reports.figuresSince(mark).alone();
            for (int step = 0; step < STEPS; step++) {
                feeder.step();
            }
            ConversationUpdate update = reports.figuresSince(mark);
            List<String> answers = Answers.of(before.with(update));
            for (Mutants.Mutant mutant : Mutants.of(update)) {
                if (survivors.contains(mutant.path())
                        && !answers.equals(Answers.of(before.with((ConversationUpdate) mutant.value())))) {
                    survivors.remove(mutant.path());
                }
            }
        }
        assertThat(survivors).isEmpty();
    }

    @Test
    void reportsOfFiguresTakeNoPackets() {
        RtcpReports reports = RtcpReports.of(new RtcpReports().figures());
        MemorySegment octets = Octets.of("80c9000100000001");
        assertThatIllegalStateException()
                .isThrownBy(() -> reports.read(octets, 0, 8, 8, 1))
                .withMessage("reports of figures take no packets");
        assertThatIllegalStateException().isThrownBy(() -> reports.senderReport(1, 1, 1, 1, 1));
    }
}
