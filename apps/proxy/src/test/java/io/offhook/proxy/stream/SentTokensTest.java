package io.offhook.proxy.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SentTokensTest {
    @Test
    void keepsThoseWhoseMessagesHaveNotLeft() {
        Random random = new Random(10);
        SentTokens tokens = new SentTokens();
        Deque<long[]> expected = new ArrayDeque<>();
        long taken = 0;
        long sent = 0;
        for (int i = 0; i < 10_000; i++) {
            if (random.nextInt(5) < 3) {
                taken += 1 + random.nextInt(100);
                tokens.add(i, taken);
                expected.add(new long[] {i, taken});
            } else {
                sent += random.nextInt((int) (taken - sent) + 1);
                tokens.forgetSent(sent);
                while (!expected.isEmpty() && expected.getFirst()[1] <= sent) {
                    expected.removeFirst();
                }
            }
            if (random.nextInt(500) == 0) {
                assertThat(tokens.takeAll())
                        .containsExactly(
                                expected.stream().mapToLong(one -> one[0]).toArray());
                expected.clear();
                assertThat(tokens.takeAll()).isEmpty();
            }
        }
    }
}
