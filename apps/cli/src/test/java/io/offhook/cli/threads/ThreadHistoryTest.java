package io.offhook.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadUse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadHistoryTest {
    private static ThreadUse use(long ns) {
        return new ThreadUse(1_000_000_000, ns, 0, 0, 1, 0, 0);
    }

    private static ThreadRow row(int id, boolean isEnded, ThreadUse use) {
        return new ThreadRow(id, "thread" + id, isEnded ? 'X' : 'S', 0, use, use, use);
    }

    @Test
    void makesOneSampleOfTwoWhereThereAreTooManyAndLosesNoTime() {
        ThreadHistory history = new ThreadHistory(new JavaHistory());
        List<ThreadRow> rows = new ArrayList<>();
        for (int id = 1; id <= 1000; id++) {
            rows.add(row(id, false, use(id)));
        }
        int looks = 2500;
        for (int look = 1; look <= looks; look++) {
            history.add(look, rows, true);
        }
        long samples = 0;
        for (ThreadHistory.Entry entry : history.entries()) {
            samples += entry.samples.size();
            assertThat(entry.samples.stream()
                            .mapToLong(sample -> sample.use().userNs())
                            .sum())
                    .isEqualTo((long) entry.row.id() * looks);
            assertThat(entry.samples.getLast().atNs()).isEqualTo(looks);
        }
        assertThat(samples).isLessThanOrEqualTo(ThreadHistory.MOST_SAMPLES);
    }

    @Test
    void takesANumberThatWasGivenOutAgainForAnotherThread() {
        ThreadHistory history = new ThreadHistory(new JavaHistory());
        history.add(1, List.of(row(7, false, use(1))), true);
        history.add(2, List.of(row(7, true, use(1))), true);
        history.add(3, List.of(row(7, false, use(2))), true);
        assertThat(history.entries()).hasSize(2);
        assertThat(history.ended()).isOne();
    }

    @Test
    void forgetsTheThreadsThatEndedFirst() {
        ThreadHistory history = new ThreadHistory(new JavaHistory());
        for (int id = 1; id <= ThreadHistory.MOST_ENDED + 5; id++) {
            history.add(id, List.of(row(id, true, use(1))), true);
        }
        assertThat(history.entries()).hasSize(ThreadHistory.MOST_ENDED);
        assertThat(history.entries().iterator().next().row.id()).isEqualTo(6);
        assertThat(history.forgotten()).isEqualTo(5);
    }
}
