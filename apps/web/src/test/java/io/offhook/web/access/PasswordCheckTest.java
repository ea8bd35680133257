package io.offhook.web.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.offhook.web.access.PasswordCheck.Answer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PasswordCheckTest {
    /** By the argon2 command of Debian: {@code printf secret | argon2 saltsaltsalt -id -t 2 -m 12 -p 1 -e}. */
    private static final String ARGON2 =
            "$argon2id$v=19$m=4096,t=2,p=1$c2FsdHNhbHRzYWx0$4Ez6TmL0LNAaYIVQYfmYb5V6rp5vpwWdrxyFMKb1Tp8";

    private long nowNs;
    private PasswordCheck credentials;

    @BeforeEach
    void keepAPassword() {
        credentials = new PasswordCheck(List.of(PasswordHash.of("right")), () -> nowNs);
    }

    @Test
    void tellsRightFromWrong() {
        assertThat(credentials.check("right", "192.0.2.1")).isEqualTo(Answer.RIGHT);
        assertThat(credentials.check("wrong", "192.0.2.1")).isEqualTo(Answer.WRONG);
        assertThat(credentials.check("", "192.0.2.1")).isEqualTo(Answer.WRONG);
        assertThat(credentials.check("x".repeat(100_000), "192.0.2.1")).isEqualTo(Answer.WRONG);
    }

    @Test
    void takesHashesOfTheArgon2Command() {
        PasswordCheck argon2 = new PasswordCheck(List.of(ARGON2), () -> nowNs);
        assertThat(argon2.check("secret", "192.0.2.1")).isEqualTo(Answer.RIGHT);
        assertThat(argon2.check("Secret", "192.0.2.1")).isEqualTo(Answer.WRONG);
    }

    @Test
    void letsAnAddressThatGuessesWaitAndNobodyElse() {
        for (int i = 0; i < PasswordCheck.MOST_WRONG; i++) {
            assertThat(credentials.check("wrong" + i, "192.0.2.1")).isEqualTo(Answer.WRONG);
        }
        assertThat(credentials.check("right", "192.0.2.1")).isEqualTo(Answer.TOO_OFTEN);
        assertThat(credentials.check("right", "192.0.2.2")).isEqualTo(Answer.RIGHT);
        nowNs += 60_000_000_000L;
        assertThat(credentials.check("right", "192.0.2.1")).isEqualTo(Answer.RIGHT);
    }

    @Test
    void takesAllAddressesOfAnIpv6LinkForOne() {
        for (int i = 0; i < PasswordCheck.MOST_WRONG; i++) {
            assertThat(credentials.check("wrong" + i, "2001:db8::" + i)).isEqualTo(Answer.WRONG);
        }
        assertThat(credentials.check("right", "2001:db8:0:0:1::1")).isEqualTo(Answer.TOO_OFTEN);
        assertThat(credentials.check("right", "2001:db8:0:1::1")).isEqualTo(Answer.RIGHT);
    }

    @Test
    void letsWhoeverWasRightInWhileOthersAreChecked() throws Exception {
        assertThat(credentials.check("right", "192.0.2.1")).isEqualTo(Answer.RIGHT);
        try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            AtomicBoolean isDone = new AtomicBoolean();
            CountDownLatch begun = new CountDownLatch(1);
            Future<?> guesses = others.submit(() -> {
                begun.countDown();
                for (int i = 0; !isDone.get(); i++) {
                    credentials.check("wrong", "198.51.100." + i);
                }
            });
            begun.await();
            for (int i = 0; i < 10_000; i++) {
                assertThat(credentials.check("right", "192.0.2.1")).isEqualTo(Answer.RIGHT);
            }
            isDone.set(true);
            guesses.get();
        }
    }

    @Test
    void refusesWhatIsNoHash() {
        for (String text : List.of("right", "$s0$", "$s0$1$2", "$f0801$x", "$argon2id$v=19$m=4096", "$2a$10$x")) {
            assertThat(PasswordHash.isHash(text)).as(text).isFalse();
            assertThatIllegalArgumentException().isThrownBy(() -> new PasswordCheck(List.of(text), () -> 0));
        }
    }
}
