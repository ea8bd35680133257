package io.offhook.cli.screen;

import io.offhook.calls.CallReport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The calls that somebody selected, by Call-ID. */
final class SelectedCalls {
    private final Set<String> callIds = new HashSet<>();

    int size() {
        return callIds.size();
    }

    boolean contains(CallReport call) {
        return callIds.contains(call.callId());
    }

    /** Selects a call, or no longer. */
    void toggle(CallReport call) {
        if (!callIds.remove(call.callId())) {
            callIds.add(call.callId());
        }
    }

    /** Selects all of these, or nothing if they all are. */
    void toggleAll(List<CallReport> calls) {
        boolean isAll = true;
        for (CallReport call : calls) {
            isAll &= !callIds.add(call.callId());
        }
        if (isAll) {
            callIds.clear();
        }
    }

    /** Those of calls that are selected, in the same order. */
    List<CallReport> of(List<CallReport> calls) {
        List<CallReport> chosen = new ArrayList<>();
        if (!callIds.isEmpty()) {
            for (CallReport call : calls) {
                if (contains(call)) {
                    chosen.add(call);
                }
            }
        }
        return chosen;
    }

    /** Goes over to a later result: what became a leg of another call selects that one, what is gone nothing. */
    void follow(List<CallReport> later) {
        if (callIds.isEmpty()) {
            return;
        }
        LaterCalls found = new LaterCalls(callIds, later);
        List<String> before = List.copyOf(callIds);
        callIds.clear();
        for (String callId : before) {
            CallReport call = found.of(callId);
            if (call != null) {
                callIds.add(call.callId());
            }
        }
    }
}
