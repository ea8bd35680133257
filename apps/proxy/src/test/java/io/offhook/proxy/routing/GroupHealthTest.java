package io.offhook.proxy.routing;

import static io.offhook.proxy.routing.GroupHealth.State.BACK_OFF;
import static io.offhook.proxy.routing.GroupHealth.State.DOWN;
import static io.offhook.proxy.routing.GroupHealth.State.RETRY_AFTER;
import static io.offhook.proxy.routing.GroupHealth.State.USABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.config.ConfigReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Members of a group, watched with simulated time. */
class GroupHealthTest {
    private static final long SECOND = 1000;

    private final List<int[]> sent = new ArrayList<>();

    private static GroupHealth health(String yaml, int members) {
        return new GroupHealth(ConfigReader.of(HealthConfig.schema()).read(yaml, "h"), members, () -> 0);
    }

    private long tick(GroupHealth health, long nowMs) {
        return health.tick(nowMs, (member, attempt) -> sent.add(new int[] {member, attempt}));
    }

    /** Ticks, and answers what was sent with a status; -1 for silence. */
    private void round(GroupHealth health, long nowMs, int status) {
        sent.clear();
        tick(health, nowMs);
        for (int[] options : sent) {
            if (status >= 0) {
                health.answered(options[0], options[1], status);
            }
        }
    }

    @Test
    void sendsNothingUnlessAsked() {
        assertThat(tick(health("{}", 3), 0)).isEqualTo(Long.MAX_VALUE);
        assertThat(sent).isEmpty();
    }

    @Test
    void spreadsTheFirstOptionsAndThenKeepsTheInterval() {
        GroupHealth health = health("{options: true, interval: 30s}", 3);
        long now = 100 * SECOND;
        List<Long> times = new ArrayList<>();
        while (now < 165 * SECOND) {
            int before = sent.size();
            long next = tick(health, now);
            for (int i = before; i < sent.size(); i++) {
                times.add(now / SECOND);
                health.answered(sent.get(i)[0], sent.get(i)[1], 200);
            }
            assertThat(next).isGreaterThan(now);
            now = next;
        }
        assertThat(times).startsWith(100L, 110L, 120L, 130L, 140L, 150L, 160L);
        assertThat(sent).extracting(options -> options[0]).startsWith(0, 1, 2, 0, 1, 2, 0);
    }

    @Test
    void silenceTwiceTakesAMemberDownAndOneAnswerUp() {
        GroupHealth health = health("{options: true, interval: 10s, timeout: 4s, down-after: 2}", 1);
        round(health, 0, -1);
        assertThat(tick(health, 3999)).isEqualTo(4 * SECOND);
        assertThat(tick(health, 4 * SECOND)).isEqualTo(10 * SECOND);
        assertThat(health.state(0, 4 * SECOND)).isEqualTo(USABLE);
        round(health, 10 * SECOND, -1);
        tick(health, 14 * SECOND);
        assertThat(health.state(0, 14 * SECOND)).isEqualTo(DOWN);
        round(health, 20 * SECOND, 200);
        assertThat(health.state(0, 20 * SECOND)).isEqualTo(USABLE);
    }

    @Test
    void onlyAnswersThatCountAsAliveDo() {
        GroupHealth health =
                health("{options: true, interval: 10s, down-after: 1, up-after: 2, alive: 200 404-405}", 1);
        round(health, 0, 503);
        assertThat(health.state(0, 0)).isEqualTo(DOWN);
        round(health, 10 * SECOND, 404);
        assertThat(health.state(0, 0)).as("once").isEqualTo(DOWN);
        round(health, 20 * SECOND, 200);
        assertThat(health.state(0, 0)).isEqualTo(USABLE);
        round(health, 30 * SECOND, 0);
        assertThat(health.state(0, 0)).as("a transport error").isEqualTo(DOWN);
    }

    @Test
    void anAnswerAfterItsTimeDoesNotCount() {
        GroupHealth health = health("{options: true, interval: 10s, timeout: 4s, down-after: 1}", 1);
        round(health, 0, -1);
        tick(health, 4 * SECOND);
        health.answered(0, 1, 200);
        assertThat(health.state(0, 5 * SECOND)).isEqualTo(DOWN);
        sent.clear();
        tick(health, 10 * SECOND);
        health.answered(0, 1, 200);
        assertThat(health.state(0, 10 * SECOND))
                .as("that of the attempt before")
                .isEqualTo(DOWN);
        health.answered(0, 2, 200);
        assertThat(health.state(0, 10 * SECOND)).isEqualTo(USABLE);
    }

    @Test
    void backsOffAfterFailedCallsForEverLonger() {
        GroupHealth health = health("{failures: 3, back-off: 5s, back-off-most: 15s}", 2);
        health.failed(0, 0, 0);
        health.failed(0, 0, 0);
        assertThat(health.state(0, 0)).isEqualTo(USABLE);
        health.failed(0, 0, 0);
        long now = 0;
        for (long seconds : new long[] {5, 10, 15, 15}) {
            assertThat(health.state(0, now + seconds * SECOND - 1)).isEqualTo(BACK_OFF);
            health.failed(0, 0, now + 1); // a call that was under way
            now += seconds * SECOND;
            assertThat(health.state(0, now)).isEqualTo(USABLE);
            health.failed(0, 0, now);
        }
        assertThat(health.state(1, now)).isEqualTo(USABLE);
        health.succeeded(0);
        now += 15 * SECOND;
        health.failed(0, 0, now);
        assertThat(health.state(0, now)).as("the first failure again").isEqualTo(USABLE);
    }

    @Test
    void obeysRetryAfterUpToALimit() {
        GroupHealth health = health("{retry-after-most: 1m}", 1);
        health.failed(0, 10, 0);
        assertThat(health.state(0, 10 * SECOND - 1)).isEqualTo(RETRY_AFTER);
        health.failed(0, 2, 0);
        assertThat(health.state(0, 10 * SECOND - 1)).as("the longer one").isEqualTo(RETRY_AFTER);
        assertThat(health.state(0, 10 * SECOND)).isEqualTo(USABLE);
        health.failed(0, 1L << 40, 20 * SECOND);
        assertThat(health.state(0, 80 * SECOND - 1)).isEqualTo(RETRY_AFTER);
        assertThat(health.state(0, 80 * SECOND + 5 * SECOND)).isEqualTo(USABLE);
        GroupHealth deaf = health("{retry-after-most: 0ns}", 1);
        deaf.failed(0, 10, 0);
        assertThat(deaf.state(0, 1)).isEqualTo(USABLE);
    }

    @Test
    void neverBacksOffWhereConfigured() {
        GroupHealth health = health("{failures: 0}", 1);
        for (int i = 0; i < 100; i++) {
            health.failed(0, 0, i);
        }
        assertThat(health.state(0, 100)).isEqualTo(USABLE);
    }
}
