package io.offhook.cli.screen;

import io.offhook.calls.CallReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds calls in a later result by Call-ID: of a call that turned out to be a leg of another one, that other one. */
final class LaterCalls {
    private final Map<String, CallReport> byCallId = new HashMap<>();

    /**
     * Looks for calls.
     *
     * @param callIds of calls of an earlier result
     * @param later the calls of the later one
     */
    LaterCalls(Collection<String> callIds, List<CallReport> later) {
        Set<String> missing = new HashSet<>(callIds);
        for (CallReport call : later) {
            if (missing.remove(call.callId())) {
                byCallId.put(call.callId(), call);
            }
        }
        if (missing.isEmpty()) {
            return;
        }
        for (CallReport call : later) {
            for (CallReport.Dialog dialog : call.dialogs()) {
                if (missing.remove(dialog.callId())) {
                    byCallId.put(dialog.callId(), call);
                }
            }
        }
    }

    /** What became of a call; null if there is nothing of it any more. */
    @Nullable
    CallReport of(String callId) {
        return byCallId.get(callId);
    }

    /** Calls as they are in the later result, each once; those that it lacks as they were. */
    static List<CallReport> of(List<CallReport> calls, List<CallReport> later) {
        LaterCalls found = new LaterCalls(calls.stream().map(CallReport::callId).toList(), later);
        List<CallReport> current = new ArrayList<>(calls.size());
        Set<String> taken = new HashSet<>();
        for (CallReport call : calls) {
            CallReport now = found.of(call.callId());
            CallReport last = now == null ? call : now;
            if (taken.add(last.callId())) {
                current.add(last);
            }
        }
        return current;
    }
}
