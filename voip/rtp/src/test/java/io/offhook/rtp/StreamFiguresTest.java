package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.offhook.rtp.figures.IntervalFigures;
import io.offhook.rtp.figures.StreamFigures;
import io.offhook.rtp.figures.StreamUpdate;
import io.offhook.rtp.playout.JitterBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A stream of figures answers as the one did of which they were taken, whenever that was. */
class StreamFiguresTest {
    private static final int SEEDS = 60;
    private static final int STEPS = 40;
    private static final long T0 = 1_700_000_000_000_000_000L;
    private static final long MS = 1_000_000;
    private static final OneRow ROW = new OneRow();

    private static void packet(RtpStream stream, long arrivalNs, int number, int timestamp, int type, int length) {
        ROW.packet(
                stream,
                arrivalNs,
                number & 0xffff,
                timestamp & 0xffff_ffffL,
                type,
                false,
                length,
                number * 0x9e37_79b9_7f4a_7c15L,
                number & 0xffff);
    }

    @Test
    void aStreamOfFiguresAnswersEverythingAsTheOriginalDid() {
        for (long seed = 0; seed < SEEDS; seed++) {
            RtpStream stream = RandomStream.stream(seed);
            RandomStream feeder = new RandomStream(seed, List.of(stream));
            Random random = new Random(seed);
            assertThat(Answers.of(RtpStream.of(stream.figures()))).isEqualTo(Answers.of(stream));
            for (int step = 0; step < STEPS; step++) {
                feeder.step();
                if (random.nextInt(4) == 0 || step == STEPS - 1) {
                    StreamFigures figures = stream.figures();
                    assertThat(Answers.differences(Answers.of(RtpStream.of(figures)), Answers.of(stream)))
                            .as("seed %d step %d", seed, step)
                            .isEmpty();
                    assertThat(RtpStream.of(figures).figures()).isEqualTo(figures);
                }
            }
        }
    }

    @Test
    void aStreamOfFiguresLearnsCodecsAsTheOriginalDoes() {
        int settled = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            RtpStream stream = RandomStream.stream(seed);
            RtpStream other = RandomStream.stream(seed);
            RandomStream feeder = new RandomStream(seed, List.of(stream, other));
            for (int step = 0; step < STEPS; step++) {
                feeder.step();
            }
            if (stream.waitingPackets() > 0) {
                continue;
            }
            settled++;
            RtpStream closed = RtpStream.of(stream.figures());
            RtpStream otherClosed = RtpStream.of(other.figures());
            assertThat(Answers.differences(Answers.afterCodecs(closed), Answers.afterCodecs(stream)))
                    .as("seed %d", seed)
                    .isEmpty();
            assertThat(Answers.differences(Answers.afterCorrections(otherClosed), Answers.afterCorrections(other)))
                    .as("seed %d", seed)
                    .isEmpty();
        }
        assertThat(settled).isGreaterThan(SEEDS / 4);
    }

    @Test
    void countingIsNotDisturbedByWhoTakesFigures() {
        for (long seed = 0; seed < SEEDS; seed++) {
            RtpStream asked = RandomStream.stream(seed);
            RtpStream unasked = RandomStream.stream(seed);
            RandomStream feeder = new RandomStream(seed, List.of(asked, unasked));
            FiguresMark mark = new FiguresMark();
            for (int step = 0; step < STEPS; step++) {
                feeder.step();
                asked.figures();
                asked.figuresSince(mark);
            }
            assertThat(Answers.differences(Answers.of(asked), Answers.of(unasked)))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @Test
    void allUpdatesTogetherAreTheWhole() {
        int later = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            RtpStream stream = RandomStream.stream(seed);
            RandomStream feeder = new RandomStream(seed, List.of(stream));
            Random random = new Random(seed);
            FiguresMark mark = new FiguresMark();
            StreamFigures folded = null;
            for (int step = 0; step < STEPS; step++) {
                feeder.step();
                if (random.nextInt(3) == 0 || step == STEPS - 1) {
                    int before =
                            folded == null ? 0 : folded.intervals().closed().size();
                    StreamUpdate update = stream.figuresSince(mark);
                    assertThat(update.figures().intervals().closed()).isEmpty();
                    later += update.changed().stream().anyMatch(changed -> changed.index() < before) ? 1 : 0;
                    StreamFigures known = folded == null ? update.alone() : folded.with(update);
                    assertThat(known).as("seed %d step %d", seed, step).isEqualTo(stream.figures());
                    assertThat(known.with(update)).isEqualTo(known);
                    folded = known;
                }
            }
        }
        assertThat(later).as("updates that change an interval that was closed").isGreaterThan(SEEDS / 10);
    }

    @Test
    void anUpdateRepeatsOnlyIntervalsThatChanged() {
        RtpStream stream = new RtpStream(JitterBuffer.DEFAULT, true);
        FiguresMark mark = new FiguresMark();
        for (int number = 0; number < 50 * 3600; number++) {
            packet(stream, T0 + number * 20L * MS, number, number * 160, 0, 160);
            if (number % 250 == 249) {
                assertThat(stream.figuresSince(mark).changed().size()).isLessThanOrEqualTo(1);
            }
        }
        assertThat(stream.figures().intervals().closed()).hasSize(719);
    }

    @Test
    void intervalsWhoseUpdateNeverCameAreMissing() {
        RtpStream stream = new RtpStream();
        FiguresMark mark = new FiguresMark();
        StreamFigures folded = stream.figures();
        for (int number = 0; number < 50 * 60; number++) {
            packet(stream, T0 + number * 20L * MS, number, number * 160, 0, 160);
            if (number % 250 == 10) {
                StreamUpdate update = stream.figuresSince(mark);
                int turn = number / 250;
                folded = turn == 3 || turn == 4 ? folded : folded.with(update);
            }
        }
        assertThat(folded.intervals().missing()).isEqualTo(2);
        assertThat(folded.intervals().closed().get(2)).isEqualTo(IntervalFigures.MISSING);
        assertThat(RtpStream.of(folded).intervals()).hasSameSizeAs(stream.intervals());
        assertThat(RtpStream.of(folded).packets())
                .isEqualTo(stream.figures().sequence().packets() - 239);
    }

    @Test
    void aStreamOfFiguresTakesNoPackets() {
        RtpStream stream = new RtpStream();
        packet(stream, T0, 1, 160, 0, 160);
        packet(stream, T0 + 20 * MS, 2, 320, 0, 160);
        RtpStream closed = RtpStream.of(stream.figures());
        assertThatIllegalStateException()
                .isThrownBy(() -> packet(closed, T0 + 40 * MS, 3, 480, 0, 160))
                .withMessage("a stream of figures takes no packets");
        assertThat(closed.packets()).isEqualTo(2);
        RtpStream empty = RtpStream.of(new RtpStream().figures());
        assertThatIllegalStateException().isThrownBy(() -> packet(empty, T0, 3, 480, 0, 160));
    }

    @Test
    void figuresWithoutAKnownBufferMakeNoStream() {
        StreamFigures figures = new RtpStream().figures();
        StreamFigures odd = new StreamFigures(
                "adaptive:9",
                figures.arrival(),
                figures.sequence(),
                figures.losses(),
                figures.media(),
                null,
                figures.intervals());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RtpStream.of(odd))
                .withMessage("no jitter buffer: \"adaptive:9\"");
    }

    /** Each of them has what random streams rarely have. */
    private static List<StreamFigures> rareCases() {
        List<StreamFigures> cases = new ArrayList<>();
        cases.add(stalls());
        cases.add(manyLengthsOfLoss());
        cases.add(drift());
        cases.add(manyPauses());
        cases.add(manyKeys());
        RtpStream noise = new RtpStream();
        packet(noise, T0, 1, 160, 0, 160);
        packet(noise, T0 + 20 * MS, 2, 320, 13, 1);
        cases.add(noise.figures());
        RtpStream kept = new RtpStream();
        packet(kept, T0, 1, 160, 0, 160);
        packet(kept, T0 + 20 * MS, 2, 320, 0, 0);
        cases.add(kept.figures());
        RtpStream tagged = new RtpStream();
        tagged.codec(96, new Codec("opus", 48_000));
        tagged.tag(96, 10);
        packet(tagged, T0, 1, 160, 96, 160);
        cases.add(tagged.figures());
        return cases;
    }

    /** Stalls of the path, of all lengths, after which a few packets are too late for the buffer. */
    private static StreamFigures stalls() {
        RtpStream stream = new RtpStream(JitterBuffer.fixed(20), false);
        int number = 0;
        for (; number < 100; number++) {
            packet(stream, T0 + number * MS, number, number * 8, 0, 8);
        }
        for (int late = 1; late <= 80; late++) {
            int stall = 20 + late;
            for (int i = 0; i < stall + 150; i++, number++) {
                long sentNs = T0 + number * MS;
                long arrivalNs = i < stall ? T0 + (number - i + stall) * MS : sentNs;
                packet(stream, arrivalNs, number, number * 8, 0, 8);
            }
        }
        return stream.figures();
    }

    private static StreamFigures manyLengthsOfLoss() {
        RtpStream stream = new RtpStream();
        int number = 0;
        for (int lost = 1; lost <= 80; lost++) {
            for (int i = 0; i < 10; i++, number++) {
                packet(stream, T0 + number * 20L * MS, number, number * 160, 0, 160);
            }
            number += lost;
        }
        packet(stream, T0 + number * 20L * MS, number, number * 160, 0, 160);
        return stream.figures();
    }

    private static StreamFigures drift() {
        RtpStream stream = new RtpStream(JitterBuffer.fixed(60), false);
        for (int number = 0; number < 50 * 60; number++) {
            packet(stream, T0 + number * 20L * MS + number * 40_000L, number, number * 160, 0, 160);
        }
        return stream.figures();
    }

    private static StreamFigures manyPauses() {
        RtpStream stream = new RtpStream();
        for (int number = 0; number < 300; number++) {
            packet(stream, T0 + number * 2500L * MS, number, number * 160, 0, 160);
        }
        return stream.figures();
    }

    private static StreamFigures manyKeys() {
        RtpStream stream = new RtpStream();
        stream.codec(101, new Codec("telephone-event", 8000));
        for (int number = 0; number < 300; number++) {
            ROW.packet(
                    stream,
                    T0 + number * 200L * MS,
                    number,
                    number * 1600L,
                    101,
                    true,
                    4,
                    (long) (number % 12) << 56 | 0x8aL << 48 | 400L << 32,
                    number);
        }
        packet(stream, T0 + 300 * 200L * MS, 300, 300 * 1600, 101, 2);
        return stream.figures();
    }

    /** Which component is needed for what is not stated anywhere: without any of them some stream answers otherwise. */
    @Test
    void eachComponentMattersToSomeAnswer() {
        Set<String> survivors = new TreeSet<>(Mutants.paths(StreamFigures.class));
        assertThat(survivors).hasSizeGreaterThan(100);
        for (StreamFigures figures : rareCases()) {
            kill(survivors, figures);
        }
        for (long seed = 0; seed < SEEDS && !survivors.isEmpty(); seed++) {
            RtpStream stream = RandomStream.stream(seed);
            RandomStream feeder = new RandomStream(seed, List.of(stream));
            for (int step = 0; step < STEPS; step++) {
                feeder.step();
            }
            kill(survivors, stream.figures());
        }
        assertThat(survivors).isEmpty();
    }

    /** Likewise of what an update says of closed intervals. */
    @Test
    void eachComponentOfAnUpdateMatters() {
        Set<String> survivors = new TreeSet<>(Mutants.paths(StreamUpdate.class));
        survivors.removeIf(path -> path.startsWith("StreamUpdate.figures"));
        assertThat(survivors).contains("StreamUpdate.closed", "StreamUpdate.changed[].index");
        for (long seed = 0; seed < SEEDS && !survivors.isEmpty(); seed++) {
            RtpStream stream = RandomStream.stream(seed);
            RandomStream feeder = new RandomStream(seed, List.of(stream));
            FiguresMark mark = new FiguresMark();
            for (int step = 0; step < STEPS; step++) {
                feeder.step();
            }
            StreamFigures before = stream.figuresSince(mark).alone();
            for (int step = 0; step < STEPS; step++) {
                feeder.step();
            }
            StreamUpdate update = stream.figuresSince(mark);
            List<String> answers = Answers.ofAll(before.with(update));
            for (Mutants.Mutant mutant : Mutants.of(update)) {
                if (survivors.contains(mutant.path())
                        && !answers.equals(foldedOrNull(before, (StreamUpdate) mutant.value()))) {
                    survivors.remove(mutant.path());
                }
            }
        }
        assertThat(survivors).isEmpty();
    }

    private static @Nullable List<String> foldedOrNull(StreamFigures before, StreamUpdate update) {
        try {
            return Answers.ofAll(before.with(update));
        } catch (IndexOutOfBoundsException e) {
            return null; // refused
        }
    }

    private static void kill(Set<String> survivors, StreamFigures figures) {
        List<String> answers = Answers.ofAll(figures);
        for (Mutants.Mutant mutant : Mutants.of(figures)) {
            if (survivors.contains(mutant.path()) && !answers.equals(answersOrNull((StreamFigures) mutant.value()))) {
                survivors.remove(mutant.path());
            }
        }
    }

    private static @Nullable List<String> answersOrNull(StreamFigures figures) {
        try {
            return Answers.ofAll(figures);
        } catch (IllegalArgumentException e) {
            return null; // refused
        }
    }
}
