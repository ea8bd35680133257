package io.offhook.transport;

/** Why a {@link Connection} ended. Each cause is counted: {@link ConnectionLoops#closed(CloseCause)}. */
public enum CloseCause {
    /** By {@link Connection#close}, or the peer did not finish in time after {@link Connection#closeAfterSending}. */
    CLOSED_HERE("closedHere"),
    /** Both sides had finished sending. */
    FINISHED("finished"),
    /** The peer reset it, or the network failed. */
    RESET("reset"),
    /** The peer refused it, or no way leads there. */
    CONNECT_FAILED("connectFailed"),
    /** It was not established within {@link ConnectionTimeouts#connectNs}. */
    CONNECT_TIMEOUT("connectTimeout"),
    /** One of the limits on connections was met, so that it was not begun. */
    REFUSED("refused"),
    /** TLS could not be agreed on: no common version, a certificate that is not trusted, or no TLS at all. */
    HANDSHAKE_FAILED("handshakeFailed"),
    /** TLS was not established within {@link ConnectionTimeouts#handshakeNs}. */
    HANDSHAKE_TIMEOUT("handshakeTimeout"),
    /** {@link ConnectionHandler#acceptsPeer} refused the peer's certificate. */
    PEER_REFUSED("peerRefused"),
    /** A TLS record was damaged, or renegotiation was asked for. */
    TLS_FAILED("tlsFailed"),
    /** Nothing was received for the idle time. */
    IDLE("idle"),
    /** What the peer had begun to send was not complete within {@link ConnectionTimeouts#unreadNs}. */
    PEER_SENDS_SLOWLY("peerSendsSlowly"),
    /** What was queued for the peer did not leave within {@link ConnectionTimeouts#stallNs}. */
    PEER_READS_SLOWLY("peerReadsSlowly"),
    /** More than {@link ConnectionLimits#unreadBytes}, or of all connections, were received but not consumed. */
    UNREAD_LIMIT("unreadLimit"),
    /** The handler threw an exception. */
    HANDLER_FAILED("handlerFailed"),
    /** The loops were closed. */
    SHUTDOWN("shutdown");

    private final String label;

    CloseCause(String label) {
        this.label = label;
    }

    /** The name of the cause in JSON and text output. */
    public String label() {
        return label;
    }
}
