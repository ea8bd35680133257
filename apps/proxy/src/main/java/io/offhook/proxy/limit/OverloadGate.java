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
    /** Refusals whose hashes have the same lowest bits: the oldest makes room for the newest. */
    private static final int WAYS = 4;
    /** A power of two. At 10,000 refusals a second, one is remembered for about 3 s; the first retransmission comes after T1. */
    private static final int SETS = 1 << 13;

    private final LaneStatistics statistics;
    private final CauseCounters<OverloadCause> causes;
    private final OverloadControl control;
    /** In sets of {@value #WAYS}, each from the newest to the oldest. */
    private final long[] refused = new long[SETS * WAYS];

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
        if (isRemembered(transaction)) {
            causes.add(OverloadCause.REPEATED);
            return control.retryAfterS();
        }
        if (control.admits(kind, waitNs)) {
            return 0;
        }
        remember(transaction);
        causes.add(OverloadCause.of(kind));
        if (kind == RequestKind.CALL) {
            statistics.callBegan();
            statistics.callEnded(CallState.TRYING, CallOutcome.REJECTED);
        }
        return control.retryAfterS();
    }

    private boolean isRemembered(long transaction) {
        int set = set(transaction);
        for (int way = set; way < set + WAYS; way++) {
            if (refused[way] == transaction && transaction != 0) {
                return true;
            }
        }
        return false;
    }

    private void remember(long transaction) {
        int set = set(transaction);
        System.arraycopy(refused, set, refused, set + 1, WAYS - 1);
        refused[set] = transaction;
    }

    private static int set(long transaction) {
        return ((int) transaction & SETS - 1) * WAYS;
    }
}
