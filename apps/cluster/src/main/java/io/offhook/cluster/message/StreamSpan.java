package io.offhook.cluster.message;

import io.offhook.calls.binding.BestCall;
import io.offhook.packet.Endpoint;

/**
 * A stream has an endpoint as one of its ends.
 *
 * @param stream which one
 * @param endpoint address and port
 * @param end which of its ends
 * @param firstNs its first packet, nanoseconds since the epoch
 * @param lastNs its last packet; Long.MAX_VALUE while it may go on
 * @param forgottenNs when its state went, since it ended long before: what was found stays; Long.MAX_VALUE while it is there
 */
public record StreamSpan(
        StreamName stream, Endpoint endpoint, BestCall.End end, long firstNs, long lastNs, long forgottenNs)
        implements OperatorMessage {}
