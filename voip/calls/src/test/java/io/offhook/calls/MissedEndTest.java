package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.statistics.MissedEnd;
import org.junit.jupiter.api.Test;

/** Calls whose BYE was not captured. */
class MissedEndTest {
    private static final long MINUTE_NS = 60_000_000_000L;
    private static final String OFFER = Sdp.audio("10.1.0.1", 4000);
    private static final String ANSWER = Sdp.audio("10.1.0.2", 5000);
    private static final Flow FROM_CALLER = Flow.of("10.1.0.1:4000", "10.1.0.2:5000", 1);
    private static final Flow FROM_CALLEE = Flow.of("10.1.0.2:5000", "10.1.0.1:4000", 2);

    private final Scene scene = new Scene();
    private final Dialog dialog = new Dialog(scene);

    private boolean isRunningAfter(double minutes) {
        return MissedEnd.isRunning(scene.call(), scene.nowNs() + (long) (minutes * MINUTE_NS));
    }

    @Test
    void aCallEndsWithItsBye() {
        dialog.invite(OFFER);
        assertThat(isRunningAfter(0)).isTrue();
        dialog.response(Side.CALLEE, 200, 1, "INVITE", ANSWER).ack();
        assertThat(isRunningAfter(0)).isTrue();
        dialog.bye(Side.CALLER);
        assertThat(isRunningAfter(0)).isFalse();
    }

    @Test
    void aCallWhoseMediaStoppedFiveMinutesAgoDoesNotGoOn() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(10_000, FROM_CALLER, FROM_CALLEE);
        assertThat(isRunningAfter(4.9)).isTrue();
        assertThat(isRunningAfter(5.1)).isFalse();
        assertThat(scene.call().outcome()).isEqualTo(Outcome.ONGOING); // when it ended, nobody knows
    }

    @Test
    void mediaOfOneSideIsEnough() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(10_000, FROM_CALLER, FROM_CALLEE);
        scene.begin(FROM_CALLEE).talk(360_000, FROM_CALLEE);
        assertThat(isRunningAfter(0)).isTrue();
    }

    @Test
    void aCallThatWasMissedGoesOnWhenItIsHeardAgain() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(10_000, FROM_CALLER, FROM_CALLEE);
        scene.in(600_000);
        assertThat(isRunningAfter(0)).isFalse();
        scene.talk(1_000, FROM_CALLER, FROM_CALLEE);
        assertThat(isRunningAfter(0)).isTrue();
    }

    @Test
    void withoutMediaACallMayBeSilentForHours() {
        dialog.answered(OFFER, ANSWER);
        assertThat(isRunningAfter(239)).isTrue();
        assertThat(isRunningAfter(241)).isFalse();
    }

    @Test
    void aCallOnHoldMayBeSilentForHours() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(10_000, FROM_CALLER, FROM_CALLEE);
        dialog.accepted(
                Side.CALLER,
                "INVITE",
                2,
                Sdp.audio("10.1.0.1", 4000, "a=sendonly"),
                Sdp.audio("10.1.0.2", 5000, "a=recvonly"));
        scene.in(1_200_000);
        assertThat(scene.call().holds()).isNotEmpty();
        assertThat(isRunningAfter(0)).isTrue();
        assertThat(isRunningAfter(241)).isFalse();
    }
}
