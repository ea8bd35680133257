package io.offhook.web.metrics;

import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.calls.statistics.MissedEnd;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Calls that seem to be over, until it is certain: a failed INVITE may be followed by another one with credentials, and packets
 * may still be on their way. Each call comes out once, even if it changes afterwards.
 *
 * <p>Single-threaded.
 */
final class SettlingCalls {
    /** Longer than {@link io.offhook.calls.CallWatch} takes for it. */
    static final long SETTLE_NS = 6_000_000_000L;

    private static final int MOST_REMEMBERED = 1 << 16;

    private final Map<String, Settling> settling = new LinkedHashMap<>();
    private final Map<Long, Boolean> counted = new LinkedHashMap<>();

    /** A call as it was last reported, and when it was first reported as over. */
    private record Settling(CallReport call, long sinceNs) {}

    /** Whether a call is over, as far as is known. */
    static boolean isOver(CallReport call) {
        return call.outcome() != Outcome.RINGING && call.outcome() != Outcome.ONGOING;
    }

    /** Takes calls as they stand. */
    void take(Iterable<CallReport> changed, long nowNs) {
        for (CallReport call : changed) {
            for (CallReport.Dialog dialog : call.dialogs()) {
                if (!dialog.callId().equals(call.callId())) {
                    settling.remove(dialog.callId()); // it has become a leg of this call
                }
            }
            Settling before = settling.get(call.callId());
            if (MissedEnd.isRunning(call, nowNs)) {
                settling.remove(call.callId());
            } else if (!counted.containsKey(key(call))) {
                settling.put(call.callId(), new Settling(call, before == null ? nowNs : before.sinceNs()));
            }
        }
    }

    /** Removes the calls that are over for good by now. */
    List<CallReport> settled(long nowNs) {
        List<CallReport> settled = new ArrayList<>();
        Iterator<Settling> eldest = settling.values().iterator();
        while (eldest.hasNext()) {
            Settling next = eldest.next();
            // a clock that is set back delays nothing for longer
            if (nowNs - next.sinceNs() < SETTLE_NS && nowNs >= next.sinceNs()) {
                break;
            }
            eldest.remove();
            if (isNew(next.call())) {
                settled.add(next.call());
            }
        }
        return settled;
    }

    /** Whether a call did not come out yet; from now on it did. */
    boolean isNew(CallReport call) {
        if (counted.putIfAbsent(key(call), true) != null) {
            return false;
        }
        if (counted.size() > MOST_REMEMBERED) {
            Iterator<Long> eldest = counted.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
        return true;
    }

    private static long key(CallReport call) {
        return call.callId().hashCode() * 0x9E3779B97F4A7C15L ^ call.times().firstSeenNs();
    }
}
