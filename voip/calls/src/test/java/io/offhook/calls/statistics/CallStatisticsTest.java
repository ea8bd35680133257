package io.offhook.calls.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures of many calls, made from reports with known content. */
class CallStatisticsTest {
    private static final long NEVER = CallReport.NEVER;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final Endpoint A = Endpoint.ofIpv4(0xc0000201, 5060);
    private static final Endpoint A_OTHER_PORT = Endpoint.ofIpv4(0xc0000201, 5080);
    private static final Endpoint B = Endpoint.ofIpv4(0xc0000202, 5060);

    /** @param times in seconds: INVITE, ringing, answer, end; below 0 for never */
    private static CallReport call(Outcome outcome, int status, @Nullable String callee, long... times) {
        long[] ns = new long[4];
        for (int i = 0; i < 4; i++) {
            ns[i] = times[i] < 0 ? NEVER : times[i] * SECOND_NS;
        }
        return new CallReport(
                "id",
                new CallReport.Parties("a", "b", null, null),
                new CallReport.Result(outcome, status, null),
                new CallReport.Times(
                        Math.max(0, ns[0]), ns[0], ns[1], ns[1], ns[2], CallReport.NEVER, ns[3], CallReport.NEVER),
                new CallReport.Signalling(
                        SipTransport.UDP,
                        new CallReport.MessageCounts(7, 0, 0, 0),
                        List.of(new CallReport.Leg(A, B), new CallReport.Leg(A_OTHER_PORT, B)),
                        1,
                        new CallReport.Joined(List.of(), List.of(), List.of()),
                        new CallReport.Headers(
                                "phone", callee, null, null, null, new CallReport.Reason("Q.850;cause=16", 16, -1)),
                        List.of()),
                new CallReport.Media(
                        status == 200 ? "PCMA" : null, false, List.of(), List.of(), List.of(), List.of(), List.of()),
                new CallReport.Diagnosis(List.of(), List.of()));
    }

    private static CallReport answered(long start, long wait, long length) {
        return call(Outcome.ANSWERED, 200, "desk", start, start + wait, start + wait + 1, start + wait + 1 + length);
    }

    private static CallReport failed(Outcome outcome, int status, boolean rang) {
        return call(outcome, status, null, 1, rang ? 2 : -1, -1, 3);
    }

    @ParameterizedTest
    @CsvSource({
        "BUSY, 486, false, true",
        "BUSY, 600, false, true",
        "DECLINED, 603, false, true",
        "UNAVAILABLE, 480, false, true",
        "UNAVAILABLE, 404, false, false",
        "UNAVAILABLE, 408, true, true",
        "UNAVAILABLE, 0, false, false",
        "CANCELLED, 487, true, true",
        "CANCELLED, 487, false, false",
        "FAILED, 503, false, false"
    })
    void aCallThatReachedTheCalleeIsEffective(Outcome outcome, int status, boolean rang, boolean effective) {
        CallFigures figures = CallFigures.of(List.of(failed(outcome, status, rang)));
        assertThat(figures.attempts()).isOne();
        assertThat(figures.answerSeizureRatioPercent()).isZero();
        assertThat(figures.networkEffectivenessRatioPercent()).isEqualTo(effective ? 100 : 0);
    }

    @Test
    void whatIsUndecidedOrWithoutInviteIsNoAttempt() {
        CallFigures figures = CallFigures.of(List.of(
                answered(0, 2, 10),
                failed(Outcome.FAILED, 503, false),
                call(Outcome.RINGING, 0, null, 1, 2, -1, -1),
                call(Outcome.REDIRECTED, 302, null, 1, -1, -1, 2),
                call(Outcome.ONGOING, 0, null, -1, -1, -1, -1),
                call(Outcome.ONGOING, 200, null, 1, 2, 3, -1)));
        assertThat(figures.calls()).isEqualTo(6);
        assertThat(figures.attempts()).isEqualTo(3);
        assertThat(figures.answered()).isEqualTo(2);
        assertThat(figures.answerSeizureRatioPercent()).isBetween(66.6, 66.7);
        assertThat(figures.conversation().count()).isOne();
    }

    @Test
    void withoutAttemptsThereAreNoRatios() {
        CallFigures figures = CallFigures.of(List.of());
        assertThat(figures.answerSeizureRatioPercent()).isNaN();
        assertThat(figures.networkEffectivenessRatioPercent()).isNaN();
        assertThat(figures.conversation().meanNs()).isEqualTo(NEVER);
        assertThat(figures.postDialDelay().longestNs()).isEqualTo(NEVER);
    }

    @Test
    void durationsHaveMeanAndPercentiles() {
        List<CallReport> calls = new ArrayList<>();
        for (int i = 20; i >= 1; i--) {
            calls.add(answered(100L * i, i, 10L * i));
        }
        CallFigures figures = CallFigures.of(calls);
        assertThat(figures.conversation())
                .isEqualTo(new Spread(20, 105 * SECOND_NS, 100 * SECOND_NS, 190 * SECOND_NS, 200 * SECOND_NS));
        assertThat(figures.postDialDelay())
                .isEqualTo(new Spread(20, 10_500_000_000L, 10 * SECOND_NS, 19 * SECOND_NS, 20 * SECOND_NS));
    }

    @Test
    void anAnswerWithoutRingingEndsThePostDialDelayAFailureDoesNot() {
        assertThat(CallFigures.of(List.of(call(Outcome.ANSWERED, 200, null, 1, -1, 5, 9)))
                        .postDialDelay()
                        .meanNs())
                .isEqualTo(4 * SECOND_NS);
        assertThat(CallFigures.of(List.of(failed(Outcome.FAILED, 503, false)))
                        .postDialDelay()
                        .count())
                .isZero();
    }

    @Test
    void theBusyHourSlides() {
        List<CallReport> calls = new ArrayList<>();
        for (long second : new long[] {0, 3000, 3500, 4000, 6599, 6600, 20_000}) {
            calls.add(call(Outcome.RINGING, 0, null, second, -1, -1, -1));
        }
        assertThat(CallStatistics.of(calls).busyHour()).isEqualTo(new BusyHour(3000 * SECOND_NS, 4));
        assertThat(CallStatistics.of(List.of(call(Outcome.ONGOING, 0, null, -1, -1, -1, -1)))
                        .busyHour())
                .isNull();
    }

    @Test
    void whatCallsHaveInCommonIsCountedMostFrequentFirst() {
        CallStatistics statistics = CallStatistics.of(List.of(
                failed(Outcome.FAILED, 503, false),
                answered(0, 1, 5),
                call(Outcome.ANSWERED, 200, "phone", 1, 2, 3, 4),
                call(Outcome.RINGING, 0, null, 1, 2, -1, -1)));
        assertThat(statistics.outcomes())
                .extracting(tally -> tally.what() + " " + tally.calls())
                .containsExactly("ANSWERED 2", "FAILED 1", "RINGING 1");
        assertThat(statistics.statuses())
                .extracting(tally -> tally.what() + " " + tally.calls())
                .containsExactly("200 2", "503 1");
        assertThat(statistics.causes())
                .extracting(tally -> tally.what() + " " + tally.calls())
                .containsExactly("16 4");
        assertThat(statistics.codecs())
                .extracting(tally -> tally.what() + " " + tally.calls())
                .containsExactly("PCMA 2");
        assertThat(statistics.software())
                .extracting(tally -> tally.what() + " " + tally.calls())
                .containsExactly("phone 4", "desk 1");
    }

    @Test
    void aTrunkHasEachCallOnceWhateverItsPortsAndHops() {
        List<TrunkFigures> trunks = CallStatistics.of(List.of(answered(0, 1, 5), failed(Outcome.FAILED, 503, false)))
                .trunks();
        assertThat(trunks)
                .extracting(trunk -> trunk.address() + " " + trunk.isReceiver() + " "
                        + trunk.figures().calls() + " " + trunk.figures().answered())
                .containsExactly("192.0.2.1 false 2 1", "192.0.2.2 true 2 1");
    }
}
