package io.offhook.calls.binding;

import io.offhook.packet.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint at which one side of a call receives media, as its SDP says.
 *
 * @param call whose SDP it was
 * @param ofCaller whether its caller receives there, else its callee
 * @param endpoint address and port
 * @param rtcp where it receives RTCP; null if that is the next port, or there is none
 * @param fromNs when the SDP was seen, nanoseconds since the epoch
 * @param frame that completed it
 */
public record Naming(
        NamedCall call,
        boolean ofCaller,
        Endpoint endpoint,
        @Nullable Endpoint rtcp,
        long fromNs,
        long frame) {}
