package io.offhook.web.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RuleStateTest {
    private static final long S = 1_000_000_000L;

    private static AlertRule rule(AlertKind kind, double raise, double clear, int minimum, long forS) {
        return new AlertRule(
                "r",
                kind,
                new AlertRule.Window(60 * S, 3600 * S),
                new AlertRule.Limits(raise, clear, minimum),
                forS * S,
                600 * S,
                List.of("x"));
    }

    private static RuleState.Event step(RuleState state, double value, long sample, long seconds) {
        return state.step(new AlertQueries.Measured(value, sample, null, null), seconds * S);
    }

    @Test
    void staysRaisedBetweenTheLimits() {
        RuleState state = new RuleState(rule(AlertKind.BAD_CALLS, 20, 10, 1, 0));
        assertThat(step(state, 19.9, 9, 5)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 20, 9, 10)).isEqualTo(RuleState.Event.RAISED);
        assertThat(step(state, 12, 9, 15)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(state.isRaised()).isTrue();
        assertThat(step(state, 10, 9, 20)).isEqualTo(RuleState.Event.CLEARED);
        assertThat(state.isRaised()).isFalse();
        assertThat(step(state, 12, 9, 25)).isEqualTo(RuleState.Event.NOTHING);
    }

    @Test
    void isRaisedByLowValuesOfALowAsr() {
        RuleState state = new RuleState(rule(AlertKind.LOW_ASR, 40, 50, 10, 0));
        assertThat(step(state, 41, 10, 5)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 40, 10, 10)).isEqualTo(RuleState.Event.RAISED);
        assertThat(step(state, 49, 10, 15)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 50, 10, 20)).isEqualTo(RuleState.Event.CLEARED);
    }

    @Test
    void mustBeBeyondALimitForAWhile() {
        RuleState state = new RuleState(rule(AlertKind.REGISTRATION_STORM, 100, 50, 1, 10));
        assertThat(step(state, 200, 9, 0)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 90, 9, 5)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 200, 9, 10)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 200, 9, 15)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 200, 9, 20)).isEqualTo(RuleState.Event.RAISED);
        assertThat(state.raisedNs()).isEqualTo(20 * S);
        assertThat(step(state, 10, 9, 25)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 60, 9, 30)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 10, 9, 35)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 10, 9, 45)).isEqualTo(RuleState.Event.CLEARED);
    }

    @Test
    void neitherRaisesNorClearsAShareByFewCalls() {
        RuleState state = new RuleState(rule(AlertKind.BAD_CALLS, 20, 10, 10, 0));
        assertThat(step(state, 100, 9, 5)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 100, 10, 10)).isEqualTo(RuleState.Event.RAISED);
        assertThat(step(state, 0, 9, 15)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, Double.NaN, 0, 20)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 0, 10, 25)).isEqualTo(RuleState.Event.CLEARED);
    }

    @Test
    void isRaisedByADropOfTheAsrOnlyWithEnoughCallsAndClearedAsItRecovers() {
        RuleState state = new RuleState(rule(AlertKind.ASR_DROP, 20, 5, 30, 0));
        assertThat(step(state, 60, 29, 5)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 20, 30, 10)).isEqualTo(RuleState.Event.RAISED);
        assertThat(step(state, 6, 30, 15)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, -3, 29, 20)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, -3, 30, 25)).isEqualTo(RuleState.Event.CLEARED);
    }

    @Test
    void clearsANumberWhenNothingIsLeft() {
        RuleState state = new RuleState(rule(AlertKind.SCANNER, 20, 10, 5, 0));
        assertThat(step(state, 30, 30, 5)).isEqualTo(RuleState.Event.RAISED);
        assertThat(step(state, 0, 0, 10)).isEqualTo(RuleState.Event.CLEARED);
    }

    @Test
    void repeatsANoticeWhileItIsRaised() {
        RuleState state = new RuleState(rule(AlertKind.OWN_DROPS, 1, 0, 1, 0));
        assertThat(step(state, 5, 5, 0)).isEqualTo(RuleState.Event.RAISED);
        assertThat(step(state, 5, 5, 599)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 5, 5, 600)).isEqualTo(RuleState.Event.REPEATED);
        assertThat(step(state, 5, 5, 900)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 5, 5, 1200)).isEqualTo(RuleState.Event.REPEATED);
    }

    @Test
    void holdsBackNoticesOfAnAlertThatFlaps() {
        RuleState state = new RuleState(rule(AlertKind.OWN_DROPS, 1, 0, 1, 0));
        assertThat(step(state, 5, 5, 0)).isEqualTo(RuleState.Event.RAISED);
        assertThat(step(state, 0, 0, 5)).isEqualTo(RuleState.Event.CLEARED);
        assertThat(step(state, 5, 5, 10)).isEqualTo(RuleState.Event.HELD_BACK);
        assertThat(step(state, 0, 0, 15)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 5, 5, 590)).isEqualTo(RuleState.Event.HELD_BACK);
        assertThat(step(state, 5, 5, 600)).isEqualTo(RuleState.Event.RAISED);
        assertThat(step(state, 0, 0, 605)).isEqualTo(RuleState.Event.CLEARED);
    }

    @Test
    void survivesAClockThatIsSetBack() {
        RuleState state = new RuleState(rule(AlertKind.OWN_DROPS, 1, 0, 1, 10));
        assertThat(step(state, 5, 5, 10_000)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 5, 5, 100)).isEqualTo(RuleState.Event.NOTHING);
        assertThat(step(state, 5, 5, 110)).isEqualTo(RuleState.Event.RAISED);
    }

    @Test
    void limitsNoticesOfAnHour() {
        HourLimit limit = new HourLimit(2);
        assertThat(limit.passes(0)).isTrue();
        assertThat(limit.passes(10 * S)).isTrue();
        assertThat(limit.passes(20 * S)).isFalse();
        assertThat(limit.passes(3600 * S)).isTrue();
        assertThat(limit.passes(3601 * S)).isFalse();
        assertThat(limit.passes(3610 * S)).isTrue();
    }
}
