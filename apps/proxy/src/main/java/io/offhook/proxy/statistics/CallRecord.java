package io.offhook.proxy.statistics;

import io.offhook.packet.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * A call that ended.
 *
 * @param parties who called whom
 * @param times when
 * @param status the final status that was forwarded upstream; 0 if none was
 * @param outcome how it ended
 * @param endedBy who hung up
 * @param source where its INVITE came from
 * @param nextHop where it was forwarded to, the branch that answered or was tried last; null if nowhere
 */
public record CallRecord(
        Parties parties,
        Times times,
        int status,
        CallOutcome outcome,
        EndedBy endedBy,
        Endpoint source,
        @Nullable Endpoint nextHop) {

    /**
     * Who called whom.
     *
     * @param callId the Call-ID
     * @param caller the URI of From
     * @param callee the URI of To
     * @param requestUri the request URI of the INVITE as it arrived
     */
    public record Parties(String callId, String caller, String callee, String requestUri) {}

    /**
     * When what happened, in milliseconds since 1970.
     *
     * @param startedMs when the INVITE arrived
     * @param ringingMs when the first provisional response beyond 100 was forwarded; 0 if none was
     * @param answeredMs when the 2xx was forwarded; 0 if none was
     * @param endedMs when the BYE was answered, or the last final response was acknowledged
     */
    public record Times(long startedMs, long ringingMs, long answeredMs, long endedMs) {}

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
