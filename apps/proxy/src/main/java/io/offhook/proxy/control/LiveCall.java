package io.offhook.proxy.control;

import io.offhook.packet.Endpoint;
import io.offhook.proxy.statistics.CallState;
import org.jspecify.annotations.Nullable;

/**
 * A call that the proxy has a transaction or a record of.
 *
 * @param callId the Call-ID
 * @param caller the URI of From
 * @param callee the URI of To
 * @param progress how far it is
 * @param source where its INVITE came from
 * @param target where it was forwarded to; null if nowhere yet
 * @param lane the lane that has it
 */
public record LiveCall(
        String callId,
        String caller,
        String callee,
        Progress progress,
        Endpoint source,
        @Nullable Endpoint target,
        int lane) {

    /**
     * How far a call is.
     *
     * @param state where it is
     * @param startedMs when its INVITE arrived, milliseconds since 1970
     * @param answeredMs when its 2xx was forwarded; 0 if it is not answered
     * @param status the last status that was forwarded upstream; 0 if none was
     */
    public record Progress(CallState state, long startedMs, long answeredMs, int status) {}
}
