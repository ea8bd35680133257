package io.offhook.cluster.message;

import io.offhook.calls.binding.Taking;
import io.offhook.packet.Endpoint;
import java.util.List;

/**
 * All that took over from a call at an endpoint, in the place of what was said of it before.
 *
 * @param callIdHash of the call that had it before
 * @param endpoint address and port
 * @param takings in the order in which their SDP was seen
 */
public record Takings(long callIdHash, Endpoint endpoint, List<Taking> takings) implements OperatorMessage {
    /** Copies the list. */
    public Takings {
        takings = List.copyOf(takings);
    }
}
