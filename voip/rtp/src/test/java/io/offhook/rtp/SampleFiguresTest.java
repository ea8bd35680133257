package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.rtp.figures.SampleFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A sample of packets by figures is the sample. */
class SampleFiguresTest {
    private static final long T0 = 1_700_000_000_000_000_000L;

    /** A sample with room for a few packets less than it was given. */
    private static PacketLog sample(int packets, int room) {
        PacketLog log = PacketLog.sample(new PacketLog.Room(room), 256);
        RtpRows rows = new RtpRows();
        for (int number = 0; number < packets; number++) {
            long header = (long) number * 160 << 32 | (long) number << 16 | 8;
            long head = (number + 1) * 0x9e37_79b9_7f4a_7c15L;
            int length = number % 3 == 0 ? 12 : 160;
            int row =
                    rows.add(T0 + number * 20_000_000L, number + 1L, header, head, RtpRows.lengths(length, length, 1));
            log.sample(rows, row);
        }
        return log;
    }

    private static List<Object> answers(PacketLog log) {
        List<Object> answers = new ArrayList<>(List.of(log.size(), log.dropped(), log.isSample()));
        for (long number : log.numbers()) {
            answers.add(number);
        }
        for (int i = 0; i < log.size(); i++) {
            answers.add(List.of(
                    log.arrivalNs(i),
                    log.sequenceNumber(i),
                    log.timestamp(i),
                    log.print(i),
                    log.isTelling(i),
                    log.payloadType(i)));
        }
        return answers;
    }

    @Test
    void aSampleOfFiguresIsTheSample() {
        for (int packets : new int[] {0, 1, 90, 400}) {
            PacketLog log = sample(packets, 100);
            SampleFigures figures = log.figures();
            assertThat(figures.packets()).hasSize(log.size());
            assertThat(answers(PacketLog.of(figures))).isEqualTo(answers(log));
            assertThat(PacketLog.of(figures).figures()).isEqualTo(figures);
        }
    }

    @Test
    void eachComponentMattersToSomeAnswer() {
        SampleFigures figures = sample(400, 100).figures();
        assertThat(figures.dropped()).isPositive();
        List<Object> answers = answers(PacketLog.of(figures));
        Set<String> survivors = new TreeSet<>(Mutants.paths(SampleFigures.class));
        for (Mutants.Mutant mutant : Mutants.of(figures)) {
            if (!answers(PacketLog.of((SampleFigures) mutant.value())).equals(answers)) {
                survivors.remove(mutant.path());
            }
        }
        assertThat(survivors).isEmpty();
    }
}
