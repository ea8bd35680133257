package io.offhook.calls.statistics;

import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.calls.StreamReport;

/**
 * Whether the end of a call must have been missed, as its BYE was lost or not captured. A report leaves such a call ongoing,
 * since nobody knows when it ended; who shows what goes on now asks {@link #isRunning}.
 */
public final class MissedEnd {
    /**
     * The longest silence of a call whose media was captured, once neither side sends: 5 minutes. Phones and relays give up
     * after 30 to 60 s without RTP; a fax, whose packets are none, seldom takes longer.
     */
    static final long AFTER_MEDIA_NS = 5 * 60_000_000_000L;

    private MissedEnd() {}

    /**
     * Whether a call rings or is talked in.
     *
     * @param nowNs the current time, nanoseconds since the epoch
     */
    public static boolean isRunning(CallReport call, long nowNs) {
        boolean isOver = call.outcome() != Outcome.RINGING && call.outcome() != Outcome.ONGOING;
        return !isOver && !isMissed(call, nowNs);
    }

    private static boolean isMissed(CallReport call, long nowNs) {
        long messageNs = call.counts().lastNs();
        long mediaNs = CallReport.NEVER;
        for (StreamReport stream : call.streams()) {
            mediaNs = Math.max(mediaNs, stream.statistics().lastNs());
        }
        // one that goes on ends with the report; the message that ended another one is not younger than its end
        boolean isOnHold = !call.holds().isEmpty() && call.holds().getLast().untilNs() > messageNs;
        long patienceNs = mediaNs == CallReport.NEVER || isOnHold ? CallReport.LONGEST_SILENCE_NS : AFTER_MEDIA_NS;
        return nowNs - Math.max(messageNs, mediaNs) > patienceNs;
    }
}
