package io.offhook.proxy.limit;

import io.offhook.proxy.statistics.CallOutcome;
import io.offhook.proxy.statistics.CallState;
import io.offhook.proxy.statistics.CauseCounters;
import io.offhook.proxy.statistics.LaneStatistics;
import io.offhook.sip.SipMethod;

/**
 * Measures how long the messages of one lane waited, and says which new requests are refused for it.
 *
 * <pre>
 *  message -> turn(arrival, now) -> statistics, OverloadControl
 *          -> retryAfterS(request): 0, or a 503 without a transaction
 * </pre>
 *
 * A refused request leaves a hash of its transaction here, so that its retransmissions are refused, too: the sender of the
 * first one may have its 503, and would not know what to do with a call that is set up nevertheless. On the lane's thread,
 * without allocating.
 */
public final class OverloadGate {
    /** A power of two. At 10,000 refusals a second, one is remembered for 3 s; the first retransmission comes after T1. */
    private static final int REMEMBERED = 1 << 15;

    private final LaneStatistics statistics;
    private final CauseCounters<OverloadCause> causes;
    private final OverloadControl control;
    /** By their lowest bits; a newer one takes the place of an older one. */
    private final long[] refused = new long[REMEMBERED];

    private long waitNs;

    /**
     * Creates a gate that is open.
     *
     * @param statistics those of the lane
     * @param seed begins the random numbers by which requests and Retry-After are chosen
     */
    public OverloadGate(OverloadConfig config, LaneStatistics statistics, long seed) {
        this.statistics = statistics;
        control = new OverloadControl(config, seed);
        causes = statistics.add(new CauseCounters<>("overload", OverloadCause.class));
    }

    /** Takes another target. */
    public void reload(OverloadConfig after) {
        control.reload(after);
    }

    /**
     * A message has its turn; called for each one, before anything else is done with it.
     *
     * @param arrivedNs when it arrived, in ns
     * @param nowNs the time, from the same origin
     */
    public void turn(long arrivedNs, long nowNs) {
        waitNs = Math.max(nowNs - arrivedNs, 0);
        statistics.queueDelay(waitNs);
        control.measured(waitNs, nowNs);
    }

    /** Whether the message that has its turn would be refused, perhaps, if it is a new request. */
    public boolean isRefusing() {
        return control.isRefusing(waitNs);
    }

    /**
     * Decides on a new request, which is the message that has its turn.
     *
     * @param isInDialog whether it belongs to a dialog
     * @param transaction a hash of its transaction
     * @return 0 if it is served; otherwise the Retry-After of its 503, in seconds
     */
    public int retryAfterS(SipMethod method, boolean isInDialog, long transaction) {
        RequestKind kind = RequestKind.of(method, isInDialog);
        if (kind == RequestKind.ONGOING) {
            return 0;
        }
        int place = (int) transaction & REMEMBERED - 1;
        if (refused[place] == transaction && transaction != 0) {
            causes.add(OverloadCause.REPEATED);
            return control.retryAfterS();
        }
        if (control.admits(kind, waitNs)) {
            return 0;
        }
        refused[place] = transaction;
        causes.add(OverloadCause.of(kind));
        if (kind == RequestKind.CALL) {
            statistics.callBegan();
            statistics.callEnded(CallState.TRYING, CallOutcome.REJECTED);
        }
        return control.retryAfterS();
    }
}
