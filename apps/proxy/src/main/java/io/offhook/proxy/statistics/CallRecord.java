package io.offhook.proxy.statistics;

import io.offhook.packet.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * A call that ended.
 *
 * @param callId the Call-ID
 * @param caller the URI of From
 * @param callee the URI of To
 * @param requestUri the request URI of the INVITE as it arrived
 * @param startedMs when its INVITE arrived, milliseconds since 1970
 * @param ringingMs when the first provisional response beyond 100 was forwarded; 0 if none was
 * @param answeredMs when its 2xx was forwarded; 0 if none was
 * @param endedMs when its BYE was answered, or its last final response was acknowledged
 * @param status the final status that was forwarded upstream; 0 if none was
 * @param outcome how it ended
 * @param endedBy who hung up
 * @param source where its INVITE came from
 * @param nextHop where it was forwarded to, the branch that answered or was tried last; null if nowhere
 */
public record CallRecord(
        String callId,
        String caller,
        String callee,
        String requestUri,
        long startedMs,
        long ringingMs,
        long answeredMs,
        long endedMs,
        int status,
        CallOutcome outcome,
        EndedBy endedBy,
        Endpoint source,
        @Nullable Endpoint nextHop) {

    /** Who ended a call. */
    public enum EndedBy {
        /** Who sent the INVITE. */
        CALLER,
        /** Who was called. */
        CALLEE,
        /** The proxy: a limit, a timer. */
        PROXY,
        /** Nobody that the proxy has seen. */
        UNKNOWN
    }
}
