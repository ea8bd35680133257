package io.offhook.sip.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The wheel against a list of deadlines. */
class TimerWheelTest {
    private static final long MS = 1_000_000;
    private static final long TICK = 1L << 20;
    private static final long START = 123_456_789;

    private long nowNs = START;
    private final TimerWheel wheel = new TimerWheel(START);
    private final List<Timer> expired = new ArrayList<>();
    private final List<Timer> timers = new ArrayList<>();
    private final Map<Timer, Long> deadlines = new HashMap<>();

    private Timer timer() {
        Timer timer = new Timer((which, atNs) -> {
            assertThat(atNs).isEqualTo(nowNs);
            assertThat(which.isRunning()).isFalse();
            expired.add(which);
        });
        timers.add(timer);
        return timer;
    }

    private void advance(long ns) {
        nowNs += ns;
        wheel.advance(nowNs);
    }

    @Test
    void expiresAtMostATickLateAndNeverEarly() {
        for (long after :
                new long[] {1, MS, 255 * TICK, 256 * TICK, 257 * TICK, 65_536 * TICK, 65_537 * TICK, 1L << 44}) {
            Timer timer = timer();
            long deadline = nowNs + after;
            wheel.start(timer, deadline);
            while (timer.isRunning()) {
                assertThat(wheel.nextNs()).isGreaterThan(nowNs);
                nowNs = wheel.nextNs();
                wheel.advance(nowNs);
            }
            assertThat(nowNs - deadline).as("after %d ns", after).isBetween(0L, TICK);
        }
        assertThat(wheel.nextNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void agreesWithAListOfDeadlines() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            timer();
        }
        for (int step = 0; step < 20_000; step++) {
            Timer timer = timers.get(random.nextInt(timers.size()));
            switch (random.nextInt(4)) {
                case 0 -> {
                    wheel.stop(timer);
                    deadlines.remove(timer);
                }
                case 1, 2 -> {
                    long deadline = nowNs + (long) (random.nextDouble() * (1L << random.nextInt(46))) - 2 * TICK;
                    wheel.start(timer, deadline);
                    // one that was due at its start expires at the next tick
                    deadlines.put(timer, Math.max(deadline, nowNs));
                }
                default -> {
                    expired.clear();
                    advance((long) (random.nextDouble() * (1L << random.nextInt(40))));
                    check(seed);
                }
            }
            assertThat(wheel.running()).as("seed %d", seed).isEqualTo(deadlines.size());
        }
        wheel.clear();
        assertThat(wheel.running()).isZero();
        assertThat(timers).noneMatch(Timer::isRunning);
        expired.clear();
        advance(1L << 50);
        assertThat(expired).isEmpty();
    }

    private void check(long seed) {
        assertThat(expired).as("seed %d", seed).doesNotHaveDuplicates();
        for (Timer timer : expired) {
            assertThat(deadlines.remove(timer))
                    .as("seed %d: it ran", seed)
                    .isNotNull()
                    .isLessThanOrEqualTo(nowNs);
        }
        deadlines.forEach((timer, deadline) ->
                assertThat(nowNs - deadline).as("seed %d: overdue", seed).isLessThanOrEqualTo(TICK));
    }

    @Test
    void expiresInTheOrderOfDeadlines() {
        List<Timer> order = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Timer timer = timer();
            wheel.start(timer, nowNs + (i + 1) * (7 * TICK));
            order.add(timer);
        }
        advance(10_000 * TICK);
        assertThat(expired).isEqualTo(order);
    }

    @Test
    void aTimerMayStartItselfAndOthersAgain() {
        int[] turns = new int[1];
        Timer[] again = new Timer[1];
        again[0] = new Timer((which, atNs) -> {
            if (++turns[0] < 5) {
                // already due: at the next tick, not in an endless loop
                wheel.start(which, atNs - 10 * TICK);
            }
        });
        wheel.start(again[0], nowNs + MS);
        advance(20 * TICK);
        assertThat(turns[0]).isEqualTo(5);
        assertThat(wheel.running()).isZero();
    }

    @Test
    void startingAnewReplacesTheDeadline() {
        Timer timer = timer();
        wheel.start(timer, nowNs + 5 * MS);
        wheel.start(timer, nowNs + 50 * MS);
        assertThat(wheel.running()).isEqualTo(1);
        advance(20 * MS);
        assertThat(expired).isEmpty();
        advance(40 * MS);
        assertThat(expired).containsExactly(timer);
        wheel.stop(timer);
        assertThat(wheel.running()).isZero();
    }
}
