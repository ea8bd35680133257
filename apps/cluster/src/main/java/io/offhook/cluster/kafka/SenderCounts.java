package io.offhook.cluster.kafka;

/**
 * What a sender did.
 *
 * @param sent events that were handed to Kafka's client; more than were acknowledged, where some were sent again
 * @param acknowledged events that Kafka has
 * @param rejected events that Kafka will never take, as they are too large for its settings
 * @param restarts how often a producer had failed and was replaced
 * @param outstandingOctets of events that were handed over and are not acknowledged
 * @param reason of the last failure; empty if there was none
 */
public record SenderCounts(
        long sent, long acknowledged, long rejected, long restarts, long outstandingOctets, String reason) {}
