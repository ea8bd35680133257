package io.offhook.web.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class AnswersTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private long nowNs;
    private int made;
    private final Answers answers = new Answers(() -> nowNs);

    private byte[] ask(String question, long revision) throws SQLException {
        return ask(question, revision, 1);
    }

    private byte[] ask(String question, long revision, int length) throws SQLException {
        return answers.of(question, revision, () -> {
            made++;
            return new byte[length];
        });
    }

    @Test
    void usesAnAnswerAgainForASecondWhileTheCallsAreTheSame() throws SQLException {
        byte[] first = ask("a", 1);
        nowNs += SECOND_NS - 1;
        assertThat(ask("a", 1)).isSameAs(first);
        assertThat(ask("b", 1)).isNotSameAs(first);
        assertThat(ask("a", 2)).isNotSameAs(first);
        nowNs += SECOND_NS;
        ask("a", 2);
        assertThat(made).isEqualTo(4);
    }

    @Test
    void usesAnAnswerAgainThoughTheCallsChangedWhereThatIsAllowed() throws SQLException {
        byte[] first = ask("a", 1);
        nowNs += 2 * SECOND_NS - 1;
        assertThat(answers.of("a", 2, 2 * SECOND_NS, () -> new byte[2])).isSameAs(first);
        assertThat(ask("a", 2)).isNotSameAs(first);
        nowNs += 2 * SECOND_NS;
        assertThat(answers.of("a", 2, 2 * SECOND_NS, () -> new byte[2])).hasSize(2);
    }

    @Test
    void keepsAFewAnswersOfLimitedSize() throws SQLException {
        for (int i = 0; i < 2 * Answers.MOST; i++) {
            ask("number " + i, 1, 1 << 20);
            assertThat(answers.bytes()).isLessThanOrEqualTo(Answers.MOST_BYTES);
        }
        ask("number " + (2 * Answers.MOST - 1), 1);
        assertThat(made).isEqualTo(2 * Answers.MOST);
        ask("number 0", 1);
        assertThat(made).isEqualTo(2 * Answers.MOST + 1);
        long before = answers.bytes();
        ask("large", 1, (int) Answers.MOST_BYTES);
        assertThat(answers.bytes()).isLessThanOrEqualTo(before);
    }

    @Test
    void makesAnAnswerAgainThatFailed() throws SQLException {
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> answers.of("a", 1, () -> {
                    throw new SQLException("failed");
                }));
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> answers.of("a", 1, () -> {
                    throw new IllegalStateException("failed");
                }));
        assertThat(ask("a", 1)).hasSize(1);
    }

    @Test
    void makesAnAnswerOnceForAllWhoAskMeanwhile() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<byte[]> first = threads.submit(() -> answers.of("a", 1, () -> {
                begun.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new SQLException(e);
                }
                return new byte[7];
            }));
            begun.await();
            Future<byte[]> second = threads.submit(() -> ask("a", 1));
            end.countDown();
            assertThat(second.get()).isSameAs(first.get());
        }
        assertThat(made).isZero();
    }
}
