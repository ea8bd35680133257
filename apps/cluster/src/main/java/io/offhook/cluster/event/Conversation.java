package io.offhook.cluster.event;

import io.offhook.packet.Endpoint;
import io.offhook.rtp.figures.ConversationUpdate;

/**
 * What changed of the RTCP between two endpoints. What this release does not know inside of the figures is not kept, as in
 * {@link StreamInterval}.
 *
 * @param one in the order of addresses, then ports
 * @param other the other one
 * @param update to be folded into what came before
 * @param unknown what this release does not know of it
 */
public record Conversation(Endpoint one, Endpoint other, ConversationUpdate update, Octets unknown)
        implements EventBody {}
