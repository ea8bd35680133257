package io.offhook.cluster.message;

import io.offhook.calls.binding.Naming;
import io.offhook.packet.Endpoint;
import java.util.List;

/**
 * All that a call names at an endpoint, for its media or its RTCP, in the place of what was said of it before.
 *
 * @param endpoint address and port
 * @param callIdHash of the call
 * @param namings in the order of its messages
 * @param forgottenNs when the state of the call went, since it ended long before: what was found stays; Long.MAX_VALUE while it
 *     is there
 */
public record Namings(Endpoint endpoint, long callIdHash, List<Naming> namings, long forgottenNs)
        implements OperatorMessage {
    /** Those of a call whose state is there. */
    public Namings(Endpoint endpoint, long callIdHash, List<Naming> namings) {
        this(endpoint, callIdHash, namings, Long.MAX_VALUE);
    }

    /** Copies the list. */
    public Namings {
        namings = List.copyOf(namings);
    }
}
