package io.offhook.proxy.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipMethod;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Under overload, in a model of a lane with simulated time: 1000 calls a second are its capacity. */
@Timeout(60)
class OverloadControlTest {
    private static final long MS = 1_000_000;
    private static final double CAPACITY = 1000;
    /** What a refusal costs, as a share of a call, where calls cost much; and where they are cheap, as measured on loopback. */
    private static final double CHEAP_REFUSAL = 0.06;

    private static final double DEAR_REFUSAL = 0.22;

    private static OverloadControl control(boolean isEnabled) {
        return new OverloadControl(new OverloadConfig(isEnabled, 15 * MS, 5, 20), 7);
    }

    private static QueueModel model(long seed, OverloadControl control, long ringMs, long holdMs, boolean isHoldFixed) {
        System.out.println("seed " + seed);
        return new QueueModel(seed, control, CHEAP_REFUSAL, ringMs * MS, holdMs * MS, isHoldFixed);
    }

    @ParameterizedTest
    @CsvSource({"1.2", "1.5", "2", "2.5", "3"})
    void keepsGoodputWhereCallsAreShort(double load) {
        goodputStays(load, 0, 1, true);
    }

    @ParameterizedTest
    @CsvSource({"1.2", "2", "3"})
    void keepsGoodputWhereTheWorkOfACallComesSecondsLater(double load) {
        goodputStays(load, 1000, 3000, false);
        goodputStays(load, 0, 2000, true);
        goodputStays(load, 1000, 3000, true);
    }

    private static void goodputStays(double load, long ringMs, long holdMs, boolean isHoldFixed) {
        goodputStays(load, CHEAP_REFUSAL, 0.97, ringMs, holdMs, isHoldFixed);
        // what is admitted now comes back as work seconds later: the share swings, and swings cost more if refusals do
        goodputStays(load, DEAR_REFUSAL, holdMs > 1 ? 0.9 : 0.97, ringMs, holdMs, isHoldFixed);
    }

    /** Each refusal costs something: what is left for calls is known, and a part of it must be reached. */
    private static void goodputStays(
            double load, double refusal, double part, long ringMs, long holdMs, boolean isHoldFixed) {
        double possible = CAPACITY * (1 - load * refusal) / (1 - refusal);
        QueueModel model = new QueueModel(11, control(true), refusal, ringMs * MS, holdMs * MS, isHoldFixed);
        model.run(10, 0.4 * CAPACITY, 0);
        model.run(10, load * CAPACITY, 0); // until what comes later has come
        QueueModel.Counts counts = model.run(20, load * CAPACITY, 0);
        assertThat(counts.good() / 20.0).isGreaterThan(part * possible);
        assertThat(counts.longestNs()).isLessThan(150 * MS);
        assertThat(counts.lost()).isZero();
    }

    @Test
    void goodputWouldCollapseWithoutIt() {
        QueueModel model = model(11, control(false), 0, 1, true);
        model.run(10, 2 * CAPACITY, 0);
        assertThat(model.run(20, 2 * CAPACITY, 0).good() / 20.0).isLessThan(0.1 * CAPACITY);
    }

    @ParameterizedTest
    @CsvSource({"0.5", "0.8", "0.95"})
    void refusesNothingBelowCapacity(double load) {
        QueueModel model = model(12, control(true), 0, 1, true);
        assertThat(model.run(60, load * CAPACITY, 0).refused()).isZero();
    }

    @Test
    void goodputDoesNotSwing() {
        QueueModel model = model(13, control(true), 0, 1, true);
        model.run(5, 2 * CAPACITY, 0);
        for (int second = 0; second < 30; second++) {
            assertThat(model.run(1, 2 * CAPACITY, 0).good()).isGreaterThan((int) (0.84 * CAPACITY));
        }
    }

    @Test
    void isReadyWithinASecondAfterAJumpToThreeTimesTheCapacity() {
        QueueModel model = model(14, control(true), 0, 1, true);
        model.run(5, 0.5 * CAPACITY, 0);
        QueueModel.Counts first = model.run(1, 3 * CAPACITY, 0);
        assertThat(first.good()).isGreaterThan((int) (0.75 * CAPACITY));
        assertThat(first.longestNs()).isLessThan(250 * MS); // nobody sends his INVITE again
        assertThat(model.run(1, 3 * CAPACITY, 0).good()).isGreaterThan((int) (0.8 * CAPACITY));
    }

    @Test
    void takesAllCallsAgainWithinTwoSecondsAfterTheOverload() {
        QueueModel model = model(15, control(true), 0, 1, true);
        model.run(20, 3 * CAPACITY, 0);
        model.run(2, 0.7 * CAPACITY, 0);
        assertThat(model.run(10, 0.7 * CAPACITY, 0).refused()).isZero();
    }

    @Test
    void bearsAPauseOfTheCollector() {
        QueueModel model = model(16, control(true), 0, 1, true);
        model.run(5, 0.5 * CAPACITY, 0);
        assertThat(model.run(5, 0.5 * CAPACITY, 60 * MS).refused()).isZero();
        QueueModel busy = model(16, control(true), 0, 1, true);
        busy.run(5, 0.85 * CAPACITY, 0);
        QueueModel.Counts counts = busy.run(5, 0.85 * CAPACITY, 60 * MS);
        assertThat(counts.refused()).isLessThan((int) (0.02 * 5 * CAPACITY));
    }

    @Test
    void refusesNewRequestsThatHaveWaitedTooLongAtOnce() {
        OverloadControl control = control(true);
        assertThat(control.admits(RequestKind.CALL, 149 * MS)).isTrue();
        assertThat(control.admits(RequestKind.CALL, 151 * MS)).isFalse();
        assertThat(control.admits(RequestKind.ONGOING, 5000 * MS)).isTrue();
    }

    @Test
    void neverRefusesWhatBelongsToACall() {
        OverloadControl control = control(true);
        for (int i = 0; i < 1000; i++) {
            control.measured(100 * MS, 20L * i * MS);
        }
        assertThat(control.share()).isGreaterThan(0.9);
        for (int i = 0; i < 1000; i++) {
            assertThat(control.admits(RequestKind.ONGOING, 100 * MS)).isTrue();
        }
        assertThat(RequestKind.of(SipMethod.INVITE, true)).isEqualTo(RequestKind.ONGOING);
        assertThat(RequestKind.of(SipMethod.BYE, false)).isEqualTo(RequestKind.ONGOING);
        assertThat(RequestKind.of(SipMethod.ACK, false)).isEqualTo(RequestKind.ONGOING);
        assertThat(RequestKind.of(SipMethod.INVITE, false)).isEqualTo(RequestKind.CALL);
        assertThat(RequestKind.of(SipMethod.REGISTER, false)).isEqualTo(RequestKind.REGISTRATION);
        assertThat(RequestKind.of(SipMethod.SUBSCRIBE, false)).isEqualTo(RequestKind.OTHER);
        assertThat(RequestKind.of(SipMethod.OPTIONS, false)).isEqualTo(RequestKind.OTHER);
    }

    @Test
    void spreadsRetryAfterOverItsRange() {
        OverloadControl control = control(true);
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            seen.add(control.retryAfterS());
        }
        assertThat(seen).hasSize(16).allMatch(seconds -> seconds >= 5 && seconds <= 20);
    }

    @Test
    void forgetsAfterSilenceThatOverlongTimesDoNotHarm() {
        OverloadControl control = control(true);
        for (int i = 0; i < 1000; i++) {
            control.measured(100 * MS, 20L * i * MS);
        }
        control.measured(0, 20_000 * MS + 100_000_000L * MS);
        assertThat(control.share()).isZero();
    }
}
