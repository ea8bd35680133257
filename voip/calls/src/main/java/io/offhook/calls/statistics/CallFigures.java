package io.offhook.calls.statistics;

import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import java.util.List;

/**
 * How many calls succeeded, how long they lasted, and how long callers waited.
 *
 * @param calls all calls
 * @param attempts the calls whose INVITE was captured and whose result is known: neither still ringing at the end of the
 *     capture nor only redirected to another target. They stand for the seizures of ITU-T E.425
 * @param answered the attempts that were answered
 * @param effective the attempts that reached the callee's terminal, as ITU-T E.425 has it for NER: answered, busy (486, 600),
 *     declined (603, 607, 608), without an answer although it rang, or unavailable by 480
 * @param conversation from answer to end, of the calls for which both were captured
 * @param postDialDelay from the INVITE to the first sign that the callee is alerted (a provisional response other than 100),
 *     or else to the answer; calls with neither do not count (ITU-T E.721: post-selection delay; RFC 6076, 4.3.1)
 */
public record CallFigures(
        int calls, int attempts, int answered, int effective, Spread conversation, Spread postDialDelay) {

    /** The figures of these calls. */
    public static CallFigures of(List<CallReport> calls) {
        int attempts = 0;
        int answered = 0;
        int effective = 0;
        int ended = 0;
        int alerted = 0;
        long[] conversations = new long[calls.size()];
        long[] delays = new long[calls.size()];
        for (CallReport call : calls) {
            if (isAttempt(call)) {
                attempts++;
                answered += isAnswered(call) ? 1 : 0;
                effective += isEffective(call) ? 1 : 0;
            }
            if (call.times().durationNs() != CallReport.NEVER) {
                conversations[ended++] = call.times().durationNs();
            }
            long delayNs = postDialDelayNs(call.times());
            if (delayNs != CallReport.NEVER) {
                delays[alerted++] = delayNs;
            }
        }
        return new CallFigures(
                calls.size(),
                attempts,
                answered,
                effective,
                Spread.of(conversations, ended),
                Spread.of(delays, alerted));
    }

    /** Whether a call stands for a seizure: its INVITE was captured, and its result is known. */
    public static boolean isAttempt(CallReport call) {
        return call.times().invitedNs() != CallReport.NEVER
                && switch (call.outcome()) {
                    case RINGING, REDIRECTED -> false;
                    case ANSWERED, ONGOING, BUSY, DECLINED, CANCELLED, UNAVAILABLE, FAILED -> true;
                };
    }

    /** Whether a call was answered, ended or not. */
    public static boolean isAnswered(CallReport call) {
        return call.outcome() == Outcome.ANSWERED || call.outcome() == Outcome.ONGOING;
    }

    /** Whether an attempt reached the callee's terminal (ITU-T E.425). */
    public static boolean isEffective(CallReport call) {
        return isAnswered(call)
                || call.outcome() == Outcome.BUSY
                || call.outcome() == Outcome.DECLINED
                || call.finalStatus() == 480
                || call.times().ringingNs() != CallReport.NEVER;
    }

    private static long postDialDelayNs(CallReport.Times times) {
        long sign = times.progressNs() != CallReport.NEVER ? times.progressNs() : times.answeredNs();
        return times.invitedNs() == CallReport.NEVER || sign == CallReport.NEVER
                ? CallReport.NEVER
                : Math.max(0, sign - times.invitedNs());
    }

    /** Answer seizure ratio (ITU-T E.425): answered of all attempts, 0 to 100; NaN without attempts. */
    public double answerSeizureRatioPercent() {
        return percent(answered);
    }

    /** Network effectiveness ratio (ITU-T E.425): effective of all attempts, 0 to 100; NaN without attempts. */
    public double networkEffectivenessRatioPercent() {
        return percent(effective);
    }

    private double percent(int part) {
        return attempts == 0 ? Double.NaN : 100.0 * part / attempts;
    }
}
