package io.offhook.transport;

/** What {@link ConnectionLoops} counts. {@link #label()} is the name in JSON and text output. */
public enum ConnectionCounter {
    /** Connections accepted from a listener. */
    ACCEPTED("connectionsAccepted"),
    /** Connections begun from here. */
    CONNECTS("connectionsBegun"),
    /** TLS handshakes that succeeded. */
    HANDSHAKES("tlsHandshakes"),
    /** Bytes received, before TLS is removed. */
    RECEIVED_BYTES("connectionReceivedBytes"),
    /** Bytes handed to the kernel, with TLS. */
    SENT_BYTES("connectionSentBytes"),
    /** Connections refused because {@link ConnectionLimits#connections} were open. */
    REFUSED_LIMIT("connectionsRefusedLimit"),
    /** Connections refused because their source had {@link ConnectionLimits#connectionsPerSource} open. */
    REFUSED_SOURCE("connectionsRefusedSource"),
    /** Connections over IPv4 refused at a listener on {@code ::} that takes IPv6 only. */
    REFUSED_FAMILY("connectionsRefusedFamily"),
    /** Connections refused during shutdown. */
    REFUSED_SHUTDOWN("connectionsRefusedShutdown"),
    /** Accepts that the system refused, usually because the process has no file descriptor left. */
    ACCEPT_FAILED("connectionAcceptsFailed"),
    /** Sends refused because the connection had {@link ConnectionLimits#queuedBytes} queued. */
    SEND_QUEUE_FULL("connectionSendsQueueFull"),
    /** Sends refused because all connections together had {@link ConnectionLimits#queuedBytesInAll} queued. */
    SEND_QUEUES_FULL("connectionSendsQueuesFull"),
    /** Sends refused because the connection was closed, or its sending side was. */
    SEND_AFTER_CLOSE("connectionSendsAfterClose"),
    /** Received bytes discarded because the connection was being closed. */
    DISCARDED_BYTES("connectionDiscardedBytes"),
    /** TLS connections whose peer closed TCP without closing TLS first, so that the end may be an attacker's. */
    TLS_TRUNCATED("tlsTruncated"),
    /** Exceptions that a handler threw; each closes its connection. */
    HANDLER_FAILURES("connectionHandlerFailures");

    private final String label;

    ConnectionCounter(String label) {
        this.label = label;
    }

    /** The name of the counter in JSON and text output. */
    public String label() {
        return label;
    }
}
