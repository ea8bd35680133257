package io.offhook.store;

import io.offhook.calls.CallReport;
import java.util.HashMap;
import java.util.Map;

/**
 * Knows which calls may be in the database, so that nothing is deleted where nothing is: of the calls that were written last
 * it knows it for sure; of others, by the time when they were first seen. Bounded.
 */
final class StoredCalls {
    private static final int GENERATION = 1 << 18;

    /** How much earlier a call may turn out to have begun, as TCP may deliver an answer before its request. */
    private static final long CORRECTION_NS = 60_000_000_000L;

    /** By the hash of the Call-ID, when the call was first seen. */
    private Map<Long, Long> recent = new HashMap<>();

    private Map<Long, Long> older = new HashMap<>();
    /** Calls first seen later than this are known for sure. */
    private long forgottenNs;

    /** @param forgottenNs when the last call was first seen that is in the database already */
    StoredCalls(long forgottenNs) {
        this.forgottenNs = forgottenNs;
    }

    /** Adds what may be there of a call and its legs. */
    void find(CallReport call, Replaced found) {
        find(call.callId(), call.times().firstSeenNs(), found);
        for (CallReport.Dialog dialog : call.dialogs()) {
            find(dialog.callId(), dialog.times().firstSeenNs(), found);
        }
    }

    private void find(String callId, long firstSeenNs, Replaced found) {
        Long key = Ids.callId(callId);
        Long known = recent.containsKey(key) ? recent.get(key) : older.get(key);
        if (known != null && known >= firstSeenNs && known - firstSeenNs < CORRECTION_NS) {
            found.add(Ids.dialog(callId, known), known);
        }
        boolean isKnown = known != null && known == firstSeenNs;
        if (!isKnown && (firstSeenNs <= forgottenNs || !TimeRange.isSane(firstSeenNs))) {
            found.add(Ids.dialog(callId, firstSeenNs), firstSeenNs);
        }
    }

    /** Notes that a call was written. */
    void written(CallReport call) {
        for (CallReport.Dialog dialog : call.dialogs()) {
            recent.remove(Ids.callId(dialog.callId()));
            older.remove(Ids.callId(dialog.callId()));
        }
        if (recent.size() >= GENERATION) {
            for (long firstSeenNs : older.values()) {
                if (TimeRange.isSane(firstSeenNs)) {
                    forgottenNs = Math.max(forgottenNs, firstSeenNs);
                }
            }
            older = recent;
            recent = new HashMap<>();
        }
        recent.put(Ids.callId(call.callId()), call.times().firstSeenNs());
    }
}
